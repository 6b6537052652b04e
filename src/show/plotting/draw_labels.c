/* Several labels per row as small multiples: a panel per label, all over the same two components, the rows
 * that have the label in colour over the others in grey. */
#include "show/canvas/frame.h"
#include "show/canvas/marks.h"
#include "show/plotting/dots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels above and below the panels, and what the labels of ticks at the left and at the bottom take. */
enum { most_panels = 42, most_titles = 5000, head = 40, foot = 24, left_labels = 56, bottom_labels = 22 };

typedef struct panels {
    const ald_picture *picture;
    int64_t x, y; /* components */
    int count, columns, rows;
    int64_t rows_all; /* of the data */
    ald_range across, up;
} panels;

static ald_status check_labels(ald_run *run, const ald_picture *picture, panels *p)
{
    const ald_dataset *data = picture->data ? picture->data : picture->test;
    const int64_t r = ald_model_component_count(picture->model);
    if (!data || data->target.kind != ALD_TARGET_LABELS)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "small pictures by label need rows with several labels: give a data file that has "
                        "them, or draw the projection");
    p->x = picture->options.x_component ? picture->options.x_component - 1 : 0;
    p->y = picture->options.y_component ? picture->options.y_component - 1 : 1;
    if (p->x >= r || p->y >= r || p->x < 0 || p->y < 0)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "small pictures by label need two components; the model has %lld", (long long)r);
    const int64_t labels = data->target.values.cols;
    p->count = labels < most_panels ? (int)labels : most_panels;
    p->columns = (int)ceil(sqrt(p->count * 1.25));
    p->rows = (p->count + p->columns - 1) / p->columns;
    return ALD_OK;
}

/* Rows without the label first, so that the others lie on top. */
static ald_status draw_layer(ald_run *run, const panels *p, const ald_dots *points, int with,
                             const ald_frame *frame, ald_svg *svg)
{
    const double radius = fmax(1.2, 0.6 * ald_mark_radius(points->drawn));
    ALD_TRY(ald_svg_group(run, svg, with ? "class=\"with\"" : "class=\"without\" fill-opacity=\"0.5\""));
    for (int64_t at = 0; at < points->drawn; at++) {
        const int64_t i = points->order[at];
        const ald_mark_look look = {
            .hollow = i >= points->n_train,
            .colour = with ? ald_class_colour(0) : 0xb0b0b0,
        };
        const char *title = NULL;
        if ((points->hue[i] > 0.0) != with) continue;
        if (with && points->drawn * p->count <= most_titles)
            ALD_TRY(ald_row_title(run, p->picture, points, i, &title));
        ALD_TRY(ald_svg_mark(run, svg, look, ald_frame_x(frame, points->x[i]),
                             ald_frame_y(frame, points->y[i]), radius, title));
    }
    return ald_svg_group_end(run, svg);
}

static ald_status name_panel(ald_run *run, const ald_dots *points, int label, const char **title)
{
    int64_t with = 0;
    ald_text text;
    for (int64_t i = 0; i < points->n; i++) with += points->hue[i] > 0.0;
    ald_text_init(&text, &run->scratch);
    if (points->name)
        ALD_TRY(ald_text_print(run, &text, "%.60s (%lld)", points->name, (long long)with));
    else
        ALD_TRY(ald_text_print(run, &text, "label %d (%lld)", label + 1, (long long)with));
    *title = text.data;
    return ALD_OK;
}

/* Panels are of one size; those at the left and at the bottom also have the labels of the ticks, for all. */
static ald_frame panel_frame(const panels *p, int label, ald_box *box)
{
    const ald_plot_options *o = &p->picture->options;
    const double width = (double)(o->width - left_labels) / p->columns,
                 height = (double)(o->height - head - foot - bottom_labels) / p->rows;
    const int first = label % p->columns == 0, last = label + p->columns >= p->count;
    *box = (ald_box){
        .x = first ? 0.0 : left_labels + label % p->columns * width,
        .y = head + label / p->columns * height,
        .width = first ? left_labels + width : width,
        .height = last ? bottom_labels + height : height,
    };
    return (ald_frame){
        .panel = 1,
        .right_margin = 6,
        .least_left = first ? left_labels + 8.0 : 0.0,
        .x = {.label = "", .range = p->across, .padding = 0.04, .bare = !last},
        .y = {.label = "", .range = p->up, .padding = 0.04, .bare = !first},
    };
}

static ald_status draw_panel(ald_run *run, const panels *p, int label, ald_svg *svg)
{
    ald_picture one = *p->picture;
    ald_box box;
    ald_frame frame = panel_frame(p, label, &box);
    ald_dots points;
    one.options.by_label = 1;
    one.options.response = label;
    ALD_TRY(ald_dots_gather(run, &one, p->x, p->y, &points));
    ALD_TRY(ald_row_order(run, &points, 0));
    if (points.drawn > ALD_MOST_MARKS / p->count) points.drawn = ALD_MOST_MARKS / p->count;
    ALD_TRY(name_panel(run, &points, label, &frame.title));
    ALD_TRY(ald_frame_place(run, &frame, box, svg));
    ALD_TRY(draw_layer(run, p, &points, 0, &frame, svg));
    return draw_layer(run, p, &points, 1, &frame, svg);
}

static ald_status find_ranges(ald_run *run, panels *p)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_dots points;
    p->across = p->up = ald_range_empty();
    ALD_TRY(ald_dots_gather(run, p->picture, p->x, p->y, &points));
    for (int64_t i = 0; i < points.n; i++) {
        ald_range_add(&p->across, points.x[i]);
        ald_range_add(&p->up, points.y[i]);
    }
    p->rows_all = points.n;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_draw_labels(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    const ald_plot_options *o = &picture->options;
    const char *method = ald_model_method(picture->model);
    panels p = {.picture = picture};
    char title[160], note[160];
    ALD_TRY(check_labels(run, picture, &p));
    ALD_TRY(find_ranges(run, &p));
    snprintf(title, sizeof title, "Labels in the projection by %.40s", method ? method : "the model");
    if (o->title) snprintf(title, sizeof title, "%s", o->title);
    ALD_TRY(ald_svg_begin(run, svg, o->width, o->height, title));
    ALD_TRY(ald_svg_text(run, svg, o->width / 2.0, 26, ALD_ANCHOR_MIDDLE, "font-size=\"16\"", title));
    for (int label = 0; label < p.count; label++) ALD_TRY(draw_panel(run, &p, label, svg));
    const ald_dataset *data = picture->data ? picture->data : picture->test;
    snprintf(note, sizeof note,
             "component %lld across, %lld upwards; in colour the rows that have the label%s",
             (long long)p.x + 1, (long long)p.y + 1,
             data->target.values.cols > p.count ? "; further labels are not drawn" : "");
    if (p.rows_all > ALD_MOST_MARKS / p.count)
        snprintf(note + strlen(note), sizeof note - strlen(note), "; %d rows in each panel, chosen at random",
                 ALD_MOST_MARKS / p.count);
    const ald_frame whole = {.left = 20};
    return ald_frame_note(run, &whole, svg, note);
}
