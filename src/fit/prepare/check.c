/* Checks of what a caller passes: views and targets by themselves, against each other, and against the
 * method. */
#include "fit/prepare/check.h"

#include "base/core/known_rows.h"
#include "base/settings/common_params.h"
#include "data/arrays/arrays.h"
#include "math/operator/entry.h"
#include "math/operator/operator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ald_status wrong(ald_run *run, const char *what, const char *why)
{
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: %s", what, why);
}

static int64_t index_at(const void *indices, int bits, int64_t at)
{
    return bits == 32 ? ((const int32_t *)indices)[at] : ((const int64_t *)indices)[at];
}

static ald_status check_dense(ald_run *run, const ald_matrix *x, const char *what)
{
    if (!x->values) return wrong(run, what, "there are no values");
    if ((x->rows > 1 && x->row_stride == 0) || (x->cols > 1 && x->col_stride == 0))
        return wrong(run, what, "a stride is 0");
    return ALD_OK;
}

/* The lengths of the arrays as the caller gives them; nothing behind them is read. */
static ald_status check_lengths(ald_run *run, const ald_matrix *x, const char *what, int64_t slices)
{
    if (x->n_pointers < 0 || x->n_values < 0) return wrong(run, what, "n_pointers or n_values is negative");
    if (x->n_pointers > 0 && x->n_pointers <= slices)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "%s: there are %lld pointers, but %lld %s require %lld", what,
                        (long long)x->n_pointers, (long long)slices,
                        x->storage == ALD_CSR ? "rows" : "columns", (long long)slices + 1);
    const int64_t entries = index_at(x->pointers, x->index_bits, slices);
    if (x->n_values == 0 || entries <= x->n_values) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "%s: the last pointer is %lld, but there are %lld values",
                    what, (long long)entries, (long long)x->n_values);
}

static ald_status check_sparse(ald_run *run, const ald_matrix *x, const char *what)
{
    const int64_t slices = x->storage == ALD_CSR ? x->rows : x->cols,
                  bound = x->storage == ALD_CSR ? x->cols : x->rows;
    const int bits = x->index_bits;
    if (bits != 32 && bits != 64) return wrong(run, what, "index_bits is 32 or 64");
    if (!x->pointers) return wrong(run, what, "there are no row or column pointers");
    ALD_TRY(check_lengths(run, x, what, slices));
    if (index_at(x->pointers, bits, 0) != 0) return wrong(run, what, "the first pointer is not 0");
    for (int64_t s = 0; s < slices; s++)
        if (index_at(x->pointers, bits, s + 1) < index_at(x->pointers, bits, s))
            return wrong(run, what, "the pointers decrease");
    const int64_t entries = index_at(x->pointers, bits, slices);
    if (entries > 0 && (!x->indices || !x->values)) return wrong(run, what, "there are no indices or values");
    for (int64_t s = 0; s < slices; s++) {
        int64_t before = -1;
        for (int64_t e = index_at(x->pointers, bits, s); e < index_at(x->pointers, bits, s + 1); e++) {
            const int64_t index = index_at(x->indices, bits, e);
            if (index <= before || index >= bound)
                return wrong(run, what,
                             "the indices of a row or column are out of range or not strictly increasing");
            before = index;
        }
    }
    return ALD_OK;
}

ald_status ald_check_matrix(ald_run *run, const ald_matrix *x, const char *what)
{
    if (!x) return wrong(run, what, "it is NULL");
    if (x->rows < 1 || x->cols < 1) return wrong(run, what, "it has no rows or no columns");
    if (x->type != ALD_F64 && x->type != ALD_F32) return wrong(run, what, "its type is neither f64 nor f32");
    size_t bytes;
    if (x->storage == ALD_DENSE && !ald_size_product(x->rows, x->cols, sizeof(double), &bytes))
        return wrong(run, what, "rows times columns is more than memory can address");
    if (x->storage == ALD_DENSE) return check_dense(run, x, what);
    if (x->storage == ALD_CSR || x->storage == ALD_CSC) return check_sparse(run, x, what);
    return wrong(run, what, "its storage is not dense, CSR or CSC");
}

