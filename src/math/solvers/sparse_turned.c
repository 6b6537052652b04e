#include "math/solvers/sparse_turned.h"

#include "math/operator/sparse.h"

#include <string.h>

typedef struct turning {
    int by_rows;    /* the new order */
    int64_t *next;  /* where the next entry of a slice goes */
    int64_t *count; /* of entries of a slice, at 1 + its number */
    int64_t *indices;
    double *values;
} turning;

static void count_entry(void *work, int64_t row, int64_t column, double value)
{
    const turning *t = work;
    (void)value;
    t->count[1 + (t->by_rows ? row : column)]++;
}

/* Entries come slice by slice of the old order, so that they ascend in the new one. */
static void place_entry(void *work, int64_t row, int64_t column, double value)
{
    const turning *t = work;
    const int64_t at = t->next[t->by_rows ? row : column]++;
    t->indices[at] = t->by_rows ? column : row;
    t->values[at] = value;
}

int ald_sparse_better_turned(const ald_matrix *x)
{
    if (x->storage == ALD_CSR) return x->rows < x->cols / 2;
    return x->storage == ALD_CSC && x->cols < x->rows / 2;
}

ald_status ald_sparse_turned(ald_run *run, const ald_matrix *x, ald_matrix *turned)
{
    const int by_rows = x->storage == ALD_CSC;
    const int64_t slices = by_rows ? x->rows : x->cols, entries = ald_matrix_entries(x);
    turning t = {.by_rows = by_rows};
    ALD_TRY(ald_scratch(run, slices + 1, 1, sizeof *t.count, &t.count));
    ALD_TRY(ald_scratch(run, slices + 1, 1, sizeof *t.next, &t.next));
    ALD_TRY(ald_scratch(run, entries, 1, sizeof *t.indices, &t.indices));
    ALD_TRY(ald_scratch_reals(run, entries, 1, &t.values));
    memset(t.count, 0, (size_t)(slices + 1) * sizeof *t.count);
    ALD_TRY(ald_sparse_visit(run, x, count_entry, &t));
    for (int64_t s = 0; s < slices; s++) t.count[s + 1] += t.count[s];
    memcpy(t.next, t.count, (size_t)(slices + 1) * sizeof *t.next);
    ALD_TRY(ald_sparse_visit(run, x, place_entry, &t));
    *turned = *x;
    turned->storage = by_rows ? ALD_CSR : ALD_CSC;
    turned->type = ALD_F64;
    turned->values = t.values;
    turned->pointers = t.count;
    turned->indices = t.indices;
    turned->index_bits = 64;
    return ALD_OK;
}
