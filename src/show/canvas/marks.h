/* What is drawn inside a frame: marks for rows, bars, curves, and their colours. */
#ifndef ALD_CANVAS_MARKS_H
#define ALD_CANVAS_MARKS_H

#include "show/canvas/frame.h"

/* Marks for rows: shapes of about the same area. */
typedef enum ald_shape {
    ALD_CIRCLE = 0,
    ALD_SQUARE,
    ALD_TRIANGLE,
    ALD_DIAMOND,
    ALD_TRIANGLE_DOWN,
    ALD_PLUS,
    ALD_SHAPES,
} ald_shape;

typedef struct ald_mark_look {
    ald_shape shape;
    int hollow;
    int colour; /* 0xrrggbb; light ones get an edge */
} ald_mark_look;

/* Viewers show the title when the pointer rests on the mark; NULL: none. */
ald_status ald_svg_mark(ald_run *run, ald_svg *svg, ald_mark_look look, double x, double y, double radius,
                        const char *title);

/* Colours as 0xrrggbb. Readers who confuse red and green can tell the first eight class colours apart, and
 * the ramp. */
enum {
    ALD_GREY = 0x9a9a9a,
    ALD_INK = 0x222222,
    ALD_CLASS_COLOURS = 20,
    ALD_SAFE_COLOURS = 8,
    ALD_RAMP_STOPS = 17,
};

/* The colour of class `index`; colours repeat from ALD_CLASS_COLOURS on. */
int ald_class_colour(int index);
/* The same, or darker where a thin line of it would be lost on white. */
int ald_line_colour(int colour);
int ald_is_light(int colour);
/* Stop 0 .. ALD_RAMP_STOPS - 1 of the ramp for numbers. */
int ald_ramp_stop(int stop);
/* Between the stops; `part` outside 0 .. 1 is taken as the nearer end. */
int ald_ramp_colour(double part);

/* How the marks of class `index` of `count` look: circles while colours alone are safe, else shapes that
 * change with the colours; no two of 120 classes look alike. */
ald_mark_look ald_class_look(int index, int64_t count);

/* Upright bars at 1, 2, 3, ... on the x axis, or at its names. */
typedef struct ald_bars {
    const double *values; /* n; what is not finite is left out */
    int64_t n;
    const char *name; /* class of the group in the picture */
    int colour;       /* number of a class colour */
    double place;     /* from the tick to the middle of the bar */
    double width;     /* as a part of the step; never more than 80 pixels */
} ald_bars;

ald_status ald_bars_draw(ald_run *run, const ald_bars *bars, const ald_frame *frame, ald_svg *svg);

/* A curve through (x_i, y_i), in the numbers of the frame; a point that is not finite interrupts it. */
ald_status ald_curve_draw(ald_run *run, const ald_frame *frame, int64_t n, const double *x, const double *y,
                          const char *style, ald_svg *svg);
/* Straight, from side to side or from bottom to top, where that is inside the frame. */
ald_status ald_level_draw(ald_run *run, const ald_frame *frame, double value, int upright, const char *style,
                          ald_svg *svg);

#endif
