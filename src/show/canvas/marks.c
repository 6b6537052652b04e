#include "show/canvas/marks.h"

#include "show/canvas/colour.h"

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

ald_status ald_svg_mark_titled(ald_run *run, ald_svg *svg, ald_mark_look look, double x, double y,
                               double radius, const char *title)
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

ald_status ald_svg_mark(ald_run *run, ald_svg *svg, ald_shape shape, int hollow, double x, double y,
                        double radius, int colour)
{
    return ald_svg_mark_titled(run, svg, (ald_mark_look){shape, hollow, colour}, x, y, radius, NULL);
}
