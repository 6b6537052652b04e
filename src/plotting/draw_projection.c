/* Rows in the plane of two components, coloured by the target. With one component the target is the other
 * axis: a number as it is, a class or a number of labels as a strip in which the rows are scattered. */
#include "numbers/ordering.h"
#include "numbers/random.h"
#include "plotting/colour.h"
#include "plotting/dots.h"
#include "plotting/legend.h"
#include "table/order.h"

#include <math.h>
#include <stdio.h>

/* Above `most_marks` a random part is drawn: pictures stay below about 2 MB. */
enum { most_marks = 20000, most_classes = ALD_CLASS_COLOURS * ALD_SHAPES - 1, seed = 1 };

typedef struct view {
    const ald_picture *picture;
    ald_dots points;
    ald_frame frame;
    ald_legend legend;
    int shown;     /* classes with a colour of their own */
    int on_target; /* one component and a number to place the rows by */
    int strips;    /* one component and no such number */
    int64_t unlabelled_strip;
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
                        "component %lld was asked for, the model has 1 to %lld", (long long)wrong,
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

static int is_drawn(const view *v, int64_t i)
{
    const ald_dots *points = &v->points;
    return isfinite(points->x[i]) && isfinite(points->y[i]);
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
        if (!is_drawn(v, i)) continue;
        ald_range_add(&v->frame.x.range, v->points.x[i]);
        ald_range_add(&v->frame.y.range, v->points.y[i]);
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
        ald_legend_item item = {.shape = (ald_shape)(c / ALD_CLASS_COLOURS), .colour = ald_class_colour(c)};
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

static void choose_look(const view *v, int64_t i, ald_shape *shape, int *colour)
{
    const double hue = v->points.hue[i];
    *shape = ALD_CIRCLE;
    *colour = ald_class_colour(0);
    if (v->points.kind == ALD_TARGET_NONE || v->on_target) return;
    *colour = ALD_GREY;
    if (!isfinite(hue)) return;
    if (v->points.kind == ALD_TARGET_REAL) {
        *colour = ald_ramp_colour(ald_scale_place(&v->legend.bar, hue));
    } else if (hue >= 0 && hue < v->shown) {
        *colour = ald_class_colour((int)hue);
        *shape = (ald_shape)((int)hue / ALD_CLASS_COLOURS);
    }
}

static double mark_radius(int64_t n)
{
    if (n <= 200) return 4.0;
    if (n <= 1000) return 3.0;
    return n <= 5000 ? 2.2 : 1.6;
}

/* In the order given; test rows over the others. */
static ald_status draw_rows(ald_run *run, view *v, const int64_t *order, int64_t drawn, int test,
                            ald_svg *svg)
{
    const double radius = mark_radius(drawn);
    ALD_TRY(ald_svg_group(
        run, svg, test ? "class=\"test\" stroke-width=\"1.3\"" : "class=\"train\" fill-opacity=\"0.8\""));
    for (int64_t at = 0; at < drawn; at++) {
        const int64_t i = order[at];
        if ((i >= v->points.n_train) != test) continue;
        ald_shape shape;
        int colour;
        choose_look(v, i, &shape, &colour);
        ALD_TRY(ald_svg_mark(run, svg, shape, test, ald_frame_x(&v->frame, v->points.x[i]),
                             ald_frame_y(&v->frame, v->points.y[i]), radius, colour));
    }
    return ald_svg_group_end(run, svg);
}

/* How many of the drawn rows are of each class. */
typedef struct class_sizes {
    const double *hue;
    int64_t n_classes;
    int64_t *sizes;
} class_sizes;

/* INT64_MAX: unlabelled. */
static int64_t size_of_class(const class_sizes *c, int64_t row)
{
    const double hue = c->hue[row];
    return isfinite(hue) && hue >= 0 && hue < (double)c->n_classes ? c->sizes[(int64_t)hue] : INT64_MAX;
}

static int compare_sizes(const void *context, int64_t a, int64_t b)
{
    const int64_t x = size_of_class(context, a), y = size_of_class(context, b);
    return (x < y) - (x > y);
}

/* Rows of rare classes come last and so lie on top; classes of the same size stay mixed. */
static ald_status put_rare_last(ald_run *run, const view *v, int64_t *order, int64_t drawn)
{
    class_sizes c = {.hue = v->points.hue, .n_classes = v->points.n_classes};
    if (v->points.kind != ALD_TARGET_CLASSES || v->strips) return ALD_OK;
    ALD_TRY(ald_scratch(run, c.n_classes, 1, sizeof *c.sizes, &c.sizes));
    for (int64_t k = 0; k < c.n_classes; k++) c.sizes[k] = 0;
    for (int64_t at = 0; at < drawn; at++)
        if (size_of_class(&c, order[at]) < INT64_MAX) c.sizes[(int64_t)c.hue[order[at]]]++;
    return ald_order_sort(run, drawn, order, compare_sizes, &c);
}

/* At random, so that no class hides the others because it comes last in the file. */
static ald_status choose_rows(ald_run *run, view *v, int64_t **order, int64_t *drawn)
{
    const int64_t n = v->points.n;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **order, order));
    ald_random random;
    ald_random_seed(&random, seed, 1);
    ald_random_permutation(&random, n, *order);
    int64_t finite = 0;
    for (int64_t at = 0; at < n; at++)
        if (is_drawn(v, (*order)[at])) (*order)[finite++] = (*order)[at];
    *drawn = finite < most_marks ? finite : most_marks;
    if (*drawn < finite)
        ALD_TRY(add_note(run, v, "%lld of %lld rows drawn, chosen at random", *drawn, finite));
    const int64_t unlabelled = v->on_target ? v->points.n_unlabelled : 0;
    if (unlabelled)
        ALD_TRY(add_note(run, v, "%lld of %lld rows are unlabelled and not drawn", unlabelled, n));
    if (n - finite > unlabelled)
        ALD_TRY(
            add_note(run, v, "%lld of %lld rows are not finite and not drawn", n - finite - unlabelled, n));
    return put_rare_last(run, v, *order, *drawn);
}

