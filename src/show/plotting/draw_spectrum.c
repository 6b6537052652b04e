/* Eigenvalues as bars, with the cumulative share of the variance where the model has it. */
#include "show/canvas/frame.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <math.h>
#include <stdio.h>

enum { most_bars = 100 };
/* Bars stand on the axis and end a little below the frame. */
static const double room_above = 1.04;

typedef struct spectrum {
    const double *values;
    int64_t n, shown;
    const double *shares; /* NULL: unknown */
    int one_scale;        /* there is nothing but shares: bars and line have one axis */
    const char *label, *share_label;
} spectrum;

/* Where there are no eigenvalues the shares themselves are drawn. */
static ald_status find_spectrum(ald_run *run, const ald_picture *picture, spectrum *s)
{
    const char *whole;
    const double *shares = NULL;
    const int64_t n_shares = ald_picture_shares(picture, &shares, &whole);
    ald_text label, both;
    ald_text_init(&label, &run->scratch);
    ald_text_init(&both, &run->scratch);
    ALD_TRY(ald_text_print(run, &label, "share of %s", whole));
    s->share_label = label.data;
    s->n = ald_picture_vector(picture, "eigenvalues", &s->values);
    s->label = "eigenvalue";
    if (s->n == 0) {
        s->values = shares;
        s->n = n_shares;
        s->one_scale = 1;
        ALD_TRY(ald_text_print(run, &both, "share of %s (line: cumulative)", whole));
        s->label = both.data;
    }
    if (s->n == 0)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "this model has no spectrum: method '%s' gives neither eigenvalues nor explained shares",
            ald_model_method(picture->model) ? ald_model_method(picture->model) : "?");
    s->shares = n_shares == s->n ? shares : NULL;
    s->shown = s->n < most_bars ? s->n : most_bars;
    return ALD_OK;
}

/* A second axis at the right, in the colour of its line. */
static ald_status draw_share_axis(ald_run *run, const spectrum *s, const ald_frame *frame, ald_svg *svg,
                                  double low, double high)
{
    const double right = frame->left + frame->width;
    for (int percent = 0; percent <= 100; percent += 20) {
        char text[16];
        snprintf(text, sizeof text, "%d %%", percent);
        const double y = low + (high - low) * percent / 100.0;
        ALD_TRY(ald_svg_text(run, svg, right + 6, y + 4, ALD_ANCHOR_START, "fill=\"#b04e00\"", text));
    }
    ald_text label;
    ald_text_init(&label, &run->scratch);
    ALD_TRY(ald_text_print(run, &label, "cumulative %s", s->share_label));
    return ald_svg_text(run, svg, right + 58, frame->top + frame->height / 2, ALD_ANCHOR_MIDDLE | ALD_UPWARDS,
                        "fill=\"#b04e00\"", label.data);
}

static ald_status draw_shares(ald_run *run, const spectrum *s, const ald_frame *frame, ald_svg *svg)
{
    const double bottom = frame->top + frame->height;
    const double low = s->one_scale ? ald_frame_y(frame, 0) : bottom;
    const double high = s->one_scale ? ald_frame_y(frame, 1) : bottom - frame->height / room_above;
    if (!s->one_scale) ALD_TRY(draw_share_axis(run, s, frame, svg, low, high));
    double sum = 0.0, before_x = 0.0, before_y = 0.0;
    ALD_TRY(ald_svg_group(run, svg, "class=\"shares\""));
    for (int64_t i = 0; i < s->shown && isfinite(s->shares[i]); i++) {
        sum = fmin(sum + fmax(s->shares[i], 0.0), 1.0);
        const double x = ald_frame_x(frame, (double)i + 1), y = low + (high - low) * sum;
        if (i > 0)
            ALD_TRY(
                ald_svg_line(run, svg, before_x, before_y, x, y, "stroke=\"#d55e00\" stroke-width=\"1.5\""));
        ALD_TRY(ald_svg_mark(run, svg, (ald_mark_look){ALD_CIRCLE, 0, ald_class_colour(1)}, x, y, 3, NULL));
        before_x = x;
        before_y = y;
    }
    return ald_svg_group_end(run, svg);
}

ald_status ald_draw_spectrum(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    spectrum s = {0};
    ALD_TRY(find_spectrum(run, picture, &s));
    char title[96], note[96] = "";
    snprintf(title, sizeof title, "Spectrum of %.60s",
             ald_model_method(picture->model) ? ald_model_method(picture->model) : "the model");
    if (s.shown < s.n) snprintf(note, sizeof note, "the first %d of %lld values", most_bars, (long long)s.n);
    ald_frame frame = {
        .title = picture->options.title ? picture->options.title : title,
        .right_margin = s.shares && !s.one_scale ? 76 : 24,
        .x = {.label = "component", .range = {0.5, (double)s.shown + 0.5}, .whole = 1},
        .y = {.label = s.label, .range = {0.0, 0.0}},
    };
    for (int64_t i = 0; i < s.shown; i++) ald_range_add(&frame.y.range, room_above * s.values[i]);
    if (s.one_scale) ald_range_add(&frame.y.range, room_above);
    ALD_TRY(ald_frame_begin(run, &frame, svg, picture->options.width, picture->options.height));
    const ald_bars bars = {.values = s.values, .n = s.shown, .name = "bars", .place = 0.0, .width = 0.7};
    ALD_TRY(ald_bars_draw(run, &bars, &frame, svg));
    if (s.shares) ALD_TRY(draw_shares(run, &s, &frame, svg));
    return ald_frame_note(run, &frame, svg, note);
}
