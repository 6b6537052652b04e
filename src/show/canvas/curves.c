#include "show/canvas/curves.h"

#include <math.h>

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
