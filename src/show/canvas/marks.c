/* Marks, colours, bars and curves. */
#include "show/canvas/marks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Corners in units of the radius; x and y in turn. */
typedef struct outline {
    int corners;
    double at[24];
} outline;

static const outline outlines[ALD_SHAPES] = {
    [ALD_TRIANGLE] = {3, {0, -1.3, 1.2, 0.8, -1.2, 0.8}},
    [ALD_DIAMOND] = {4, {0, -1.3, 1.15, 0, 0, 1.3, -1.15, 0}},
    [ALD_TRIANGLE_DOWN] = {3, {0, 1.3, 1.2, -0.8, -1.2, -0.8}},
    [ALD_PLUS] = {12, {-0.4, -1.2, 0.4,  -1.2, 0.4,  -0.4, 1.2,  -0.4, 1.2,  0.4,  0.4,  0.4,
                       0.4,  1.2,  -0.4, 1.2,  -0.4, 0.4,  -1.2, 0.4,  -1.2, -0.4, -0.4, -0.4}},
};

static ald_status add_attribute(ald_run *run, ald_svg *svg, const char *name, double value)
{
    ALD_TRY(ald_text_print(run, &svg->text, " %s=\"", name));
    ALD_TRY(ald_svg_number(run, svg, value));
    return ald_text_add(run, &svg->text, "\"", 1);
}

static ald_status open_circle(ald_run *run, ald_svg *svg, double x, double y, double radius)
{
    ALD_TRY(ald_text_print(run, &svg->text, "<circle"));
    ALD_TRY(add_attribute(run, svg, "cx", x));
    ALD_TRY(add_attribute(run, svg, "cy", y));
    return add_attribute(run, svg, "r", radius);
}

static ald_status open_square(ald_run *run, ald_svg *svg, double x, double y, double radius)
{
    const double half = 0.9 * radius;
    ALD_TRY(ald_text_print(run, &svg->text, "<rect"));
    ALD_TRY(add_attribute(run, svg, "x", x - half));
    ALD_TRY(add_attribute(run, svg, "y", y - half));
    ALD_TRY(add_attribute(run, svg, "width", 2 * half));
    return add_attribute(run, svg, "height", 2 * half);
}

static ald_status open_path(ald_run *run, ald_svg *svg, ald_shape shape, double x, double y, double radius)
{
    const outline *o = &outlines[shape];
    ALD_TRY(ald_text_print(run, &svg->text, "<path d=\""));
    for (int i = 0; i < o->corners; i++) {
        ALD_TRY(ald_text_print(run, &svg->text, "%s", i ? "L" : "M"));
        ALD_TRY(ald_svg_number(run, svg, x + radius * o->at[2 * i]));
        ALD_TRY(ald_text_add(run, &svg->text, " ", 1));
        ALD_TRY(ald_svg_number(run, svg, y + radius * o->at[2 * i + 1]));
    }
    return ald_text_print(run, &svg->text, "z\"");
}

/* A light colour is lost on white without an edge. */
static ald_status add_look(ald_run *run, ald_svg *svg, ald_mark_look look)
{
    if (look.hollow)
        return ald_text_print(run, &svg->text, " fill=\"none\" stroke=\"#%06x\"", (unsigned)look.colour);
    ALD_TRY(ald_text_print(run, &svg->text, " fill=\"#%06x\"", (unsigned)look.colour));
    if (!ald_is_light(look.colour)) return ALD_OK;
    return ald_text_print(run, &svg->text, " stroke=\"#777\" stroke-width=\"0.6\"");
}

ald_status ald_svg_mark(ald_run *run, ald_svg *svg, ald_mark_look look, double x, double y, double radius,
                        const char *title)
{
    static const char *const names[ALD_SHAPES] = {"circle", "rect", "path", "path", "path", "path"};
    if (look.shape == ALD_CIRCLE)
        ALD_TRY(open_circle(run, svg, x, y, radius));
    else if (look.shape == ALD_SQUARE)
        ALD_TRY(open_square(run, svg, x, y, radius));
    else
        ALD_TRY(open_path(run, svg, look.shape, x, y, radius));
    ALD_TRY(add_look(run, svg, look));
    if (!title) return ald_text_print(run, &svg->text, "/>\n");
    ALD_TRY(ald_text_print(run, &svg->text, "><title>"));
    ALD_TRY(ald_svg_escaped(run, svg, title));
    return ald_text_print(run, &svg->text, "</title></%s>\n", names[look.shape]);
}

