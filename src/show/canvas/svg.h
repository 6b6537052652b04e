/* A tiny SVG writer. Lengths are pixels, y runs down. `style` is attributes as they stand in the file, e.g.
 * "stroke=\"#ddd\"", or "". */
#ifndef ALD_CANVAS_SVG_H
#define ALD_CANVAS_SVG_H

#include "base/core/text.h"

typedef struct ald_svg {
    ald_text text;
    int width, height;
} ald_svg;

/* Where a text stands by its place; ALD_UPWARDS is added to one of them. */
typedef enum ald_anchor {
    ALD_ANCHOR_START = 0,
    ALD_ANCHOR_MIDDLE = 1,
    ALD_ANCHOR_END = 2,
    ALD_UPWARDS = 4,
} ald_anchor;

/* Opens the picture on white, in the scratch of the run. `title` is for those who cannot see it. */
ald_status ald_svg_begin(ald_run *run, ald_svg *svg, int width, int height, const char *title);
ald_status ald_svg_end(ald_run *run, ald_svg *svg);
/* The finished picture as a text that outlives the run, for ald_text_free. */
ald_status ald_svg_keep(ald_run *run, const ald_svg *svg, char **kept);
ald_status ald_svg_group(ald_run *run, ald_svg *svg, const char *style);
ald_status ald_svg_group_end(ald_run *run, ald_svg *svg);

ald_status ald_svg_line(ald_run *run, ald_svg *svg, double x1, double y1, double x2, double y2,
                        const char *style);
ald_status ald_svg_rect(ald_run *run, ald_svg *svg, double x, double y, double width, double height,
                        const char *style);
/* Any text: what XML cannot hold is replaced. (x, y) is on the base line. */
ald_status ald_svg_text(ald_run *run, ald_svg *svg, double x, double y, int anchor, const char *style,
                        const char *text);

/* Pieces of an element that is written by hand: a length to a tenth of a pixel, whatever the locale; text as
 * XML can hold it. */
ald_status ald_svg_number(ald_run *run, ald_svg *svg, double value);
ald_status ald_svg_escaped(ald_run *run, ald_svg *svg, const char *text);

/* About how wide a text is drawn; rather too much than too little. */
double ald_svg_text_width(const char *text, double font_size);
/* Bytes of the text that take no more than `width`. */
size_t ald_svg_fitting(const char *text, double font_size, double width);
/* The text, or as much of its beginning and its end as fits with an ellipsis between them, in the scratch of
 * the run. */
ald_status ald_svg_shorten(ald_run *run, const char *text, double font_size, double width,
                           const char **shortened);

#endif
