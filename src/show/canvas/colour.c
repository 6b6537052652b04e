#include "show/canvas/colour.h"

/* Okabe and Ito's eight colours, its yellow last as it is faint on white, then those of Kelly's 22 colours of
 * maximum contrast (Color Engineering 3, 1965) that are not near one of them. */
static const int classes[ALD_CLASS_COLOURS] = {
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, ALD_INK,  0xf0e442, 0x875692, 0xbe0032,
    0x8db600, 0x882d17, 0xc2b280, 0x604e97, 0xf99379, 0x654522, 0xb3446c, 0x2b3d26, 0xa1caf1,
};

/* Violet to yellow: lightness rises evenly from 0.30 to 0.85 and hue falls from 305 to 105 degrees in the
 * OKLCh colour space, chroma 0.17 or what sRGB can show. */
static const int ramp[ALD_RAMP_STOPS] = {
    0x410169, 0x3f1084, 0x352795, 0x223aa2, 0x00509e, 0x036194, 0x036f93, 0x047c93, 0x018994,
    0x039694, 0x06a490, 0x01b286, 0x1cc071, 0x65c75f, 0x93cd4b, 0xbbd039, 0xdfd32c,
};

int ald_class_colour(int index)
{
    return classes[index % ALD_CLASS_COLOURS];
}

/* Luma by ITU-R BT.601. */
int ald_is_light(int colour)
{
    return 0.299 * (colour >> 16 & 0xff) + 0.587 * (colour >> 8 & 0xff) + 0.114 * (colour & 0xff) > 185.0;
}

int ald_line_colour(int colour)
{
    int darker = 0;
    if (!ald_is_light(colour)) return colour;
    for (int shift = 0; shift <= 16; shift += 8) darker |= (colour >> shift & 0xff) * 7 / 10 << shift;
    return darker;
}

int ald_ramp_stop(int stop)
{
    return ramp[stop];
}

int ald_ramp_colour(double part)
{
    if (!(part > 0.0)) return ramp[0];
    if (part >= 1.0) return ramp[ALD_RAMP_STOPS - 1];
    const double place = part * (ALD_RAMP_STOPS - 1);
    const int stop = (int)place;
    int mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const int low = ramp[stop] >> shift & 0xff, high = ramp[stop + 1] >> shift & 0xff;
        mixed |= (int)(low + (high - low) * (place - stop) + 0.5) << shift;
    }
    return mixed;
}
