/* Rows in the plane of two components, coloured by the target. With one component the target is the other
 * axis: a number as it is, a class or a number of labels as a strip in which the rows are scattered. */
#include "base/numbers/ordering.h"
#include "base/numbers/random.h"
#include "show/canvas/legend.h"
#include "show/canvas/marks.h"
#include "show/plotting/arrows.h"
#include "show/plotting/dots.h"
#include "show/plotting/ellipses.h"

#include <math.h>
#include <stdio.h>

/* Classes with a mark of their own; rows up to which each mark has a text for those who point at it. */
enum { most_classes = 50, most_titles = 5000, seed = 1 };

typedef struct view {
    const ald_picture *picture;
    ald_dots points;
    ald_frame frame;
    ald_legend legend;
    int shown;     /* classes with a colour of their own */
    int on_target; /* one component and a number to place the rows by */
    int strips;    /* one component and no such number */
    int64_t unlabelled_strip;
    int with_groups; /* ellipses, and names of groups and rows */
    int with_arrows; /* of the columns */
    int64_t x, y;    /* the components */
    ald_group_list groups;
    ald_text note;
} view;

static ald_status print(ald_run *run, const char **text, const char *format, const char *name,
                        long long number)
{
    ald_text made;
    ald_text_init(&made, &run->scratch);
    ALD_TRY(ald_text_print(run, &made, format, name, number));
    *text = made.data;
    return ALD_OK;
}

/* Components from 0; y is -1 for a model with one. */
static ald_status choose_components(ald_run *run, const ald_picture *picture, int64_t *x, int64_t *y)
{
    const int64_t r = ald_model_component_count(picture->model);
    *x = picture->options.x_component ? picture->options.x_component : 1;
    *y = picture->options.y_component;
    if (*y == 0 && r > 1) *y = *x == 2 ? 1 : 2;
    if (picture->options.y_component == 0 && *x == 2 && r > 2) *y = 3;
    const int64_t wrong = *x < 1 || *x > r ? *x : *y;
    if (wrong < 0 || wrong > r || *x < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "component %lld was requested; the model has 1 to %lld", (long long)wrong,
                        (long long)r);
    --*x;
    --*y;
    return ALD_OK;
}

static ald_status component_label(ald_run *run, const ald_picture *picture, int64_t component,
                                  const char **label)
{
    const double *ratio = NULL;
    const char *whole;
    const int64_t n = ald_picture_shares(picture, &ratio, &whole);
    char share[ALD_TICK_SIZE + 32] = "";
    if (component < n && ratio[component] >= 0.0 && ratio[component] <= 1.0) {
        char percent[ALD_TICK_SIZE];
        ald_fixed_text(100.0 * ratio[component], 1, percent);
        snprintf(share, sizeof share, " (%s %% of %s)", percent, whole);
    }
    ald_text text;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "component %lld%s", (long long)component + 1, share));
    *label = text.data;
    return ALD_OK;
}

static ald_status class_name(ald_run *run, const ald_dots *points, int64_t class, const char **name)
{
    *name = points->names ? points->names[class] : NULL;
    return *name ? ALD_OK : print(run, name, "%s%lld", "class ", (long long)class + 1);
}

static ald_status add_note(ald_run *run, view *v, const char *format, int64_t a, int64_t b)
{
    if (v->note.length) ALD_TRY(ald_text_print(run, &v->note, "; "));
    return ald_text_print(run, &v->note, format, (long long)a, (long long)b);
}

/* One component: the strip of each row. */
static double strip_of(const view *v, int64_t i)
{
    const double hue = v->points.hue[i];
    if (v->points.kind == ALD_TARGET_NONE) return 0.0;
    if (!isfinite(hue)) return (double)v->unlabelled_strip;
    return fmin(hue, v->shown);
}

/* A little disorder, so that equal rows are seen apart. */
static ald_status scatter_strips(ald_run *run, view *v)
{
    ald_random random;
    ald_random_seed(&random, seed, 0);
    ALD_TRY(ald_scratch_reals(run, v->points.n, 1, &v->points.y));
    for (int64_t i = 0; i < v->points.n; i++)
        v->points.y[i] =
            (v->strips ? strip_of(v, i) : v->points.hue[i]) + 0.6 * (ald_random_uniform(&random) - 0.5);
    return ALD_OK;
}

