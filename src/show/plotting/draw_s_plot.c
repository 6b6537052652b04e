/* The S-plot of a linear model: for each feature j its covariance with a score t against its correlation with
 * it. With a_j the weight of the feature in t, s_j its deviation and c_j its correlation with t
 * (ald_importance has all three of the rows),
 *
 *   cov(x_j, t) = c_j s_j d,     d = sum_j a_j s_j c_j, the deviation of t.
 *
 * What lies far out at both ends carries much of the score, and reliably: those features have their names. A
 * feature without weight (a sparse method) or that does not vary is not drawn. */
#include "show/canvas/frame.h"
#include "show/canvas/marks.h"
#include "show/canvas/short_names.h"
#include "show/plotting/dots.h"

#include <alidade/importance.h>
#include <math.h>
#include <stdio.h>

enum { most_named = 16, font = 11 };

typedef struct s_plot {
    int64_t d, drawn;
    const char **names;
    double *covariance, *correlation; /* d; NaN: not drawn */
} s_plot;

static ald_status importance(ald_run *run, const ald_picture *picture, ald_importance_kind kind, int64_t k,
                             double **values)
{
    const int64_t r = ald_model_component_count(picture->model), d = ald_model_feature_count(picture->model);
    ALD_TRY(ald_scratch_reals(run, r, d, values));
    ALD_TRY(ald_importance(picture->context, picture->model, kind, &picture->data->x, &picture->data->target,
                           *values, run->error));
    *values += k * d;
    return ALD_OK;
}

static ald_status measure(ald_run *run, const ald_picture *picture, int64_t k, s_plot *s)
{
    double *weight, *size;
    double deviation = 0.0;
    ALD_TRY(importance(run, picture, ALD_IMPORTANCE_STRUCTURE, k, &s->correlation));
    ALD_TRY(importance(run, picture, ALD_IMPORTANCE_WEIGHTS, k, &weight));
    ALD_TRY(importance(run, picture, ALD_IMPORTANCE_STANDARDIZED, k, &size));
    ALD_TRY(ald_scratch_reals(run, s->d, 1, &s->covariance));
    for (int64_t j = 0; j < s->d; j++)
        if (isfinite(s->correlation[j])) deviation += size[j] * s->correlation[j];
    for (int64_t j = 0; j < s->d; j++) {
        s->covariance[j] =
            weight[j] != 0.0 ? s->correlation[j] * deviation * size[j] / weight[j] : (double)NAN;
        s->drawn += isfinite(s->covariance[j]) != 0;
    }
    return ALD_OK;
}

static ald_status draw_marks(ald_run *run, const s_plot *s, const ald_frame *frame, ald_svg *svg)
{
    const ald_mark_look look = {.colour = ald_class_colour(0)};
    ALD_TRY(ald_svg_group(run, svg, "class=\"features\" fill-opacity=\"0.7\""));
    for (int64_t j = 0; j < s->d; j++)
        if (isfinite(s->covariance[j]))
            ALD_TRY(ald_svg_mark(run, svg, look, ald_frame_x(frame, s->covariance[j]),
                                 ald_frame_y(frame, s->correlation[j]), ald_mark_radius(s->drawn),
                                 s->names[j]));
    return ald_svg_group_end(run, svg);
}

/* Names of the features with the largest products of both, as far as there is room. */
static ald_status draw_names(ald_run *run, const s_plot *s, const ald_frame *frame, ald_svg *svg)
{
    ald_placer placer;
    double last = INFINITY;
    ALD_TRY(ald_placer_begin(run, most_named, frame, &placer));
    for (int n = 0; n < most_named; n++) {
        int64_t best = -1;
        double most = -1.0;
        for (int64_t j = 0; j < s->d; j++) {
            const double size = fabs(s->covariance[j] * s->correlation[j]);
            if (!(size < last) || !(size > most)) continue;
            best = j;
            most = size;
        }
        if (best < 0) return ALD_OK;
        last = most;
        const double x = ald_frame_x(frame, s->covariance[best]),
                     y = ald_frame_y(frame, s->correlation[best]),
                     width = ald_svg_text_width(s->names[best], font);
        if (ald_placer_take(&placer, (ald_box){x + 6, y - 6, width, 12}))
            ALD_TRY(
                ald_svg_text(run, svg, x + 6, y + 4, ALD_ANCHOR_START, "font-size=\"11\"", s->names[best]));
        else if (ald_placer_take(&placer, (ald_box){x - 6 - width, y - 6, width, 12}))
            ALD_TRY(ald_svg_text(run, svg, x - 6, y + 4, ALD_ANCHOR_END, "font-size=\"11\"", s->names[best]));
    }
    return ALD_OK;
}

ald_status ald_draw_s_plot(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    const int64_t r = ald_model_component_count(picture->model),
                  k = picture->options.x_component ? picture->options.x_component : 1;
    s_plot s = {.d = ald_model_feature_count(picture->model)};
    char title[96], x_label[64], y_label[64];
    if (!picture->data)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "an S-plot needs rows: name the file that holds those of the fit");
    if (k < 1 || k > r)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no component %lld: the model has %lld",
                        (long long)k, (long long)r);
    ALD_TRY(measure(run, picture, k - 1, &s));
    ALD_TRY(ald_feature_names(run, picture, s.d, &s.names));
    snprintf(title, sizeof title, "S-plot of component %lld of %.50s", (long long)k,
             ald_model_method(picture->model) ? ald_model_method(picture->model) : "the model");
    snprintf(x_label, sizeof x_label, "covariance of the feature with score %lld", (long long)k);
    snprintf(y_label, sizeof y_label, "correlation with score %lld", (long long)k);
    ald_frame frame = {
        .title = picture->options.title ? picture->options.title : title,
        .right_margin = 30,
        .x = {.label = x_label, .range = {0.0, 0.0}, .padding = 0.06},
        .y = {.label = y_label, .range = {-1.0, 1.0}, .padding = 0.03},
    };
    for (int64_t j = 0; j < s.d; j++)
        if (isfinite(s.covariance[j])) ald_range_add(&frame.x.range, s.covariance[j]);
    ALD_TRY(ald_frame_begin(run, &frame, svg, picture->options.width, picture->options.height));
    ALD_TRY(draw_marks(run, &s, &frame, svg));
    return draw_names(run, &s, &frame, svg);
}
