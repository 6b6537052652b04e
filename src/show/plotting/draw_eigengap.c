/* The eigenvalues (of sdpp those of its convex optimum) by modulus with the gap from each to the next, and
 * the dimension that was taken. Where they fall off says how many directions there are; for sdpp the rule of
 * n_components = 0 is the largest gap. */
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <math.h>
#include <stdio.h>

enum { most_values = 40 };

typedef struct eigengaps {
    const double *all; /* n */
    double *values;    /* shown, by modulus */
    int convex; /* of sdpp's convex optimum, beyond whose last value they are 0 unless there are no more
                   columns */
    int64_t n, shown, largest; /* the largest gap comes after this many, among those shown */
    double *gaps;              /* shown */
} eigengaps;

static ald_status find_values(ald_run *run, const ald_picture *picture, eigengaps *e)
{
    const char *method = ald_model_method(picture->model);
    e->n = ald_picture_vector(picture, "spectrum", &e->all);
    e->convex = e->n > 0;
    if (!e->convex) e->n = ald_picture_vector(picture, "eigenvalues", &e->all);
    if (e->n == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "this model of method '%s' has no eigenvalues to show", method ? method : "?");
    e->shown = e->n < most_values ? e->n : most_values;
    ALD_TRY(ald_scratch_reals(run, e->shown, 1, &e->values));
    for (int64_t i = 0; i < e->shown; i++) e->values[i] = fabs(e->all[i]);
    return ALD_OK;
}

static ald_status find_gaps(ald_run *run, const ald_picture *picture, eigengaps *e)
{
    ALD_TRY(find_values(run, picture, e));
    const double beyond = e->convex && e->n < ald_model_feature_count(picture->model) ? 0.0 : (double)NAN;
    e->largest = 1;
    ALD_TRY(ald_scratch_reals(run, e->shown, 1, &e->gaps));
    for (int64_t i = 0; i < e->shown; i++) {
        e->gaps[i] = fabs(e->values[i] - (i + 1 < e->n ? fabs(e->all[i + 1]) : beyond));
        if (e->gaps[i] > e->gaps[e->largest - 1]) e->largest = i + 1;
    }
    return ALD_OK;
}

/* A line behind the last component that was taken. */
static ald_status mark_dimension(ald_run *run, const ald_picture *picture, const ald_frame *frame,
                                 ald_svg *svg)
{
    const int64_t r = ald_model_component_count(picture->model);
    const double x = ald_frame_x(frame, (double)r + 0.5), bottom = frame->top + frame->height;
    const int at_end = x > frame->left + 0.7 * frame->width;
    ald_text text;
    if (x > frame->left + frame->width + 1.0) return ALD_OK;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%lld component%s taken", (long long)r, r == 1 ? "" : "s"));
    ALD_TRY(ald_svg_line(run, svg, x, frame->top, x, bottom,
                         "class=\"dimension\" stroke=\"#222\" stroke-dasharray=\"5 4\""));
    return ald_svg_text(run, svg, at_end ? x - 8 : x + 8, frame->top + 18,
                        at_end ? ALD_ANCHOR_END : ALD_ANCHOR_START, "", text.data);
}

static ald_status write_note(ald_run *run, const ald_picture *picture, const eigengaps *e, ald_text *note)
{
    const char *rule = ald_model_text(picture->model, "alidade.resolved.dimension_rule");
    ald_text_init(note, &run->scratch);
    ALD_TRY(ald_text_print(run, note, "the largest gap comes after %lld; the dimension was %s",
                           (long long)e->largest, rule ? "chosen by it" : "given"));
    if (isnan(e->gaps[e->shown - 1]))
        ALD_TRY(ald_text_print(run, note, "; the value after the last is unknown"));
    if (e->shown < e->n)
        ALD_TRY(ald_text_print(run, note, "; the first %d of %lld values", most_values, (long long)e->n));
    return ALD_OK;
}

static ald_status draw_both(ald_run *run, const eigengaps *e, const ald_frame *frame, ald_svg *svg)
{
    const ald_bars values = {
        .values = e->values,
        .n = e->shown,
        .name = "bars",
        .colour = 0,
        .place = -0.18,
        .width = 0.34,
    };
    const ald_bars gaps = {
        .values = e->gaps,
        .n = e->shown,
        .name = "gaps",
        .colour = 1,
        .place = 0.18,
        .width = 0.34,
    };
    ALD_TRY(ald_bars_draw(run, &values, frame, svg));
    return ald_bars_draw(run, &gaps, frame, svg);
}

ald_status ald_draw_eigengap(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    const ald_plot_options *options = &picture->options;
    eigengaps e = {0};
    ald_legend legend = {.n = 0};
    ald_text note;
    char title[96];
    ALD_TRY(find_gaps(run, picture, &e));
    ALD_TRY(write_note(run, picture, &e, &note));
    snprintf(title, sizeof title,
             e.convex ? "Eigenvalues of the convex optimum of %.40s" : "Eigenvalues of %.40s",
             ald_model_method(picture->model) ? ald_model_method(picture->model) : "the model");
    ald_legend_add(
        &legend, (ald_legend_item){.shape = ALD_SQUARE, .colour = ald_class_colour(0), .text = "eigenvalue"});
    ald_legend_add(
        &legend,
        (ald_legend_item){.shape = ALD_SQUARE, .colour = ald_class_colour(1), .text = "gap to the next"});
    ald_frame frame = {
        .title = options->title ? options->title : title,
        .right_margin = ald_legend_width(&legend, fmax(options->width / 3.5, 140)),
        .x = {.label = "component", .range = {0.5, (double)e.shown + 0.5}, .whole = 1},
        .y = {.label = "eigenvalue", .range = {0.0, 0.0}},
    };
    for (int64_t i = 0; i < e.shown; i++) ald_range_add(&frame.y.range, 1.1 * e.values[i]);
    ALD_TRY(ald_frame_begin(run, &frame, svg, options->width, options->height));
    ALD_TRY(draw_both(run, &e, &frame, svg));
    ALD_TRY(mark_dimension(run, picture, &frame, svg));
    ALD_TRY(ald_legend_draw(run, &legend, &frame, svg));
    return ald_frame_note(run, &frame, svg, note.data);
}
