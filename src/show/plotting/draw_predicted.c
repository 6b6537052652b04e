/* Predicted against measured, and below it what is left: residual = predicted - measured, over the same axis,
 * as in the report and in the bias. */
#include "fit/prepare/check.h"
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/dots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_titles = 5000 };

typedef struct judged {
    const ald_picture *picture;
    ald_dots points; /* x measured, y predicted */
    double *residual;
    ald_frame above, below;
    ald_legend legend;
    ald_range range;
    const char *name;
} judged;

static ald_status check_rows(ald_run *run, const ald_picture *picture, const ald_dataset *rows, int64_t *q)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(picture->model, &shape);
    *q = shape.columns;
    ALD_TRY(ald_refuse_events(run, &rows->target,
                              "are not drawn against predictions, which are risks: the concordance that "
                              "evaluate gives says how well they are ordered"));
    if (shape.columns == 0)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "a plot of predictions needs a model with a predictor: fit it again with one, such as "
            "`predictor=linear`");
    if (shape.kind != ALD_TARGET_REAL || rows->target.kind != ALD_TARGET_REAL)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "a plot of predicted against measured needs numbers; for classes draw the confusion");
    if (picture->options.response >= 0 && picture->options.response < *q) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no response %lld; the model predicts %lld",
                    (long long)picture->options.response + 1, (long long)*q);
}

/* `hue` is the measured value, as ald_dots_gather took it. */
static ald_status predict_rows(ald_run *run, judged *j, const ald_dataset *rows, int64_t start)
{
    double *prediction;
    int64_t q;
    if (!rows) return ALD_OK;
    ALD_TRY(check_rows(run, j->picture, rows, &q));
    ALD_TRY(ald_scratch_reals(run, rows->x.rows, q, &prediction));
    ALD_TRY(ald_predict(j->picture->context, j->picture->model, &rows->x, prediction, run->error));
    for (int64_t i = 0; i < rows->x.rows; i++) {
        j->points.x[start + i] = j->points.hue[start + i];
        j->points.y[start + i] = prediction[i * q + j->picture->options.response];
        j->residual[start + i] = j->points.y[start + i] - j->points.x[start + i];
    }
    return ALD_OK;
}

/* "test (70): rmse 2.1, bias 0.1". */
static ald_status describe(ald_run *run, judged *j, int64_t from, int64_t to, const char *name, int hollow)
{
    double square = 0.0, sum = 0.0, count = 0.0;
    char rmse[ALD_TICK_SIZE], bias[ALD_TICK_SIZE];
    ald_text text;
    for (int64_t i = from; i < to; i++) {
        if (!isfinite(j->residual[i])) continue;
        count += 1.0;
        sum += j->residual[i];
        square += j->residual[i] * j->residual[i];
    }
    if (count == 0.0) return ALD_OK;
    const double error = sqrt(square / count);
    const int decimals =
        error > 0.0 && error < 1e9 ? (int)fmax(0.0, fmin(6.0, 2.0 - floor(log10(error)))) : 2;
    ald_fixed_text(fmin(error, 1e11), decimals, rmse);
    ald_fixed_text(fmax(-1e11, fmin(sum / count, 1e11)), decimals, bias);
    const char *const lines[] = {"%s (%lld)", "rmse %s", "bias %s"};
    for (int line = 0; line < 3; line++) {
        ald_text_init(&text, &run->scratch);
        if (line == 0) ALD_TRY(ald_text_print(run, &text, lines[0], name, (long long)count));
        if (line == 1) ALD_TRY(ald_text_print(run, &text, lines[1], rmse));
        if (line == 2) ALD_TRY(ald_text_print(run, &text, lines[2], bias));
        ald_legend_add(&j->legend, (ald_legend_item){
                                       .heading = line > 0 ? 2 : 0,
                                       .hollow = hollow,
                                       .colour = ald_class_colour(hollow),
                                       .text = text.data,
                                   });
    }
    return ALD_OK;
}

