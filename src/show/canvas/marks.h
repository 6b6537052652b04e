/* Marks for rows: shapes of about the same area. */
#ifndef ALD_CANVAS_MARKS_H
#define ALD_CANVAS_MARKS_H

#include "show/canvas/svg.h"

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

ald_status ald_svg_mark(ald_run *run, ald_svg *svg, ald_shape shape, int hollow, double x, double y,
                        double radius, int colour);
/* The same with a text that viewers show when the pointer rests on it; NULL: none. */
ald_status ald_svg_mark_titled(ald_run *run, ald_svg *svg, ald_mark_look look, double x, double y,
                               double radius, const char *title);

#endif