enum { place_size = 100 };

/* " ('fat')", or nothing without names. */
static const char *name_place(const char *const *names, int64_t at, char *text)
{
    text[0] = '\0';
    if (names && names[at] && *names[at]) snprintf(text, place_size, " ('%.90s')", names[at]);
    return text;
}

ald_status ald_check_finite(ald_run *run, const ald_matrix *x, const char *what)
{
    int64_t row, column;
    ALD_TRY(ald_matrix_find_bad(run, x, &row, &column));
    if (row < 0) return ALD_OK;
    char row_name[place_size], column_name[place_size];
    return ald_fail(run->error, ALD_ERROR_DATA, "%s: row %lld%s, column %lld%s is not a finite number", what,
                    (long long)ald_row_number(run, x, row), name_place(run->row_names, row, row_name),
                    (long long)column + 1, name_place(run->feature_names, column, column_name));
}

static const struct {
    ald_target_kind kind;
    unsigned capability;
    const char *name;
} target_kinds[] = {
    {ALD_TARGET_NONE, ALD_CAN_NO_TARGET, "no target"},
    {ALD_TARGET_CLASSES, ALD_CAN_CLASSES, "classes"},
    {ALD_TARGET_REAL, ALD_CAN_REAL, "a real response"},
    {ALD_TARGET_LABELS, ALD_CAN_LABELS, "several labels"},
};

/* What to do where the target could be read in a way that the method takes. */
static const char *other_task(const ald_target *y, const ald_method *method)
{
    if (y->events) return ": use a method for numbers, such as pls";
    if (y->kind == ALD_TARGET_REAL && y->values.cols == 1 && (method->capabilities & ALD_CAN_CLASSES))
        return ": if its numbers stand for classes, give `task=classification`; otherwise use a method for "
               "numbers, such as pls";
    if (y->kind == ALD_TARGET_CLASSES && (method->capabilities & ALD_CAN_REAL))
        return ": if the classes are numbers, give `task=regression`; otherwise use a method for classes, "
               "such as lda";
    if (y->kind == ALD_TARGET_REAL && y->values.cols > 1 && (method->capabilities & ALD_CAN_LABELS))
        return ": if they are labels, give `task=multilabel`; otherwise use a method for numbers, such as "
               "pls";
    return ": use a method that can, such as pls";
}

static const char *kind_name(const ald_target *y, const char *usual)
{
    if (y->events) return "times with events";
    return y->kind == ALD_TARGET_REAL && y->values.cols > 1 ? "several responses" : usual;
}

ald_status ald_check_columns(ald_run *run, const ald_model *model, const ald_matrix *x)
{
    if (ald_model_text(model, ALD_ONLY_STATISTICS))
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the model was fitted to rows of one class and holds their statistics only: merge it with "
            "models of rows of other classes, or add such rows by an update");
    if (x->cols == ald_model_feature_count(model)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "the data have %lld columns, but the model was fitted on %lld: use the same columns",
                    (long long)x->cols, (long long)ald_model_feature_count(model));
}

ald_status ald_check_storage(ald_run *run, const ald_matrix *x, const ald_method *method)
{
    if (x->storage == ALD_DENSE || method->capabilities & ALD_CAN_SPARSE) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "%s cannot take sparse X: make it dense, or use a method that can, such as pls",
                    method->name);
}