static ald_status draw_marks(ald_run *run, const judged *j, const ald_frame *frame, const double *y, int test,
                             ald_svg *svg)
{
    ALD_TRY(ald_svg_group(
        run, svg, test ? "class=\"test\" stroke-width=\"1.3\"" : "class=\"train\" fill-opacity=\"0.75\""));
    for (int64_t at = 0; at < j->points.drawn; at++) {
        const int64_t i = j->points.order[at];
        const ald_mark_look look = {.hollow = test, .colour = ald_class_colour(test)};
        const char *title = NULL;
        if ((i >= j->points.n_train) != test) continue;
        if (j->points.drawn <= most_titles) ALD_TRY(ald_row_title(run, j->picture, &j->points, i, &title));
        ALD_TRY(ald_svg_mark(run, svg, look, ald_frame_x(frame, j->points.x[i]), ald_frame_y(frame, y[i]),
                             ald_mark_radius(j->points.drawn), title));
    }
    return ald_svg_group_end(run, svg);
}

static ald_status draw_both(ald_run *run, judged *j, ald_svg *svg)
{
    const double ends[] = {j->range.low, j->range.high};
    ALD_TRY(ald_row_order(run, &j->points, 0));
    ALD_TRY(ald_curve_draw(run, &j->above, 2, ends, ends, "stroke=\"#888\" stroke-dasharray=\"6 4\"", svg));
    ALD_TRY(ald_level_draw(run, &j->below, 0.0, 0, "stroke=\"#888\" stroke-dasharray=\"6 4\"", svg));
    for (int test = 0; test < 2; test++) {
        ALD_TRY(draw_marks(run, j, &j->above, j->points.y, test, svg));
        ALD_TRY(draw_marks(run, j, &j->below, j->residual, test, svg));
    }
    ALD_TRY(ald_legend_draw(run, &j->legend, &j->above, svg));
    return ald_frame_note(run, &j->below, svg, "residual: predicted \xe2\x88\x92 measured");
}

static void set_frames(judged *j)
{
    ald_range rest = {0.0, 0.0};
    j->range = ald_range_empty();
    for (int64_t i = 0; i < j->points.n; i++) {
        if (!ald_row_is_drawn(&j->points, i)) continue;
        ald_range_add(&j->range, j->points.x[i]);
        ald_range_add(&j->range, j->points.y[i]);
        ald_range_add(&rest, j->residual[i]);
    }
    const ald_axis shared = {.range = j->range, .padding = 0.04};
    j->above.x = j->above.y = j->below.x = shared;
    j->above.x.label = "";
    j->above.y.label = "predicted";
    j->below.x.label = "measured";
    j->below.y = (ald_axis){.label = "residual", .range = rest, .padding = 0.08};
    j->above.panel = j->below.panel = 1;
    j->above.title = j->below.title = "";
}

/* Both frames begin at the same place, whatever their labels take. */
static ald_status place_frames(ald_run *run, judged *j, const char *title, ald_svg *svg)
{
    const ald_plot_options *o = &j->picture->options;
    ALD_TRY(ald_svg_begin(run, svg, o->width, o->height, title));
    ALD_TRY(ald_svg_text(run, svg, o->width / 2.0, 28, ALD_ANCHOR_MIDDLE, "font-size=\"16\"", title));
    const double margin = ald_legend_width(&j->legend, o->width / 3.5), split = 34 + 0.58 * (o->height - 34);
    j->above.right_margin = j->below.right_margin = margin;
    j->above.least_left = j->below.least_left = 78;
    ALD_TRY(ald_frame_place(run, &j->above, (ald_box){0, 14, o->width, split - 6}, svg));
    return ald_frame_place(run, &j->below, (ald_box){0, split - 16, o->width, o->height - split + 12}, svg);
}

ald_status ald_draw_predicted(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    judged j = {.picture = picture};
    char title[160];
    if (!picture->data && !picture->test)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a plot of predictions needs rows: give a data file");
    ALD_TRY(ald_dots_gather(run, picture, 0, 0, &j.points));
    ALD_TRY(ald_scratch_reals(run, j.points.n, 1, &j.residual));
    ALD_TRY(predict_rows(run, &j, picture->data, 0));
    ALD_TRY(predict_rows(run, &j, picture->test, j.points.n_train));
    snprintf(title, sizeof title, "Predicted against measured%s%.90s", j.points.name ? ": " : "",
             j.points.name ? j.points.name : "");
    if (picture->options.title) snprintf(title, sizeof title, "%s", picture->options.title);
    ALD_TRY(describe(run, &j, 0, j.points.n_train, "train", 0));
    ALD_TRY(describe(run, &j, j.points.n_train, j.points.n, "test", 1));
    set_frames(&j);
    ALD_TRY(place_frames(run, &j, title, svg));
    return draw_both(run, &j, svg);
}
