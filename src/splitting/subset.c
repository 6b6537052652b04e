#include "splitting/subset.h"

#include "linalg/entry.h"

#include <math.h>
#include <string.h>

static ald_status take_dense(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n, ald_matrix *out)
{
    double *values;
    ALD_TRY(ald_scratch_reals(run, n, m->cols, &values));
    *out = ald_matrix_row_major(values, n, m->cols, m->cols);
    if (m->type == ALD_F64 && m->col_stride == 1) {
        const double *from = m->values;
        for (int64_t i = 0; i < n; i++, values += m->cols)
            memcpy(values, from + rows[i] * m->row_stride, (size_t)m->cols * sizeof *values);
        return ALD_OK;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m->cols; j++)
            *values++ = ald_matrix_value(m, rows[i] * m->row_stride + j * m->col_stride);
    return ALD_OK;
}

static ald_status sparse_room(ald_run *run, int64_t n, int64_t entries, int64_t **pointers, int64_t **indices,
                              double **values)
{
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof **pointers, pointers));
    ALD_TRY(ald_scratch(run, entries, 1, sizeof **indices, indices));
    return ald_scratch_reals(run, entries, 1, values);
}

static ald_status take_csr(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n, ald_matrix *out)
{
    int64_t *pointers, *indices, entries = 0;
    double *values;
    for (int64_t i = 0; i < n; i++)
        entries += ald_matrix_index(m, m->pointers, rows[i] + 1) - ald_matrix_index(m, m->pointers, rows[i]);
    ALD_TRY(sparse_room(run, n, entries, &pointers, &indices, &values));
    pointers[0] = entries = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t end = ald_matrix_index(m, m->pointers, rows[i] + 1);
        for (int64_t e = ald_matrix_index(m, m->pointers, rows[i]); e < end; e++, entries++) {
            indices[entries] = ald_matrix_index(m, m->indices, e);
            values[entries] = ald_matrix_value(m, e);
        }
        pointers[i + 1] = entries;
    }
    *out = ald_matrix_csr(n, m->cols, pointers, indices, values);
    return ALD_OK;
}

/* CSC to CSR: entries are counted by rows, then put in their places column by column, so that indices rise. */
static ald_status subset_turn(ald_run *run, const ald_matrix *m, ald_matrix *out)
{
    const int64_t entries = ald_matrix_index(m, m->pointers, m->cols);
    int64_t *pointers, *indices;
    double *values;
    ALD_TRY(sparse_room(run, m->rows, entries, &pointers, &indices, &values));
    memset(pointers, 0, (size_t)(m->rows + 1) * sizeof *pointers);
    for (int64_t e = 0; e < entries; e++) pointers[ald_matrix_index(m, m->indices, e) + 1]++;
    for (int64_t i = 0; i < m->rows; i++) pointers[i + 1] += pointers[i];
    for (int64_t j = 0; j < m->cols; j++)
        for (int64_t e = ald_matrix_index(m, m->pointers, j); e < ald_matrix_index(m, m->pointers, j + 1); e++) {
            const int64_t at = pointers[ald_matrix_index(m, m->indices, e)]++;
            indices[at] = j;
            values[at] = ald_matrix_value(m, e);
        }
    memmove(pointers + 1, pointers, (size_t)m->rows * sizeof *pointers);
    pointers[0] = 0;
    *out = ald_matrix_csr(m->rows, m->cols, pointers, indices, values);
    return ALD_OK;
}

static ald_status take_matrix(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n, ald_matrix *out)
{
    ald_matrix turned;
    if (m->storage == ALD_DENSE) return take_dense(run, m, rows, n, out);
    if (m->storage == ALD_CSR) return take_csr(run, m, rows, n, out);
    ALD_TRY(subset_turn(run, m, &turned));
    return take_csr(run, &turned, rows, n, out);
}

/* Elements rows[0 .. n) of a list of elements of `size` bytes; NULL stays NULL. */
static ald_status take_list(ald_run *run, const void *list, size_t size, const int64_t *rows, int64_t n, void *taken)
{
    char *copy = NULL;
    if (list) ALD_TRY(ald_scratch(run, n, 1, size, &copy));
    for (int64_t i = 0; list && i < n; i++)
        memcpy(copy + (size_t)i * size, (const char *)list + (size_t)rows[i] * size, size);
    memcpy(taken, &copy, sizeof copy);
    return ALD_OK;
}

ald_status ald_target_take(ald_run *run, const ald_target *y, const int64_t *rows, int64_t n, ald_target *out)
{
    *out = *y;
    out->rows = n;
    ALD_TRY(take_list(run, y->labelled, sizeof *y->labelled, rows, n, &out->labelled));
    ALD_TRY(take_list(run, y->weights, sizeof *y->weights, rows, n, &out->weights));
    if (y->kind == ALD_TARGET_CLASSES) return take_list(run, y->classes, sizeof *y->classes, rows, n, &out->classes);
    return y->kind == ALD_TARGET_NONE ? ALD_OK : take_matrix(run, &y->values, rows, n, &out->values);
}

ald_status ald_subset_take(ald_run *run, const ald_subset *from, const int64_t *rows, int64_t n, ald_subset *subset)
{
    ALD_TRY(take_matrix(run, &from->x, rows, n, &subset->x));
    return ald_target_take(run, &from->y, rows, n, &subset->y);
}

/* Of a copy made above, which is dense row major or CSR with 64-bit indices: sums of what is there, and how much is
 * not. */
static void sum_columns(const ald_matrix *x, double *sums, int64_t *missing)
{
    const int dense = x->storage == ALD_DENSE;
    const int64_t *indices = x->indices, entries = dense ? x->rows * x->cols : ((const int64_t *)x->pointers)[x->rows];
    for (int64_t e = 0; e < entries; e++) {
        const double value = ((const double *)x->values)[e];
        const int64_t j = dense ? e % x->cols : indices[e];
        if (isnan(value))
            missing[j]++;
        else
            sums[j] += value;
    }
}

/* The copies are ours to write to, though views are const. */
static int64_t fill_matrix(const ald_matrix *x, const double *means)
{
    const int dense = x->storage == ALD_DENSE;
    const int64_t *indices = x->indices, entries = dense ? x->rows * x->cols : ((const int64_t *)x->pointers)[x->rows];
    double *values;
    int64_t bad = -1;
    memcpy(&values, &x->values, sizeof values);
    for (int64_t e = 0; e < entries; e++) {
        const int64_t j = dense ? e % x->cols : indices[e];
        if (!isnan(values[e])) continue;
        if (isnan(means[j]) && bad < 0) bad = j;
        values[e] = means[j];
    }
    return bad;
}

ald_status ald_subset_fill(ald_run *run, ald_subset *train, ald_subset *test)
{
    const int64_t d = train->x.cols;
    double *means;
    int64_t *missing;
    ALD_TRY(ald_scratch_zeros(run, d, 1, &means));
    ALD_TRY(ald_scratch(run, d, 1, sizeof *missing, &missing));
    memset(missing, 0, (size_t)d * sizeof *missing);
    sum_columns(&train->x, means, missing);
    for (int64_t j = 0; j < d; j++)
        means[j] = missing[j] < train->x.rows ? means[j] / (double)(train->x.rows - missing[j]) : (double)NAN;
    const int64_t bad_train = fill_matrix(&train->x, means), bad_test = fill_matrix(&test->x, means);
    const int64_t bad = bad_train >= 0 ? bad_train : bad_test;
    if (bad < 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "column %lld of X is empty in the training part, so its missing cells cannot be filled: leave it "
                    "out (`ignore`)",
                    (long long)bad + 1);
}
