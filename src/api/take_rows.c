#include "api/take_rows.h"

#include <string.h>

static double real_at(const ald_matrix *x, int64_t at)
{
    return x->type == ALD_F64 ? ((const double *)x->values)[at] : (double)((const float *)x->values)[at];
}

static int64_t index_at(const ald_matrix *x, const void *list, int64_t at)
{
    return x->index_bits == 32 ? (int64_t)((const int32_t *)list)[at] : ((const int64_t *)list)[at];
}

static ald_status take_dense(ald_run *run, const ald_matrix *x, int64_t m, const int64_t *rows, ald_matrix *taken)
{
    double *values;
    ALD_TRY(ald_scratch_reals(run, m, x->cols, &values));
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < x->cols; j++)
            values[i * x->cols + j] = real_at(x, rows[i] * x->row_stride + j * x->col_stride);
    *taken = ald_matrix_rows(values, m, x->cols, x->cols);
    return ALD_OK;
}

/* CSR arrays with 64-bit indices of any sparse matrix. */
typedef struct csr {
    int64_t *pointers, *indices;
    double *values;
} csr;

static ald_status csr_new(ald_run *run, int64_t rows, int64_t entries, csr *c)
{
    ALD_TRY(ald_scratch(run, rows + 1, 1, sizeof *c->pointers, &c->pointers));
    ALD_TRY(ald_scratch(run, entries, 1, sizeof *c->indices, &c->indices));
    return ald_scratch_reals(run, entries, 1, &c->values);
}

/* Of a CSC matrix: the columns are gone through in order, so that indices rise within each row. */
static ald_status turn_columns(ald_run *run, const ald_matrix *x, ald_matrix *turned)
{
    const int64_t entries = index_at(x, x->pointers, x->cols);
    int64_t *next;
    csr c;
    ALD_TRY(csr_new(run, x->rows, entries, &c));
    ALD_TRY(ald_scratch(run, x->rows, 1, sizeof *next, &next));
    memset(c.pointers, 0, (size_t)(x->rows + 1) * sizeof *c.pointers);
    for (int64_t e = 0; e < entries; e++) c.pointers[index_at(x, x->indices, e) + 1]++;
    for (int64_t i = 0; i < x->rows; i++) c.pointers[i + 1] += c.pointers[i];
    memcpy(next, c.pointers, (size_t)x->rows * sizeof *next);
    for (int64_t j = 0; j < x->cols; j++)
        for (int64_t e = index_at(x, x->pointers, j); e < index_at(x, x->pointers, j + 1); e++) {
            const int64_t to = next[index_at(x, x->indices, e)]++;
            c.indices[to] = j;
            c.values[to] = real_at(x, e);
        }
    *turned = ald_matrix_csr(x->rows, x->cols, c.pointers, c.indices, c.values);
    return ALD_OK;
}

static ald_status take_sparse(ald_run *run, const ald_matrix *x, int64_t m, const int64_t *rows, ald_matrix *taken)
{
    int64_t entries = 0, at = 0;
    csr c;
    for (int64_t i = 0; i < m; i++)
        entries += index_at(x, x->pointers, rows[i] + 1) - index_at(x, x->pointers, rows[i]);
    ALD_TRY(csr_new(run, m, entries, &c));
    for (int64_t i = 0; i < m; i++) {
        c.pointers[i] = at;
        for (int64_t e = index_at(x, x->pointers, rows[i]); e < index_at(x, x->pointers, rows[i] + 1); e++, at++) {
            c.indices[at] = index_at(x, x->indices, e);
            c.values[at] = real_at(x, e);
        }
    }
    c.pointers[m] = at;
    *taken = ald_matrix_csr(m, x->cols, c.pointers, c.indices, c.values);
    return ALD_OK;
}

ald_status ald_take_matrix(ald_run *run, const ald_matrix *x, int64_t m, const int64_t *rows, ald_matrix *taken)
{
    ald_matrix turned = *x;
    if (x->storage == ALD_DENSE) return take_dense(run, x, m, rows, taken);
    if (x->storage == ALD_CSC) ALD_TRY(turn_columns(run, x, &turned));
    return take_sparse(run, &turned, m, rows, taken);
}

ald_status ald_take_target(ald_run *run, const ald_target *y, int64_t m, const int64_t *rows, ald_target *taken)
{
    int32_t *classes = NULL;
    unsigned char *labelled = NULL;
    double *weights = NULL;
    *taken = *y;
    taken->rows = m;
    if (y->kind == ALD_TARGET_CLASSES) ALD_TRY(ald_scratch(run, m, 1, sizeof *classes, &classes));
    if (y->labelled) ALD_TRY(ald_scratch(run, m, 1, sizeof *labelled, &labelled));
    if (y->weights) ALD_TRY(ald_scratch_reals(run, m, 1, &weights));
    for (int64_t i = 0; i < m; i++) {
        if (classes) classes[i] = y->classes[rows[i]];
        if (labelled) labelled[i] = y->labelled[rows[i]];
        if (weights) weights[i] = y->weights[rows[i]];
    }
    taken->classes = classes;
    taken->labelled = labelled;
    taken->weights = weights;
    if (y->kind == ALD_TARGET_REAL || y->kind == ALD_TARGET_LABELS)
        ALD_TRY(ald_take_matrix(run, &y->values, m, rows, &taken->values));
    return ALD_OK;
}