ald_status ald_check_kind(ald_run *run, const ald_target *y, const ald_method *method)
{
    for (size_t i = 0; i < sizeof target_kinds / sizeof *target_kinds; i++) {
        if (target_kinds[i].kind != y->kind) continue;
        if (y->kind == ALD_TARGET_REAL && y->values.cols > 1 &&
            (method->capabilities & (ALD_CAN_REAL | ALD_CAN_RESPONSES)) == ALD_CAN_REAL)
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "%s takes one response, not %lld: name one column (`target`)", method->name,
                            (long long)y->values.cols);
        if (method->capabilities & target_kinds[i].capability) return ALD_OK;
        if (y->kind == ALD_TARGET_NONE)
            return ald_fail(run->error, ALD_ERROR_DATA, "%s needs a target: name its column (`target`)",
                            method->name);
        return ald_fail(run->error, ALD_ERROR_DATA, "%s cannot take %s as its target%s", method->name,
                        kind_name(y, target_kinds[i].name), other_task(y, method));
    }
    return wrong(run, "target", "its kind is unknown");
}

/* A row of weight 0 is left out. */
static int weighs(const ald_target *y, int64_t row)
{
    return !y->weights || y->weights[row] > 0.0;
}

/* Rows without a target and rows of weight 0 say nothing about it. */
static int counts(const ald_target *y, int64_t row)
{
    return (!y->labelled || y->labelled[row]) && weighs(y, row);
}

static ald_status check_classes(ald_run *run, const ald_target *y, int to_learn)
{
    if (!y->classes || y->n_classes < 1) return wrong(run, "target", "there are no classes");
    int64_t first = -1;
    int several = 0;
    for (int64_t i = 0; i < y->rows; i++) {
        if (y->labelled && !y->labelled[i]) continue;
        if (y->classes[i] < 0 || y->classes[i] >= y->n_classes)
            return ald_fail(
                run->error, ALD_ERROR_ARGUMENT, "target: row %lld has class code %d, outside 0 .. %lld",
                (long long)ald_target_row_number(run, y, i), y->classes[i], (long long)y->n_classes - 1);
        if (!counts(y, i)) continue;
        if (first >= 0 && y->classes[i] != first) several = 1;
        if (first < 0) first = y->classes[i];
    }
    /* their statistics are of use beside those of others */
    if (to_learn && !several && !ald_common_settings_of(run->settings).keep_statistics)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "target: all rows are of one class, so there is nothing to distinguish");
    return ALD_OK;
}

/* The values of a target by rows, whatever their storage; sparse ones are labels, which are few. */
typedef struct value_check {
    const ald_target *y;
    double *first;          /* of each column among the rows that count */
    unsigned char *started; /* of each column */
    int varies;
    int64_t bad_row, bad_column; /* not finite, or not 0 or 1 for labels; -1: none */
} value_check;

static void look_at_value(value_check *c, int64_t row, int64_t column, double value)
{
    if (c->y->labelled && !c->y->labelled[row]) return;
    const int bad = !isfinite(value) || (c->y->kind == ALD_TARGET_LABELS && value != 0.0 && value != 1.0);
    if (bad && c->bad_row < 0) {
        c->bad_row = row;
        c->bad_column = column;
    }
    if (!counts(c->y, row)) return;
    if (c->started[column] && value != c->first[column]) c->varies = 1;
    c->started[column] = 1;
    c->first[column] = value;
}

static ald_status look_at_all(ald_run *run, const ald_matrix *v, value_check *c)
{
    const ald_operator plain = {.x = *v};
    double *unit, *column;
    ALD_TRY(ald_scratch_zeros(run, v->cols, 1, &unit));
    ALD_TRY(ald_scratch_reals(run, v->rows, 1, &column));
    for (int64_t j = 0; j < v->cols; j++) {
        unit[j] = 1.0;
        if (v->storage == ALD_DENSE)
            for (int64_t i = 0; i < v->rows; i++) {
                const int64_t at = i * v->row_stride + j * v->col_stride;
                column[i] = v->type == ALD_F64 ? ((const double *)v->values)[at]
                                               : (double)((const float *)v->values)[at];
            }
        else
            ALD_TRY(ald_operator_apply(run, &plain, ald_of(unit, v->cols, 1), ald_at(column, v->rows, 1)));
        for (int64_t i = 0; i < v->rows; i++) look_at_value(c, i, j, column[i]);
        unit[j] = 0.0;
    }
    return ALD_OK;
}