/* Okabe and Ito's eight colours, its yellow last as it is faint on white, then those of Kelly's 22 colours of
 * maximum contrast (Color Engineering 3, 1965) that are not near one of them, and the colour farthest from
 * all. */
static const int classes[ALD_CLASS_COLOURS] = {
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, ALD_INK,  0xf0e442, 0x875692, 0xbe0032,
    0x8db600, 0x882d17, 0xc2b280, 0x604e97, 0xf99379, 0x654522, 0xb3446c, 0x2b3d26, 0xa1caf1, 0xcc00ff,
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

ald_mark_look ald_class_look(int index, int64_t count)
{
    return (ald_mark_look){
        .shape = count > ALD_SAFE_COLOURS
                     ? (ald_shape)((index % ALD_CLASS_COLOURS + index / ALD_CLASS_COLOURS) % ALD_SHAPES)
                     : ALD_CIRCLE,
        .colour = ald_class_colour(index),
    };
}

enum { widest_bar = 80 };

ald_status ald_bars_draw(ald_run *run, const ald_bars *bars, const ald_frame *frame, ald_svg *svg)
{
    const double step = ald_frame_x(frame, 2) - ald_frame_x(frame, 1);
    const double narrower = fmin(1.0, widest_bar / (bars->width * step)),
                 width = bars->width * step * narrower;
    const double zero = ald_frame_y(frame, 0);
    char style[64];
    snprintf(style, sizeof style, "class=\"%.20s\" fill=\"#%06x\"", bars->name,
             (unsigned)ald_class_colour(bars->colour));
    ALD_TRY(ald_svg_group(run, svg, style));
    for (int64_t i = 0; i < bars->n; i++) {
        if (!isfinite(bars->values[i])) continue;
        const double x =
            ald_frame_x(frame, (double)i + (frame->x.names ? 0 : 1)) + bars->place * step * narrower;
        const double y = ald_frame_y(frame, bars->values[i]);
        ALD_TRY(ald_svg_rect(run, svg, x - width / 2, fmin(y, zero), width, fabs(y - zero), ""));
    }
    return ald_svg_group_end(run, svg);
}

ald_status ald_curve_draw(ald_run *run, const ald_frame *frame, int64_t n, const double *x, const double *y,
                          const char *style, ald_svg *svg)
{
    int open = 0;
    ALD_TRY(ald_text_print(run, &svg->text, "<path fill=\"none\" %s d=\"", style));
    for (int64_t i = 0; i < n; i++) {
        const int there = isfinite(x[i]) && isfinite(y[i]);
        if (there) {
            ALD_TRY(ald_text_add(run, &svg->text, open ? "L" : "M", 1));
            ALD_TRY(ald_svg_number(run, svg, ald_frame_x(frame, x[i])));
            ALD_TRY(ald_text_add(run, &svg->text, " ", 1));
            ALD_TRY(ald_svg_number(run, svg, ald_frame_y(frame, y[i])));
        }
        open = there;
    }
    return ald_text_print(run, &svg->text, "\"/>\n");
}

ald_status ald_level_draw(ald_run *run, const ald_frame *frame, double value, int upright, const char *style,
                          ald_svg *svg)
{
    const double part = ald_scale_place(upright ? &frame->x.scale : &frame->y.scale, value);
    if (!(part >= 0.0 && part <= 1.0)) return ALD_OK;
    const double x = ald_frame_x(frame, value), y = ald_frame_y(frame, value);
    if (upright) return ald_svg_line(run, svg, x, frame->top, x, frame->top + frame->height, style);
    return ald_svg_line(run, svg, frame->left, y, frame->left + frame->width, y, style);
}
