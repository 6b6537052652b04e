#include "plotting/colour.h"

/* Okabe and Ito's palette, without its yellow, which is lost on white. */
static const int classes[ALD_CLASS_COLOURS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                               0xe69f00, 0x56b4e9, ALD_INK};

/* Violet to yellow: lightness rises evenly from 0.30 to 0.85 and hue falls from 305 to 105 degrees in the
 * OKLCh colour space, chroma 0.17 or what sRGB can show. */
static const int ramp[ALD_RAMP_STOPS] = {0x410169, 0x3f1084, 0x352795, 0x223aa2, 0x00509e, 0x036194,
                                         0x036f93, 0x047c93, 0x018994, 0x039694, 0x06a490, 0x01b286,
                                         0x1cc071, 0x65c75f, 0x93cd4b, 0xbbd039, 0xdfd32c};

int ald_class_colour(int index)
{
    return classes[index % ALD_CLASS_COLOURS];
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