/* The same of dense numbers that every row has, by rows and threads. */
static ald_status look_at_numbers(ald_run *run, const ald_matrix *v, value_check *c)
{
    int64_t first = 0;
    ALD_TRY(ald_matrix_find_bad(run, v, &c->bad_row, &c->bad_column));
    while (first < v->rows && !weighs(c->y, first)) first++;
    for (int64_t i = first + 1; i < v->rows && !c->varies; i++)
        for (int64_t j = 0; weighs(c->y, i) && j < v->cols; j++)
            c->varies |= ald_matrix_at(v, i, j) != ald_matrix_at(v, first, j);
    return ALD_OK;
}

/* Some response varies, all are finite, and labels are 0 or 1. */
static ald_status check_values(ald_run *run, const ald_target *y, int to_learn)
{
    const ald_matrix *v = &y->values;
    value_check c = {.y = y, .bad_row = -1};
    ALD_TRY(ald_check_matrix(run, v, "target"));
    if (v->rows != y->rows) return wrong(run, "target", "its values have another number of rows");
    if (v->storage != ALD_DENSE) ALD_TRY(ald_check_finite(run, v, "target"));
    ALD_TRY(ald_scratch_reals(run, v->cols, 1, &c.first));
    ALD_TRY(ald_scratch_clear(run, v->cols, 1, 1, &c.started));
    const int plain = y->kind == ALD_TARGET_REAL && v->storage == ALD_DENSE && !y->labelled;
    ALD_TRY((plain ? look_at_numbers : look_at_all)(run, v, &c));
    if (c.bad_row >= 0)
        return ald_fail(run->error, ALD_ERROR_DATA, "target: row %lld, column %lld is not %s",
                        (long long)ald_target_row_number(run, y, c.bad_row), (long long)c.bad_column + 1,
                        y->kind == ALD_TARGET_LABELS ? "0 or 1, as labels are" : "a finite number");
    if (to_learn && !c.varies)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "target: it has the same value in every row, so there is nothing to explain");
    return ALD_OK;
}

static ald_status check_weights(ald_run *run, const ald_target *y, const ald_method *method)
{
    double sum = 0.0;
    if (!y->weights) return ALD_OK;
    if (!(method->capabilities & ALD_CAN_WEIGHTS))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "%s does not support weights: leave them out",
                        method->name);
    for (int64_t i = 0; i < y->rows; i++) {
        if (!(y->weights[i] >= 0.0) || !isfinite(y->weights[i]))
            return ald_fail(run->error, ALD_ERROR_DATA, "weights: row %lld has %g; a weight is a number >= 0",
                            (long long)ald_target_row_number(run, y, i), y->weights[i]);
        sum += y->weights[i];
    }
    if (sum > 0.0 && isfinite(sum)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    sum > 0.0 ? "weights: their sum is too large"
                              : "weights: all are zero, so no row counts");
}

int64_t ald_count_unlabelled(const ald_target *y, int64_t *rows)
{
    int64_t missing = 0;
    *rows = 0;
    for (int64_t i = 0; y->labelled && i < y->rows; i++) {
        *rows += weighs(y, i);
        missing += weighs(y, i) && !y->labelled[i];
    }
    return missing;
}

static ald_status check_labelled(ald_run *run, const ald_target *y, const ald_method *method)
{
    int64_t rows;
    const int64_t missing = ald_count_unlabelled(y, &rows);
    if (missing > 0 && missing == rows)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "none of the %lld rows has a target: there is nothing to learn from",
                        (long long)rows);
    if (missing == 0 || (method->capabilities & ALD_CAN_UNLABELLED)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "%lld of %lld rows %s no target, and %s cannot use such rows: leave them out "
                    "(`unlabelled_rows=drop`)",
                    (long long)missing, (long long)rows, missing == 1 ? "has" : "have", method->name);
}

