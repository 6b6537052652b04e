#include "show/canvas/bars.h"

#include "show/canvas/colour.h"

#include <math.h>
#include <stdio.h>

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
