/* Rows as points: their places and hues from the datasets, their titles, and the order in which they are
 * drawn. */
#include "show/plotting/dots.h"

#include "base/numbers/number.h"
#include "base/numbers/random.h"
#include "io/table/partition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double value_at(const ald_matrix *m, int64_t at)
{
    return m->type == ALD_F32 ? (double)((const float *)m->values)[at] : ((const double *)m->values)[at];
}

static int64_t whole_at(const void *list, int bits, int64_t at)
{
    return bits == 32 ? ((const int32_t *)list)[at] : ((const int64_t *)list)[at];
}

/* Columns from .. to - 1 of each row summed into sums[rows]; `count` counts what is not 0 instead. */
static void sum_dense(const ald_matrix *m, int64_t from, int64_t to, int count, double *sums)
{
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = from; j < to; j++) {
            const double value = value_at(m, i * m->row_stride + j * m->col_stride);
            sums[i] += count ? (value != 0.0) : value;
        }
}

static void sum_sparse(const ald_matrix *m, int64_t from, int64_t to, int count, double *sums)
{
    const int64_t outer = m->storage == ALD_CSR ? m->rows : m->cols;
    for (int64_t o = 0; o < outer; o++) {
        const int64_t end = whole_at(m->pointers, m->index_bits, o + 1);
        for (int64_t at = whole_at(m->pointers, m->index_bits, o); at < end; at++) {
            const int64_t inner = whole_at(m->indices, m->index_bits, at);
            const int64_t i = m->storage == ALD_CSR ? o : inner, j = m->storage == ALD_CSR ? inner : o;
            if (j < from || j >= to) continue;
            sums[i] += count ? (value_at(m, at) != 0.0) : value_at(m, at);
        }
    }
}

static void sum_columns(const ald_matrix *m, int64_t from, int64_t to, int count, double *sums)
{
    memset(sums, 0, (size_t)m->rows * sizeof *sums);
    (m->storage == ALD_DENSE ? sum_dense : sum_sparse)(m, from, to, count, sums);
}

/* A method without a map for new rows has the projection of its own rows in the model. */
static const double *stored_projection(const ald_picture *picture, const ald_dataset *data)
{
    const char *map = ald_model_text(picture->model, "alidade.map");
    if (data != picture->data || !map || strcmp(map, "none") != 0) return NULL;
    return ald_model_reals(picture->model, "embedding", data->x.rows,
                           ald_model_component_count(picture->model));
}

ald_status ald_picture_project(ald_run *run, const ald_picture *picture, const ald_dataset *data,
                               const double **z)
{
    *z = stored_projection(picture, data);
    if (*z) return ALD_OK;
    double *made;
    ALD_TRY(ald_scratch_reals(run, data->x.rows, ald_model_component_count(picture->model), &made));
    *z = made;
    return ald_transform(picture->context, picture->model, &data->x, made, run->error);
}