/* Times are 0 or more, events 0 or 1, and somebody died. */
static ald_status check_events(ald_run *run, const ald_target *y, int to_learn)
{
    const ald_matrix *v = &y->values;
    int64_t deaths = 0;
    if (!y->events) return ALD_OK;
    if (y->kind != ALD_TARGET_REAL || v->storage != ALD_DENSE || v->cols != 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "events belong to one column of times: name one column as the target (`target`)");
    for (int64_t i = 0; i < y->rows; i++) {
        if (y->labelled && !y->labelled[i]) continue;
        const double time = ald_matrix_value(v, i * v->row_stride);
        if (!(time >= 0.0) || y->events[i] > 1)
            return ald_fail(
                run->error, ALD_ERROR_DATA,
                "row %lld has the time %g and the event %d: a time is 0 or more, an event 1 (died) or 0 "
                "(censored)",
                (long long)ald_target_row_number(run, y, i), time, y->events[i]);
        deaths += y->events[i] && weighs(y, i);
    }
    if (deaths > 0 || !to_learn) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "no row has an event: there is nothing to learn from");
}

ald_status ald_refuse_events(ald_run *run, const ald_target *y, const char *what)
{
    if (!y || !y->events) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "times with events (`event`) %s", what);
}

ald_status ald_check_truth(ald_run *run, const ald_target *y, int64_t rows)
{
    if (y->rows != rows)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the target has %lld rows and X has %lld",
                        (long long)y->rows, (long long)rows);
    if (y->kind == ALD_TARGET_CLASSES) return check_classes(run, y, 0);
    ALD_TRY(check_values(run, y, 0));
    return check_events(run, y, 0);
}

ald_status ald_check_target(ald_run *run, const ald_target *y, int64_t rows, const ald_method *method)
{
    ALD_TRY(ald_check_kind(run, y, method));
    if (y->kind == ALD_TARGET_NONE && !y->weights) return ALD_OK;
    if (y->rows != rows)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the target has %lld rows and X has %lld",
                        (long long)y->rows, (long long)rows);
    /* a method that can do without a target takes one that says nothing */
    const int to_learn = !(method->capabilities & ALD_CAN_NO_TARGET);
    ALD_TRY(check_labelled(run, y, method));
    ALD_TRY(check_weights(run, y, method));
    if (y->kind == ALD_TARGET_CLASSES) return check_classes(run, y, to_learn);
    if (y->kind == ALD_TARGET_NONE) return ALD_OK;
    ALD_TRY(check_values(run, y, to_learn && !y->events));
    return check_events(run, y, to_learn);
}

ald_status ald_check_inputs(ald_run *run, const ald_inputs *inputs)
{
    const ald_target *y = inputs->y;
    ALD_TRY(ald_check_matrix(run, inputs->x, "X"));
    const int64_t n = inputs->x->rows;
    if (y && (y->kind < ALD_TARGET_NONE || y->kind > ALD_TARGET_LABELS))
        return wrong(run, "target", "its kind is unknown");
    if (y && y->kind != ALD_TARGET_NONE) ALD_TRY(ald_check_truth(run, y, n));
    ALD_TRY(ald_check_beside(run, inputs));
    return ald_check_input_names(run, inputs);
}

ald_status ald_check_for_method(ald_run *run, const ald_inputs *inputs, const ald_target *y)
{
    const ald_method *method = ald_settings_method(run->settings);
    const ald_matrix *x = inputs->x;
    ALD_TRY(ald_check_matrix(run, x, "X"));
    if (x->rows < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "X has %lld row: a fit needs two or more",
                        (long long)x->rows);
    ALD_TRY(ald_check_storage(run, x, method));
    ALD_TRY(ald_check_beside_use(run, inputs));
    /* with distances or a kernel there need not be a target; weights are looked at in any case */
    if (!(inputs->target_distances || inputs->response_kernel) || y->kind != ALD_TARGET_NONE)
        return ald_check_target(run, y, x->rows, method);
    if (!y->weights) return ALD_OK;
    if (y->rows != x->rows)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there are weights for %lld rows, but X has %lld",
                        (long long)y->rows, (long long)x->rows);
    return check_weights(run, y, method);
}
