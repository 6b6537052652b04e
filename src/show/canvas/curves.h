/* Lines through many points, and shaded areas. */
#ifndef ALD_CANVAS_CURVES_H
#define ALD_CANVAS_CURVES_H

#include "show/canvas/frame.h"

/* Through (x_i, y_i), in the numbers of the frame; a point that is not finite interrupts it. */
ald_status ald_curve_draw(ald_run *run, const ald_frame *frame, int64_t n, const double *x, const double *y,
                          const char *style, ald_svg *svg);
/* Straight, from side to side or from bottom to top, where that is inside the frame. */
ald_status ald_level_draw(ald_run *run, const ald_frame *frame, double value, int upright, const char *style,
                          ald_svg *svg);

#endif
