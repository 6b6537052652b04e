/* Upright bars at 1, 2, 3, ... on the x axis, or at its names. */
#ifndef ALD_CANVAS_BARS_H
#define ALD_CANVAS_BARS_H

#include "show/canvas/frame.h"

typedef struct ald_bars {
    const double *values; /* n; what is not finite is left out */
    int64_t n;
    const char *name; /* class of the group in the picture */
    int colour;       /* number of a class colour */
    double place;     /* from the tick to the middle of the bar */
    double width;     /* as a part of the step; never more than 80 pixels */
} ald_bars;

ald_status ald_bars_draw(ald_run *run, const ald_bars *bars, const ald_frame *frame, ald_svg *svg);

#endif