static ald_status name_strips(ald_run *run, view *v)
{
    const ald_dots *points = &v->points;
    const char **names;
    int n = 0;
    ALD_TRY(ald_scratch(run, v->shown + 3, 1, sizeof *names, &names));
    for (; n < v->shown; n++) ALD_TRY(class_name(run, points, n, &names[n]));
    if (points->n_classes > v->shown)
        ALD_TRY(print(run, &names[n++], "%s%lld more", "", points->n_classes - v->shown));
    v->unlabelled_strip = n;
    if (points->kind == ALD_TARGET_NONE) names[n++] = "";
    if (points->n_unlabelled) names[n++] = "unlabelled";
    v->frame.y.names = names;
    v->frame.y.n_names = n;
    return ALD_OK;
}

static ald_status place_on_target(ald_run *run, view *v)
{
    ald_dots *points = &v->points;
    v->on_target = points->kind == ALD_TARGET_REAL;
    v->frame.y.label = v->on_target ? "response" : "";
    if (points->name) v->frame.y.label = points->name;
    v->strips = !v->on_target;
    if (v->strips) ALD_TRY(name_strips(run, v));
    if (v->strips || points->counted) return scatter_strips(run, v);
    points->y = points->hue;
    return ALD_OK;
}

/* A number of labels is whole: so are the ticks, and the strips of the smallest and the largest are there
 * whole. */
static void widen_to_strips(ald_range *range)
{
    if (range->low > range->high) *range = (ald_range){0.0, 1.0};
    range->low = rint(range->low) - 0.5;
    range->high = rint(range->high) + 0.5;
}

static ald_status set_axes(ald_run *run, view *v, int64_t x, int64_t y)
{
    ALD_TRY(component_label(run, v->picture, x, &v->frame.x.label));
    if (y >= 0)
        ALD_TRY(component_label(run, v->picture, y, &v->frame.y.label));
    else
        ALD_TRY(place_on_target(run, v));
    v->frame.x.range = v->frame.y.range = ald_range_empty();
    v->frame.x.padding = v->frame.y.padding = 0.04;
    for (int64_t i = 0; i < v->points.n; i++) {
        if (!ald_row_is_drawn(&v->points, i)) continue;
        ald_range_add(&v->frame.x.range, v->points.x[i]);
        ald_range_add(&v->frame.y.range, v->points.y[i]);
    }
    if (v->with_groups) {
        ALD_TRY(ald_groups_find(run, &v->points, v->shown, &v->groups));
        ald_groups_widen(&v->groups, &v->frame.x.range, &v->frame.y.range);
    }
    v->frame.y.whole = v->on_target && v->points.counted;
    if (v->frame.y.whole) widen_to_strips(&v->frame.y.range);
    return ALD_OK;
}

static int is_coloured_by_number(const view *v)
{
    return v->points.kind == ALD_TARGET_REAL && !v->on_target;
}

static void set_bar(view *v)
{
    ald_range range = ald_range_empty();
    for (int64_t i = 0; i < v->points.n; i++) ald_range_add(&range, v->points.hue[i]);
    v->legend.has_bar = 1;
    const int ticks = v->picture->options.height / 80;
    if (v->points.counted && range.low < range.high)
        v->legend.bar = ald_scale_whole(range.low, range.high, ticks);
    else
        v->legend.bar = ald_scale_cover(range, 0.0, ticks);
    v->legend.bar_title = v->points.name ? v->points.name : "response";
}

static ald_status list_classes(ald_run *run, view *v)
{
    const ald_dots *points = &v->points;
    if (points->name) ald_legend_add(&v->legend, (ald_legend_item){.heading = 1, .text = points->name});
    for (int c = 0; c < v->shown; c++) {
        const ald_mark_look look = ald_class_look(c, points->n_classes);
        ald_legend_item item = {.shape = look.shape, .colour = look.colour};
        ALD_TRY(class_name(run, points, c, &item.text));
        ald_legend_add(&v->legend, item);
    }
    if (points->n_classes <= v->shown) return ALD_OK;
    ald_legend_item others = {.colour = ALD_GREY};
    ALD_TRY(print(run, &others.text, "%s%lld more", "", points->n_classes - v->shown));
    ald_legend_add(&v->legend, others);
    return add_note(run, v, "%lld of %lld classes have a colour", v->shown, points->n_classes);
}