static ald_status take_components(ald_run *run, const ald_picture *picture, const ald_dataset *data,
                                  int64_t x, int64_t y, int64_t start, ald_dots *points)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const double *z;
    ALD_TRY(ald_picture_project(run, picture, data, &z));
    const int64_t r = ald_model_component_count(picture->model);
    for (int64_t i = 0; i < data->x.rows; i++) {
        points->x[start + i] = z[i * r + x];
        if (y >= 0) points->y[start + i] = z[i * r + y];
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static void take_hue(const ald_target *target, const ald_plot_options *options, double *hue)
{
    if (target->kind == ALD_TARGET_CLASSES)
        for (int64_t i = 0; i < target->rows; i++) hue[i] = target->classes[i];
    else if (target->kind == ALD_TARGET_LABELS && !options->by_label)
        sum_columns(&target->values, 0, target->values.cols, 1, hue);
    else
        sum_columns(&target->values, options->response, options->response + 1, 0, hue);
    for (int64_t i = 0; target->labelled && i < target->rows; i++)
        if (!target->labelled[i]) hue[i] = NAN;
}

static ald_status check_response(ald_run *run, const ald_target *target, const ald_plot_options *options)
{
    const int many =
        target->kind == ALD_TARGET_REAL || (target->kind == ALD_TARGET_LABELS && options->by_label);
    if (!many || (options->response >= 0 && options->response < target->values.cols)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "colouring by response %lld was requested, but the data have %lld",
                    (long long)options->response + 1, (long long)target->values.cols);
}

static const char *response_name(const ald_dataset *data, int64_t index)
{
    if (data->response_names) return data->response_names[index];
    const int numbered = data->target.kind == ALD_TARGET_CLASSES || !data->target.names;
    return numbered ? NULL : data->target.names[index];
}

/* One label as two classes. */
static ald_status split_label(ald_run *run, ald_dots *points)
{
    const char **names;
    ald_text without;
    ALD_TRY(ald_scratch(run, 2, 1, sizeof *names, &names));
    ald_text_init(&without, &run->scratch);
    ALD_TRY(ald_text_print(run, &without, "not %s", points->name ? points->name : "labelled so"));
    names[0] = without.data;
    names[1] = points->name ? points->name : "labelled so";
    points->names = names;
    points->n_classes = 2;
    points->kind = ALD_TARGET_CLASSES;
    return ALD_OK;
}

static ald_status dots_describe(ald_run *run, const ald_dataset *data, const ald_plot_options *options,
                                ald_dots *points)
{
    const ald_target *target = &data->target;
    points->kind = target->kind;
    if (target->kind == ALD_TARGET_CLASSES) {
        points->name = response_name(data, 0);
        points->names = target->names;
        points->n_classes = target->n_classes;
    } else if (target->kind == ALD_TARGET_LABELS && !options->by_label) {
        points->name = "number of labels";
        points->counted = 1;
        points->kind = ALD_TARGET_REAL;
    } else {
        points->name = response_name(data, options->response);
        if (target->kind == ALD_TARGET_LABELS) return split_label(run, points);
    }
    return ALD_OK;
}

/* A class code must mean the same in both, or colours would lie. */
static ald_status check_agreement(ald_run *run, const ald_target *data, const ald_target *test)
{
    if (data->kind != test->kind)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the test rows have another kind of target than the training rows; read them like the model");
    const int64_t common = data->n_classes < test->n_classes ? data->n_classes : test->n_classes;
    if (data->kind != ALD_TARGET_CLASSES || !data->names || !test->names) return ALD_OK;
    for (int64_t c = 0; c < common; c++)
        if (strcmp(data->names[c], test->names[c]) != 0)
            return ald_fail(
                run->error, ALD_ERROR_DATA,
                "class %lld is '%.60s' in the training rows and '%.60s' in the test rows; read them like "
                "the model",
                (long long)c + 1, data->names[c], test->names[c]);
    return ALD_OK;
}

static int has_target(const ald_dataset *data)
{
    return data && data->target.kind != ALD_TARGET_NONE;
}

/* Names come from the set that knows more classes. */
static ald_status describe_all(ald_run *run, const ald_picture *picture, ald_dots *points)
{
    const ald_dataset *data = picture->data, *test = picture->test, *naming = has_target(data) ? data : test;
    if (!has_target(naming)) return ALD_OK;
    if (has_target(data) && has_target(test)) {
        ALD_TRY(check_agreement(run, &data->target, &test->target));
        if (test->target.n_classes > data->target.n_classes) naming = test;
    }
    return dots_describe(run, naming, &picture->options, points);
}

static ald_status take_rows(ald_run *run, const ald_picture *picture, const ald_dataset *data, int64_t x,
                            int64_t y, int64_t start, ald_dots *points)
{
    if (!data) return ALD_OK;
    ALD_TRY(take_components(run, picture, data, x, y, start, points));
    for (int64_t i = 0; i < data->x.rows; i++) points->hue[start + i] = NAN;
    if (!has_target(data)) return ALD_OK;
    ALD_TRY(check_response(run, &data->target, &picture->options));
    take_hue(&data->target, &picture->options, points->hue + start);
    return ALD_OK;
}

ald_status ald_dots_gather(ald_run *run, const ald_picture *picture, int64_t x, int64_t y, ald_dots *points)
{
    memset(points, 0, sizeof *points);
    points->n_train = picture->data ? picture->data->x.rows : 0;
    points->n_test = picture->test ? picture->test->x.rows : 0;
    points->n = points->n_train + points->n_test;
    ALD_TRY(ALD_SCRATCH(run, {&points->x, points->n, 1}, {&points->hue, points->n, 1}));
    if (y >= 0) ALD_TRY(ald_scratch_reals(run, points->n, 1, &points->y));
    ALD_TRY(take_rows(run, picture, picture->data, x, y, 0, points));
    ALD_TRY(take_rows(run, picture, picture->test, x, y, points->n_train, points));
    ALD_TRY(describe_all(run, picture, points));
    for (int64_t i = 0; points->kind != ALD_TARGET_NONE && i < points->n; i++)
        points->n_unlabelled += !isfinite(points->hue[i]);
    return ALD_OK;
}

ald_status ald_row_label(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **label)
{
    const int test = i >= points->n_train;
    const ald_dataset *rows = test ? picture->test : picture->data;
    const int64_t own = test ? i - points->n_train : i;
    ald_text text;
    *label = rows && rows->row_names ? rows->row_names[own] : NULL;
    if (*label) return ALD_OK;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%lld", (long long)own + 1));
    *label = text.data;
    return ALD_OK;
}

/* Four digits, whatever the locale. */
static void short_number(double value, char text[ALD_REAL_TEXT_SIZE])
{
    const double size = value == 0.0 || !isfinite(value) ? 1.0 : pow(10.0, 3.0 - floor(log10(fabs(value))));
    const double rounded = isfinite(size) && isfinite(value * size) ? rint(value * size) / size : value;
    ald_format_real(rounded, text);
}

static ald_status add_target(ald_run *run, const ald_dots *points, int64_t i, ald_text *text)
{
    const double hue = points->hue[i];
    char number[ALD_REAL_TEXT_SIZE];
    if (points->kind == ALD_TARGET_NONE) return ALD_OK;
    if (!isfinite(hue)) return ald_text_print(run, text, ": unlabelled");
    if (points->kind == ALD_TARGET_CLASSES && points->names && points->names[(int64_t)hue])
        return ald_text_print(run, text, ": %.80s", points->names[(int64_t)hue]);
    short_number(points->kind == ALD_TARGET_CLASSES ? hue + 1.0 : hue, number);
    return ald_text_print(run, text, points->kind == ALD_TARGET_CLASSES ? ": class %s" : ": %s", number);
}

ald_status ald_row_title(ald_run *run, const ald_picture *picture, const ald_dots *points, int64_t i,
                         const char **title)
{
    char x[ALD_REAL_TEXT_SIZE], y[ALD_REAL_TEXT_SIZE];
    const char *label;
    ald_text text;
    ALD_TRY(ald_row_label(run, picture, points, i, &label));
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%.80s", label));
    ALD_TRY(add_target(run, points, i, &text));
    short_number(points->x[i], x);
    short_number(points->y[i], y);
    ALD_TRY(ald_text_print(run, &text, " (%s, %s)", x, y));
    *title = text.data;
    return ALD_OK;
}

enum { seed = 1 };

int ald_row_is_drawn(const ald_dots *points, int64_t i)
{
    return isfinite(points->x[i]) && isfinite(points->y[i]);
}

double ald_mark_radius(int64_t drawn)
{
    if (drawn <= 200) return 4.0;
    if (drawn <= 1000) return 3.0;
    return drawn <= 5000 ? 2.2 : 1.6;
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

/* Classes of the same size stay mixed. */
static ald_status put_rare_last(ald_run *run, const ald_dots *points)
{
    class_sizes c = {.hue = points->hue, .n_classes = points->n_classes};
    ALD_TRY(ald_scratch(run, c.n_classes, 1, sizeof *c.sizes, &c.sizes));
    for (int64_t k = 0; k < c.n_classes; k++) c.sizes[k] = 0;
    for (int64_t at = 0; at < points->drawn; at++)
        if (size_of_class(&c, points->order[at]) < INT64_MAX) c.sizes[(int64_t)c.hue[points->order[at]]]++;
    return ald_order_sort(run, points->drawn, points->order, compare_sizes, &c);
}

ald_status ald_row_order(ald_run *run, ald_dots *points, int rare_last)
{
    ald_random random;
    ALD_TRY(ald_scratch(run, points->n, 1, sizeof *points->order, &points->order));
    ald_random_seed(&random, seed, 1);
    ald_random_permutation(&random, points->n, points->order);
    points->finite = 0;
    for (int64_t at = 0; at < points->n; at++)
        if (ald_row_is_drawn(points, points->order[at])) points->order[points->finite++] = points->order[at];
    points->drawn = points->finite < ALD_MOST_MARKS ? points->finite : ALD_MOST_MARKS;
    return rare_last ? put_rare_last(run, points) : ALD_OK;
}
