/* Sparse X: the table's CSR arrays are compacted in place to the rows and columns that stay. */
#include "data/encode/encode_sparse.h"
#include "data/encode/missing.h"
#include "data/encode/preparation.h"
#include "io/table/place.h"

#include <math.h>
#include <string.h>

/* Feature number of each column of the table, -1: not a feature. */
static ald_status map_columns(ald_run *run, const ald_preparation *p, int64_t **feature_of, int *in_order)
{
    ALD_TRY(ald_scratch(run, p->table->cols, 1, sizeof **feature_of, feature_of));
    for (int64_t j = 0; j < p->table->cols; j++) (*feature_of)[j] = -1;
    *in_order = 1;
    int64_t last = -1;
    for (int64_t k = 0; k < p->n_features; k++) {
        const int64_t column = p->features[k].column;
        if (column < 0) continue;
        if (column < last) *in_order = 0;
        last = column;
        (*feature_of)[column] = k;
    }
    return ALD_OK;
}

/* Insertion sort: rows are short and nearly in order. */
static void sort_row(int64_t *indices, double *values, int64_t count)
{
    for (int64_t a = 1; a < count; a++) {
        const int64_t index = indices[a];
        const double value = values[a];
        int64_t b = a;
        for (; b > 0 && indices[b - 1] > index; b--) {
            indices[b] = indices[b - 1];
            values[b] = values[b - 1];
        }
        indices[b] = index;
        values[b] = value;
    }
}

static ald_status fail_entry(ald_run *run, const ald_table *table, int64_t row, int64_t column, double value)
{
    return ald_fail_at(run->error, ALD_ERROR_DATA, ald_table_line(table, row), column + 1,
                       "%s: %s is %s where a finite number is expected", table->source,
                       ald_cell_place(table, row, column, 0).text,
                       isnan(value) ? "not a number" : "infinite");
}

/* Copies entries [begin, end) down to `to`; gives where the next row goes. */
static ald_status compact_row(ald_run *run, const ald_preparation *p, const int64_t *feature_of, int64_t row,
                              int64_t begin, int64_t end, int64_t *to)
{
    ald_table *table = p->table;
    for (int64_t e = begin; e < end; e++) {
        const int64_t k = feature_of[table->indices[e]];
        if (k < 0) continue;
        const int kept = isnan(table->values[e]) && ald_keeps_missing(p);
        const double value = isnan(table->values[e]) && !kept ? p->features[k].fill : table->values[e];
        if (!isfinite(value) && !kept)
            return fail_entry(run, table, row, table->indices[e], table->values[e]);
        table->indices[*to] = k;
        table->values[(*to)++] = value;
    }
    return ALD_OK;
}

ald_status ald_prepare_sparse(ald_run *run, ald_preparation *p)
{
    ald_table *table = p->table;
    int64_t *feature_of;
    int64_t to = 0, kept = 0, begin = table->pointers[0];
    int in_order;
    ALD_TRY(map_columns(run, p, &feature_of, &in_order));
    for (int64_t i = 0; i < table->rows; i++) {
        const int64_t end = table->pointers[i + 1], first = to;
        if (!p->dropped || !p->dropped[i]) {
            ALD_TRY(compact_row(run, p, feature_of, i, begin, end, &to));
            if (!in_order) sort_row(table->indices + first, table->values + first, to - first);
            table->pointers[++kept] = to;
        }
        begin = end;
    }
    table->pointers[0] = 0;
    p->dataset->x = ald_matrix_csr(kept, p->n_features, table->pointers, table->indices, table->values);
    return ALD_OK;
}
