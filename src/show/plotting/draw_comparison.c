/* The metric of a comparison against the number of directions. Lines stand a little apart from each other,
 * so that their deviations can be distinguished; a row without directions (all features, the mean) runs
 * from side to side, dashed. */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/picture.h"

#include <alidade/compare.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct line {
    const char *name;
    int first; /* row, the first of its name */
    int colour;
    ald_shape shape;
    double aside; /* in directions */
} line;

typedef struct drawing {
    const ald_comparison *comparison;
    const char *const *names;
    line lines[ALD_LEGEND_ITEMS];
    int count, left_out;
    double most_dims;
    ald_frame frame;
} drawing;

static const char *name_of(const drawing *d, int row)
{
    return d->names ? d->names[row] : ald_comparison_at(d->comparison, row)->label;
}

static int is_shown(const ald_comparison_row *row)
{
    return isfinite(row->mean) && row->dims >= 0;
}

static void add_line(drawing *d, int row)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->lines[i].name, name_of(d, row)) == 0) return;
    if (d->count == ALD_LEGEND_ITEMS) {
        d->left_out = 1;
        return;
    }
    const int at = d->count++;
    d->lines[at] = (line){
        .name = name_of(d, row),
        .first = row,
        .colour = ald_class_colour(at),
        .shape = (ald_shape)(at / ALD_SAFE_COLOURS % ALD_SHAPES),
    };
}

static void collect(drawing *d)
{
    ald_range *range = &d->frame.y.range;
    *range = ald_range_empty();
    for (int i = 0; i < ald_comparison_count(d->comparison); i++) {
        const ald_comparison_row *row = ald_comparison_at(d->comparison, i);
        if (!is_shown(row)) continue;
        const double deviation = isfinite(row->std) ? row->std : 0.0;
        add_line(d, i);
        ald_range_add(range, row->mean - deviation);
        ald_range_add(range, row->mean + deviation);
        d->most_dims = fmax(d->most_dims, (double)row->dims);
    }
    for (int i = 0; i < d->count; i++) d->lines[i].aside = 0.3 * ((i + 0.5) / d->count - 0.5);
}

static ald_status draw_level(ald_run *run, const drawing *d, const line *l, double mean, ald_svg *svg)
{
    const ald_frame *frame = &d->frame;
    const double y = ald_frame_y(frame, mean);
    char style[96];
    snprintf(style, sizeof style, "stroke=\"#%06x\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"",
             (unsigned)l->colour);
    ALD_TRY(ald_svg_line(run, svg, frame->left, y, frame->left + frame->width, y, style));
    return ald_svg_mark(run, svg, (ald_mark_look){l->shape, 0, l->colour}, frame->left + frame->width, y, 4,
                        NULL);
}

static ald_status draw_deviation(ald_run *run, const drawing *d, double x, const ald_comparison_row *row,
                                 const char *style, ald_svg *svg)
{
    if (!isfinite(row->std)) return ALD_OK;
    const double low = ald_frame_y(&d->frame, row->mean - row->std),
                 high = ald_frame_y(&d->frame, row->mean + row->std);
    ALD_TRY(ald_svg_line(run, svg, x, low, x, high, style));
    ALD_TRY(ald_svg_line(run, svg, x - 3, low, x + 3, low, style));
    return ald_svg_line(run, svg, x - 3, high, x + 3, high, style);
}

/* Rows of a name are in the order of their dims. */
static ald_status draw_line(ald_run *run, const drawing *d, const line *l, ald_svg *svg)
{
    char thick[64], thin[64];
    double x_before = NAN, y_before = NAN;
    snprintf(thick, sizeof thick, "stroke=\"#%06x\" stroke-width=\"1.8\"", (unsigned)l->colour);
    snprintf(thin, sizeof thin, "stroke=\"#%06x\" stroke-width=\"1\"", (unsigned)l->colour);
    for (int i = l->first; i < ald_comparison_count(d->comparison); i++) {
        const ald_comparison_row *row = ald_comparison_at(d->comparison, i);
        if (!is_shown(row) || strcmp(name_of(d, i), l->name) != 0) continue;
        if (row->dims == 0) return draw_level(run, d, l, row->mean, svg);
        const double x = ald_frame_x(&d->frame, (double)row->dims + l->aside),
                     y = ald_frame_y(&d->frame, row->mean);
        if (!isnan(x_before)) ALD_TRY(ald_svg_line(run, svg, x_before, y_before, x, y, thick));
        ALD_TRY(draw_deviation(run, d, x, row, thin, svg));
        ALD_TRY(ald_svg_mark(run, svg, (ald_mark_look){l->shape, 0, l->colour}, x, y, 4, NULL));
        x_before = x;
        y_before = y;
    }
    return ALD_OK;
}

static ald_status draw(ald_run *run, drawing *d, ald_plot_options *options, char **text)
{
    const ald_splits *splits = ald_comparison_splits(d->comparison);
    ald_legend legend = {.n = 0};
    ald_svg svg;
    int up;
    char label[96], note[300];
    ALD_TRY(ald_picture_size(run, options));
    const char *metric = ald_comparison_metric(d->comparison, &up);
    snprintf(label, sizeof label, "%.60s, %s is better", metric, up ? "larger" : "smaller");
    collect(d);
    snprintf(note, sizeof note, "mean and standard deviation over %.200s%s", ald_splits_note(splits),
             d->left_out ? "; some lines are left out" : "");
    for (int i = 0; i < d->count; i++)
        ald_legend_add(&legend, (ald_legend_item){
                                    .shape = d->lines[i].shape,
                                    .colour = d->lines[i].colour,
                                    .text = d->lines[i].name,
                                });
    d->frame.title = options->title ? options->title : "Methods compared";
    d->frame.x = (ald_axis){
        .label = "components",
        .range = {0.5, d->most_dims > 0.0 ? d->most_dims + 0.5 : 1.5},
        .whole = 1,
    };
    d->frame.y.label = label;
    d->frame.y.padding = 0.05;
    d->frame.right_margin = ald_legend_width(&legend, fmax(options->width / 3.0, 140));
    ALD_TRY(ald_frame_begin(run, &d->frame, &svg, options->width, options->height));
    for (int i = 0; i < d->count; i++) {
        ALD_TRY(ald_svg_group(run, &svg, "class=\"curve\""));
        ALD_TRY(draw_line(run, d, &d->lines[i], &svg));
        ALD_TRY(ald_svg_group_end(run, &svg));
    }
    ALD_TRY(ald_legend_draw(run, &legend, &d->frame, &svg));
    ALD_TRY(ald_frame_note(run, &d->frame, &svg, note));
    ALD_TRY(ald_svg_end(run, &svg));
    return ald_svg_keep(run, &svg, text);
}

ald_status ald_plot_comparison(ald_context *context, const ald_comparison *comparison,
                               const char *const *names, const ald_plot_options *options, char **svg,
                               ald_error *error)
{
    ald_run run;
    drawing d = {.comparison = comparison, .names = names};
    ald_plot_options chosen;
    if (svg) *svg = NULL;
    ALD_GIVEN(error, context, comparison, svg);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_plot_options, options, &chosen));
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, draw(&run, &d, &chosen, svg));
}