static ald_status set_legend(ald_run *run, view *v)
{
    const ald_dots *points = &v->points;
    const int colour = points->kind == ALD_TARGET_NONE || v->on_target ? ald_class_colour(0) : 0x555555;
    if (points->n_test) {
        ald_legend_item train = {.colour = colour}, test = {.colour = colour, .hollow = 1};
        ALD_TRY(print(run, &train.text, "%s (%lld)", "train", points->n_train));
        ALD_TRY(print(run, &test.text, "%s (%lld)", "test", points->n_test));
        if (points->n_train) ald_legend_add(&v->legend, train);
        ald_legend_add(&v->legend, test);
    }
    if (points->kind == ALD_TARGET_CLASSES && !v->strips) ALD_TRY(list_classes(run, v));
    if (points->n_unlabelled && !v->strips && !v->on_target)
        ald_legend_add(&v->legend, (ald_legend_item){.colour = ALD_GREY, .text = "unlabelled"});
    if (is_coloured_by_number(v)) set_bar(v);
    return ALD_OK;
}

static ald_mark_look choose_look(const view *v, int64_t i)
{
    const double hue = v->points.hue[i];
    if (v->points.kind == ALD_TARGET_NONE || v->on_target) return ald_class_look(0, 1);
    if (isfinite(hue) && v->points.kind == ALD_TARGET_REAL)
        return (ald_mark_look){.colour = ald_ramp_colour(ald_scale_place(&v->legend.bar, hue))};
    if (hue >= 0 && hue < v->shown) return ald_class_look((int)hue, v->points.n_classes);
    return (ald_mark_look){.colour = ALD_GREY};
}

/* In the order given; test rows over the others. */
static ald_status draw_rows(ald_run *run, view *v, int test, ald_svg *svg)
{
    const double radius = ald_mark_radius(v->points.drawn);
    ALD_TRY(ald_svg_group(
        run, svg, test ? "class=\"test\" stroke-width=\"1.3\"" : "class=\"train\" fill-opacity=\"0.8\""));
    for (int64_t at = 0; at < v->points.drawn; at++) {
        const int64_t i = v->points.order[at];
        const char *title = NULL;
        if ((i >= v->points.n_train) != test) continue;
        ald_mark_look look = choose_look(v, i);
        look.hollow = test;
        if (v->points.drawn <= most_titles) ALD_TRY(ald_row_title(run, v->picture, &v->points, i, &title));
        ALD_TRY(ald_svg_mark(run, svg, look, ald_frame_x(&v->frame, v->points.x[i]),
                             ald_frame_y(&v->frame, v->points.y[i]), radius, title));
    }
    return ald_svg_group_end(run, svg);
}

static ald_status choose_rows(ald_run *run, view *v)
{
    const int64_t n = v->points.n, unlabelled = v->on_target ? v->points.n_unlabelled : 0;
    ALD_TRY(ald_row_order(run, &v->points, v->points.kind == ALD_TARGET_CLASSES && !v->strips));
    if (v->points.drawn < v->points.finite)
        ALD_TRY(
            add_note(run, v, "%lld of %lld rows drawn, chosen at random", v->points.drawn, v->points.finite));
    if (unlabelled)
        ALD_TRY(add_note(run, v, "%lld of %lld rows are unlabelled and not drawn", unlabelled, n));
    if (n - v->points.finite > unlabelled)
        ALD_TRY(add_note(run, v, "%lld of %lld rows are not finite and not drawn",
                         n - v->points.finite - unlabelled, n));
    if (v->strips || (v->on_target && v->points.counted))
        ALD_TRY(add_note(run, v, "the height is random, to keep equal rows apart", 0, 0));
    return ALD_OK;
}