static ald_status set_title(ald_run *run, view *v)
{
    const char *method = ald_model_method(v->picture->model);
    v->frame.title = v->picture->options.title;
    if (v->frame.title) return ALD_OK;
    ald_text title;
    ald_text_init(&title, &run->scratch);
    ALD_TRY(ald_text_print(run, &title, "Projection by %s", method ? method : "the model"));
    if (v->points.name) ALD_TRY(ald_text_print(run, &title, ": %s", v->points.name));
    v->frame.title = title.data;
    return ALD_OK;
}

/* Up to `most_classes`, and no more than stand beside the picture with four other lines. */
static int count_shown(const view *v)
{
    const int64_t room = ald_within(ald_legend_room(v->picture->options.height) - 4, 1, most_classes);
    return (int)ald_least(v->points.n_classes, room);
}

static ald_status draw_view(ald_run *run, view *v, ald_svg *svg)
{
    int64_t *order, drawn = 0;
    const int width = v->picture->options.width, height = v->picture->options.height;
    ALD_TRY(set_title(run, v));
    ALD_TRY(set_legend(run, v));
    ALD_TRY(choose_rows(run, v, &order, &drawn));
    v->frame.right_margin = ald_legend_width(&v->legend, fmax(width / 3.5, fmin(140, width / 2.0)));
    ALD_TRY(ald_frame_begin(run, &v->frame, svg, width, height));
    ALD_TRY(draw_rows(run, v, order, drawn, 0, svg));
    ALD_TRY(draw_rows(run, v, order, drawn, 1, svg));
    ALD_TRY(ald_legend_draw(run, &v->legend, &v->frame, svg));
    return v->note.length ? ald_frame_note(run, &v->frame, svg, v->note.data) : ALD_OK;
}

ald_status ald_draw_projection(ald_run *run, const ald_picture *picture, ald_svg *svg)
{
    if (!picture->data && !picture->test)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a plot of the projection needs rows to project: give a data file");
    int64_t x = 0, y = 0;
    view v = {.picture = picture};
    ald_text_init(&v.note, &run->scratch);
    ALD_TRY(choose_components(run, picture, &x, &y));
    ALD_TRY(ald_dots_gather(run, picture, x, y, &v.points));
    v.shown = count_shown(&v);
    ALD_TRY(set_axes(run, &v, x, y));
    return draw_view(run, &v, svg);
}
