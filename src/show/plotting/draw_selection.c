/* How often each feature is among the leading ones over fits to resamples of the rows, the most frequent
 * first, with a line at the largest that chance gives. */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <math.h>
#include <stdio.h>

enum { most_features = 30 };

typedef struct selection {
    const char *const *names;
    const double *share;
    int64_t d;
    double chance;
    int64_t order[most_features];
    int n;
} selection;

static void rank_all(selection *s)
{
    for (int64_t j = 0; j < s->d; j++) {
        int at = s->n < most_features ? s->n++ : most_features;
        for (; at > 0 && s->share[s->order[at - 1]] < s->share[j]; at--)
            if (at < most_features) s->order[at] = s->order[at - 1];
        if (at < most_features) s->order[at] = j;
    }
}

static ald_status check(ald_run *run, const selection *s)
{
    for (int64_t j = 0; j < s->d; j++)
        if (!(s->share[j] >= 0.0 && s->share[j] <= 1.0))
            return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                            "the share of feature %lld is not a number from 0 to 1", (long long)j + 1);
    if (s->d > 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there are no features to draw");
}

static ald_status draw(ald_run *run, selection *s, ald_plot_options *options, char **text)
{
    const char *names[most_features];
    char note[160] = "", style[64];
    ald_svg svg;
    ALD_TRY(ald_picture_size(run, options));
    ALD_TRY(check(run, s));
    rank_all(s);
    for (int i = 0; i < s->n; i++) names[i] = s->names[s->order[i]];
    ald_frame frame = {
        .title = options->title ? options->title : "How often features are among the leading ones",
        .right_margin = 30,
        .x = {.label = "part of the resamples, %", .range = {0.0, 100.0}},
        .y = {.label = "", .names = names, .n_names = s->n},
    };
    ALD_TRY(ald_frame_begin(run, &frame, &svg, options->width, options->height));
    const double height = 0.7 * frame.height / s->n;
    snprintf(style, sizeof style, "class=\"bars\" fill=\"#%06x\"", (unsigned)ald_class_colour(0));
    ALD_TRY(ald_svg_group(run, &svg, style));
    for (int i = 0; i < s->n; i++)
        ALD_TRY(ald_svg_rect(run, &svg, frame.left, ald_frame_y(&frame, i) - height / 2,
                             ald_frame_x(&frame, 100.0 * s->share[s->order[i]]) - frame.left, height, ""));
    ALD_TRY(ald_svg_group_end(run, &svg));
    if (isfinite(s->chance))
        ALD_TRY(ald_level_draw(
            run, &frame, 100.0 * s->chance, 1,
            "class=\"chance\" stroke=\"#d55e00\" stroke-width=\"1.6\" stroke-dasharray=\"6 4\"", &svg));
    snprintf(note, sizeof note, "%s%s",
             isfinite(s->chance) ? "dashed: the largest by chance (permuted targets)" : "",
             s->d > s->n ? "; only the most frequent features are drawn" : "");
    ALD_TRY(ald_frame_note(run, &frame, &svg, note[0] == ';' ? note + 2 : note));
    ALD_TRY(ald_svg_end(run, &svg));
    return ald_svg_keep(run, &svg, text);
}

ald_status ald_plot_selection(ald_context *context, const char *const *names, const double *share,
                              int64_t count, double chance, const ald_plot_options *options, char **svg,
                              ald_error *error)
{
    selection s = {.names = names, .share = share, .d = count, .chance = chance};
    ald_plot_options chosen;
    ald_run run;
    if (svg) *svg = NULL;
    ALD_GIVEN(error, context, names, share, svg);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_plot_options, options, &chosen));
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, draw(&run, &s, &chosen, svg));
}