static ald_status set_title(ald_run *run, view *v)
{
    const char *method = ald_model_method(v->picture->model);
    v->frame.title = v->picture->options.title;
    if (v->frame.title) return ALD_OK;
    ald_text title;
    ald_text_init(&title, &run->scratch);
    ALD_TRY(ald_text_print(run, &title, "%s by %s", v->with_groups ? "Scores" : "Projection",
                           method ? method : "the model"));
    if (v->points.name) ALD_TRY(ald_text_print(run, &title, ": %s", v->points.name));
    v->frame.title = title.data;
    return ALD_OK;
}

/* Up to `most_classes`, and no more than stand beside the picture, in two columns, with four other lines. */
static int count_shown(const view *v)
{
    const int lines = ald_legend_room(v->picture->options.height);
    const int columns = v->picture->options.width >= 600 ? 2 : 1;
    const int64_t room = ald_within(columns * lines - 4, 1, most_classes);
    return (int)ald_least(v->points.n_classes, room);
}

/* Groups first, then rows where there is room left. */
static ald_status write_names(ald_run *run, view *v, ald_svg *svg)
{
    ald_placer placer;
    int64_t named = 0;
    ALD_TRY(ald_placer_begin(run, v->groups.count + v->points.drawn, &v->frame, &placer));
    ALD_TRY(ald_groups_name(run, &v->groups, &v->frame, &placer, svg));
    ALD_TRY(ald_rows_name(run, v->picture, &v->points, &v->frame, &placer, &named, svg));
    ALD_TRY(add_note(run, v, "ellipses contain 95 %% of a normal class", 0, 0));
    if (named > 0) return add_note(run, v, "%lld of %lld rows have their names", named, v->points.drawn);
    return ALD_OK;
}

static ald_status draw_view(ald_run *run, view *v, ald_svg *svg)
{
    const int width = v->picture->options.width, height = v->picture->options.height;
    ALD_TRY(set_title(run, v));
    ALD_TRY(set_legend(run, v));
    ALD_TRY(choose_rows(run, v));
    v->legend.lines = ald_legend_room(height);
    v->frame.right_margin = ald_legend_width(&v->legend, fmax(width / 3.5, fmin(140, width / 2.0)));
    ALD_TRY(ald_frame_begin(run, &v->frame, svg, width, height));
    if (v->with_groups) ALD_TRY(ald_groups_draw(run, &v->groups, &v->frame, svg));
    ALD_TRY(draw_rows(run, v, 0, svg));
    ALD_TRY(draw_rows(run, v, 1, svg));
    if (v->with_groups) ALD_TRY(write_names(run, v, svg));
    if (v->with_arrows) {
        ALD_TRY(ald_arrows_draw(run, v->picture, &v->frame, v->x, v->y, svg));
        ALD_TRY(add_note(run, v, "arrows: correlations of columns with the components, the longest", 0, 0));
    }
    ALD_TRY(ald_legend_draw(run, &v->legend, &v->frame, svg));
    return v->note.length ? ald_frame_note(run, &v->frame, svg, v->note.data) : ALD_OK;
}

static ald_status draw_projected(ald_run *run, const ald_picture *picture, view v, ald_svg *svg)
{
    if (!picture->data && !picture->test)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a plot of the projection needs rows to project: give a data file");
    v.picture = picture;
    ald_text_init(&v.note, &run->scratch);
    ALD_TRY(choose_components(run, picture, &v.x, &v.y));
    if ((v.with_groups || v.with_arrows) && v.y < 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "a plot of scores needs two components and the model has one: draw the projection");
    ALD_TRY(ald_dots_gather(run, picture, v.x, v.y, &v.points));
    v.shown = count_shown(&v);
    ALD_TRY(set_axes(run, &v, v.x, v.y));
    return draw_view(run, &v, svg);
}

ald_status ald_draw_projection(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    return draw_projected(run, picture, (view){0}, svg);
}

ald_status ald_draw_scores(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    return draw_projected(run, picture, (view){.with_groups = 1}, svg);
}

ald_status ald_draw_biplot(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    return draw_projected(run, picture, (view){.with_arrows = 1}, svg);
}
