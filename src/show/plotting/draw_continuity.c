/* Continuity and trustworthiness against the size k of the neighbourhoods, for the rows of the model and for
 * further ones, each among themselves. 1 is the best there is. */
#include "base/numbers/ordering.h"
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/dots.h"

#include <alidade/evaluate.h>
#include <math.h>
#include <stdio.h>

enum { most_sizes = 128, most_curves = 4 };

typedef struct curve {
    const double *values; /* of k = 1 .. n */
    int64_t n;
    int colour, hollow;
    const char *name;
} curve;

typedef struct curves {
    curve all[most_curves];
    int count;
    int64_t longest;
    ald_text note;
} curves;

static void add_curve(curves *c, const double *values, int64_t n, int trust, int test)
{
    static const char *const names[2][2] = {
        {"continuity", "trustworthiness"},
        {"continuity, test", "trustworthiness, test"},
    };
    c->all[c->count++] = (curve){values, n, ald_class_colour(trust), test, names[test][trust]};
    if (n > c->longest) c->longest = n;
}

static ald_status note_sample(ald_run *run, const ald_continuity_summary *summary, curves *c)
{
    if (summary->sampled == summary->rows) return ALD_OK;
    return ald_text_print(run, &c->note, "%ssummed over %lld of %lld rows, drawn at random",
                          c->note.length ? "; " : "", (long long)summary->sampled, (long long)summary->rows);
}

/* k = 1 .. 128, up to half of the rows with a target. */
static int64_t count_sizes(const ald_target *target)
{
    int64_t labelled = 0;
    for (int64_t i = 0; i < target->rows; i++) labelled += !target->labelled || target->labelled[i];
    return ald_within(labelled / 2, 1, most_sizes);
}

static ald_status draw_continuity_measure(ald_run *run, const ald_picture *picture, const ald_dataset *data,
                                          int test, curves *c)
{
    ald_continuity_point points[most_sizes] = {ALD_CONTINUITY_POINT_INIT};
    ald_continuity_summary summary = ALD_CONTINUITY_SUMMARY_INIT;
    int64_t sizes[most_sizes];
    double *values[2];
    const double *z;
    if (!data) return ALD_OK;
    const ald_continuity_options options = {
        .size = sizeof options,
        .k = sizes,
        .count = (int)count_sizes(&data->target),
    };
    for (int i = 0; i < options.count; i++) sizes[i] = i + 1;
    ALD_TRY(ald_picture_project(run, picture, data, &z));
    ALD_TRY(ald_continuity(picture->context, z, ald_model_component_count(picture->model), &data->target,
                           &options, points, most_sizes, &summary, run->error));
    for (int trust = 0; trust < 2; trust++) {
        ALD_TRY(ald_scratch_reals(run, summary.count, 1, &values[trust]));
        for (int i = 0; i < summary.count; i++)
            values[trust][i] = trust ? points[i].trustworthiness : points[i].continuity;
        add_curve(c, values[trust], summary.count, trust, test);
    }
    return note_sample(run, &summary, c);
}

/* A line through all, marks at 1, 2, 4, 8, ... */
static ald_status draw_curve(ald_run *run, const curve *c, const ald_frame *frame, ald_svg *svg)
{
    char style[96];
    snprintf(style, sizeof style, "stroke=\"#%06x\" stroke-width=\"%s\"", (unsigned)c->colour,
             c->hollow ? "0.8" : "1.8");
    ALD_TRY(ald_svg_group(run, svg, "class=\"curve\""));
    for (int64_t i = 1; i < c->n; i++)
        ALD_TRY(ald_svg_line(run, svg, ald_frame_x(frame, (double)i), ald_frame_y(frame, c->values[i - 1]),
                             ald_frame_x(frame, (double)i + 1), ald_frame_y(frame, c->values[i]), style));
    for (int64_t k = 1; k <= c->n; k *= 2)
        ALD_TRY(ald_svg_mark(run, svg, (ald_mark_look){ALD_CIRCLE, c->hollow, c->colour},
                             ald_frame_x(frame, (double)k), ald_frame_y(frame, c->values[k - 1]), 4, NULL));
    return ald_svg_group_end(run, svg);
}

static ald_status draw_best(ald_run *run, const ald_frame *frame, ald_svg *svg)
{
    const double y = ald_frame_y(frame, 1.0);
    return ald_svg_line(run, svg, frame->left, y, frame->left + frame->width, y,
                        "class=\"best\" stroke=\"#222\" stroke-dasharray=\"2 3\"");
}

static ald_status draw_all(ald_run *run, const ald_picture *picture, const curves *c, ald_svg *svg)
{
    const ald_plot_options *options = &picture->options;
    ald_legend legend = {.n = 0};
    char title[96];
    snprintf(title, sizeof title, "Neighbourhoods kept by %.60s",
             ald_model_method(picture->model) ? ald_model_method(picture->model) : "the model");
    ald_frame frame = {
        .title = options->title ? options->title : title,
        .x = {.label = "k, rows in a neighbourhood",
              .range = {0.0, (double)c->longest * 1.02 + 0.5},
              .whole = 1},
        .y = {.label = "1 = all kept", .range = {1.0, 1.0}, .padding = 0.04},
    };
    for (int i = 0; i < c->count; i++) {
        const curve *one = &c->all[i];
        ald_legend_add(&legend,
                       (ald_legend_item){.colour = one->colour, .hollow = one->hollow, .text = one->name});
        for (int64_t k = 0; k < one->n; k++) ald_range_add(&frame.y.range, one->values[k]);
    }
    frame.right_margin = ald_legend_width(&legend, fmax(options->width / 3.5, 140));
    ALD_TRY(ald_frame_begin(run, &frame, svg, options->width, options->height));
    ALD_TRY(draw_best(run, &frame, svg));
    for (int i = 0; i < c->count; i++) ALD_TRY(draw_curve(run, &c->all[i], &frame, svg));
    ALD_TRY(ald_legend_draw(run, &legend, &frame, svg));
    return c->note.length ? ald_frame_note(run, &frame, svg, c->note.data) : ALD_OK;
}

ald_status ald_draw_continuity(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    curves c = {.count = 0};
    if (!picture->data && !picture->test)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "a continuity plot needs rows: give a data file");
    ald_text_init(&c.note, &run->scratch);
    ALD_TRY(draw_continuity_measure(run, picture, picture->data, 0, &c));
    ALD_TRY(draw_continuity_measure(run, picture, picture->test, 1, &c));
    return draw_all(run, picture, &c, svg);
}
