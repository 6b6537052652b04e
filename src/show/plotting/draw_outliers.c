/* T^2 (how far within the plane of the components) against Q (how far from it), with their limits at 95 and
 * 99 %. Rows beyond a limit of 99 % have their names. The axes are square roots, that is distances, so that
 * rows within the limits are not crowded in a corner by one far away; the ticks are those of the distances.
 */
#include "judge/measuring/measure_outliers.h"
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/canvas/short_names.h"
#include "show/plotting/dots.h"

#include <alidade/outliers.h>
#include <math.h>
#include <stdio.h>

enum { most_titles = 5000, most_named = 200, font = 11 };

typedef struct strangers {
    const ald_picture *picture;
    ald_dots points; /* x: sqrt T^2, y: sqrt Q */
    ald_outlier_limits limits;
    ald_frame frame;
    ald_legend legend;
    int64_t beyond; /* rows */
} strangers;

static ald_status measure(ald_run *run, strangers *s, const ald_dataset *rows, int64_t start)
{
    double *x = s->points.x + start, *y = s->points.y + start;
    if (!rows) return ALD_OK;
    s->limits.size = sizeof s->limits;
    const int of_fit = rows == s->picture->data;
    ALD_TRY(ald_outliers(s->picture->context, s->picture->model, &rows->x, x, y,
                         of_fit || !s->picture->data ? &s->limits : NULL, run->error));
    if (of_fit) ald_limits_by_rows(rows->x.rows, y, &s->limits);
    for (int64_t i = 0; i < rows->x.rows; i++) {
        x[i] = sqrt(x[i]);
        y[i] = sqrt(y[i]);
    }
    return ALD_OK;
}

static int is_beyond(const strangers *s, int64_t i)
{
    return s->points.x[i] > sqrt(s->limits.t2_99) || s->points.y[i] > sqrt(s->limits.q_99);
}

static ald_status draw_limits(ald_run *run, const strangers *s, ald_svg *svg)
{
    const double at[2][2] = {{s->limits.t2_95, s->limits.q_95}, {s->limits.t2_99, s->limits.q_99}};
    static const char *const styles[] = {
        "stroke=\"#e69f00\" stroke-dasharray=\"6 4\"",
        "stroke=\"#d55e00\" stroke-dasharray=\"2 3\"",
    };
    ALD_TRY(ald_svg_group(run, svg, "class=\"limits\" stroke-width=\"1.4\""));
    for (int k = 0; k < 4; k++)
        if (isfinite(at[k / 2][k % 2]))
            ALD_TRY(ald_level_draw(run, &s->frame, sqrt(at[k / 2][k % 2]), k % 2 == 0, styles[k / 2], svg));
    return ald_svg_group_end(run, svg);
}

static ald_status draw_all(ald_run *run, strangers *s, ald_svg *svg)
{
    ALD_TRY(ald_svg_group(run, svg, "class=\"rows\" fill-opacity=\"0.75\" stroke-width=\"1.3\""));
    for (int64_t at = 0; at < s->points.drawn; at++) {
        const int64_t i = s->points.order[at];
        const int test = i >= s->points.n_train;
        const ald_mark_look look = {.hollow = test, .colour = ald_class_colour(test)};
        const char *title = NULL;
        if (s->points.drawn <= most_titles) ALD_TRY(ald_row_title(run, s->picture, &s->points, i, &title));
        ALD_TRY(ald_svg_mark(run, svg, look, ald_frame_x(&s->frame, s->points.x[i]),
                             ald_frame_y(&s->frame, s->points.y[i]), ald_mark_radius(s->points.drawn),
                             title));
        s->beyond += is_beyond(s, i);
    }
    return ald_svg_group_end(run, svg);
}

static ald_status name_far(ald_run *run, const strangers *s, ald_svg *svg)
{
    ald_placer placer;
    ALD_TRY(ald_placer_begin(run, most_named, &s->frame, &placer));
    for (int64_t at = 0; at < s->points.drawn; at++) {
        const int64_t i = s->points.order[at];
        const char *label;
        if (!is_beyond(s, i)) continue;
        ALD_TRY(ald_row_label(run, s->picture, &s->points, i, &label));
        const double x = ald_frame_x(&s->frame, s->points.x[i]), y = ald_frame_y(&s->frame, s->points.y[i]),
                     width = ald_svg_text_width(label, font);
        if (ald_placer_take(&placer, (ald_box){x + 6, y - 6, width, 12}))
            ALD_TRY(ald_svg_text(run, svg, x + 6, y + 4, ALD_ANCHOR_START, "font-size=\"11\"", label));
        else if (ald_placer_take(&placer, (ald_box){x - 6 - width, y - 6, width, 12}))
            ALD_TRY(ald_svg_text(run, svg, x - 6, y + 4, ALD_ANCHOR_END, "font-size=\"11\"", label));
    }
    return ALD_OK;
}

static void set_frame(strangers *s, const char *title)
{
    s->frame = (ald_frame){
        .title = title,
        .x = {.label = "distance within the components, \xe2\x88\x9aT\xc2\xb2",
              .range = {0.0, 0.0},
              .padding = 0.03},
        .y = {.label = "distance from them, \xe2\x88\x9aQ", .range = {0.0, 0.0}, .padding = 0.03},
    };
    for (int64_t i = 0; i < s->points.n; i++) {
        if (!ald_row_is_drawn(&s->points, i)) continue;
        ald_range_add(&s->frame.x.range, s->points.x[i]);
        ald_range_add(&s->frame.y.range, s->points.y[i]);
    }
    ald_range_add(&s->frame.x.range, sqrt(s->limits.t2_99));
    ald_range_add(&s->frame.y.range, sqrt(s->limits.q_99));
    ald_legend_add(&s->legend, (ald_legend_item){.colour = ald_class_colour(0), .text = "train"});
    if (s->points.n_test)
        ald_legend_add(&s->legend,
                       (ald_legend_item){.hollow = 1, .colour = ald_class_colour(1), .text = "test"});
    ald_legend_add(&s->legend,
                   (ald_legend_item){.shape = ALD_SQUARE, .colour = 0xe69f00, .text = "95 % limit"});
    ald_legend_add(&s->legend,
                   (ald_legend_item){.shape = ALD_SQUARE, .colour = 0xd55e00, .text = "99 % limit"});
}

ald_status ald_draw_outliers(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    strangers s = {.picture = picture};
    char note[160];
    if (!picture->data && !picture->test)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a plot of T\xc2\xb2 and Q needs rows: give a data file");
    ALD_TRY(ald_dots_gather(run, picture, 0, 0, &s.points));
    ALD_TRY(measure(run, &s, picture->data, 0));
    ALD_TRY(measure(run, &s, picture->test, s.points.n_train));
    set_frame(&s, picture->options.title ? picture->options.title : "Rows unlike those of the fit");
    ALD_TRY(ald_row_order(run, &s.points, 0));
    s.frame.right_margin = ald_legend_width(&s.legend, picture->options.width / 3.5);
    ALD_TRY(ald_frame_begin(run, &s.frame, svg, picture->options.width, picture->options.height));
    ALD_TRY(draw_limits(run, &s, svg));
    ALD_TRY(draw_all(run, &s, svg));
    ALD_TRY(name_far(run, &s, svg));
    ALD_TRY(ald_legend_draw(run, &s.legend, &s.frame, svg));
    snprintf(note, sizeof note, "beyond a limit of 99 %%, with their names or numbers: %lld of %lld rows",
             (long long)s.beyond, (long long)s.points.drawn);
    return ald_frame_note(run, &s.frame, svg, note);
}
