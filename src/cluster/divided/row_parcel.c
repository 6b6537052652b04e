/* A row is factor (x - shift). Dense rows are sent so; of sparse ones factor x, and factor shift beside it.
 */
#include "cluster/divided/row_parcel.h"

static int64_t row_of(const int64_t *which, int64_t from, int64_t i)
{
    return which ? which[i] : from + i;
}

static ald_status put_dense(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                            int64_t count, ald_record *parcel)
{
    const ald_operator plain = {.x = z->x, .row_shift = z->row_shift, .row_factor = z->row_factor};
    const int64_t d = z->x.cols;
    double *row;
    ALD_TRY(ald_scratch_reals(run, 1, d, &row));
    for (int64_t i = 0; i < count; i++) {
        ALD_TRY(ald_operator_rows(run, &plain, row_of(which, from, i), ald_at(row, 1, d)));
        ALD_TRY(ald_record_put(run, parcel, row, d, sizeof *row));
    }
    ald_arena_drop(&run->scratch, row);
    return ALD_OK;
}

static ald_status put_entries(ald_run *run, const ald_operator *z, int64_t row, ald_record *parcel)
{
    const int64_t *pointers = z->x.pointers, *indices = z->x.indices;
    const double *values = z->x.values;
    const double factor = z->row_factor ? z->row_factor[row] : 1.0;
    for (int64_t e = pointers[row]; e < pointers[row + 1]; e++) {
        const double value = z->row_factor ? factor * values[e] : values[e];
        ALD_TRY(ald_record_put(run, parcel, &indices[e], 1, sizeof *indices));
        ALD_TRY(ald_record_put(run, parcel, &value, 1, sizeof value));
    }
    return ALD_OK;
}

static ald_status put_sparse(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                             int64_t count, ald_record *parcel)
{
    const int64_t *pointers = z->x.pointers;
    ALD_TRY(ald_record_put_count(run, parcel, z->row_shift != NULL));
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = row_of(which, from, i);
        const double factor = z->row_factor ? z->row_factor[row] : 1.0,
                     shift = z->row_shift ? z->row_shift[row] * factor : 0.0;
        ALD_TRY(ald_record_put_count(run, parcel, pointers[row + 1] - pointers[row]));
        if (z->row_shift) ALD_TRY(ald_record_put(run, parcel, &shift, 1, sizeof shift));
        ALD_TRY(put_entries(run, z, row, parcel));
    }
    return ALD_OK;
}

ald_status ald_rows_put(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                        int64_t count, ald_record *parcel)
{
    ALD_TRY(ald_record_put_count(run, parcel, count));
    ALD_TRY((z->x.storage == ALD_DENSE ? put_dense : put_sparse)(run, z, which, from, count, parcel));
    return ald_record_seal(run, parcel);
}

/* How many rows the parcels have, and room for their entries at most. */
typedef struct extent {
    int64_t *rows; /* by parcel */
    int64_t total, most;
} extent;

static ald_status measure(ald_run *run, ald_record *parcels, int count, extent *e)
{
    *e = (extent){.most = 1};
    ALD_TRY(ald_scratch(run, count, 1, sizeof *e->rows, &e->rows));
    for (int k = 0; k < count; k++) {
        ALD_TRY(ald_record_take_count(run, &parcels[k], &e->rows[k]));
        e->total += e->rows[k];
        e->most += ald_record_left(&parcels[k]) / 16;
    }
    return ALD_OK;
}

static ald_status take_dense(ald_run *run, ald_record *parcels, int count, const extent *e,
                             ald_operator *rows)
{
    const int64_t d = rows->x.cols;
    double *values;
    ALD_TRY(ald_scratch_reals(run, e->total, d, &values));
    rows->x = ald_matrix_row_major(values, e->total, d, d);
    for (int k = 0; k < count; k++) {
        ALD_TRY(ald_record_take(run, &parcels[k], values, e->rows[k] * d, sizeof *values));
        values += e->rows[k] * d;
    }
    return ALD_OK;
}

/* Arrays of a CSR matrix while it grows. */
typedef struct csr {
    int64_t *pointers, *indices;
    double *values, *shift;
} csr;

static ald_status take_row(ald_run *run, ald_record *parcel, int64_t i, csr *made)
{
    int64_t entries;
    ALD_TRY(ald_record_take_count(run, parcel, &entries));
    if (made->shift) ALD_TRY(ald_record_take(run, parcel, &made->shift[i], 1, sizeof *made->shift));
    made->pointers[i + 1] = made->pointers[i] + entries;
    for (int64_t e = made->pointers[i]; e < made->pointers[i + 1]; e++) {
        ALD_TRY(ald_record_take(run, parcel, &made->indices[e], 1, sizeof *made->indices));
        ALD_TRY(ald_record_take(run, parcel, &made->values[e], 1, sizeof *made->values));
    }
    return ALD_OK;
}

/* Whether rows have a shift is the same in all parcels that have rows. */
static ald_status take_shifted(ald_run *run, ald_record *parcels, int count, const extent *e, int *shifted)
{
    *shifted = 0;
    for (int k = 0; k < count; k++) {
        int64_t flag;
        ALD_TRY(ald_record_take_count(run, &parcels[k], &flag));
        if (e->rows[k] > 0 && flag) *shifted = 1;
    }
    return ALD_OK;
}

static ald_status take_sparse(ald_run *run, ald_record *parcels, int count, const extent *e,
                              ald_operator *rows)
{
    csr made = {0};
    int shifted;
    ALD_TRY(take_shifted(run, parcels, count, e, &shifted));
    ALD_TRY(ald_scratch(run, e->total + 1, 1, sizeof *made.pointers, &made.pointers));
    ALD_TRY(ald_scratch(run, e->most, 1, sizeof *made.indices, &made.indices));
    ALD_TRY(ald_scratch_reals(run, e->most, 1, &made.values));
    if (shifted) ALD_TRY(ald_scratch_reals(run, e->total, 1, &made.shift));
    made.pointers[0] = 0;
    for (int64_t k = 0, at = 0; k < count; k++)
        for (int64_t i = 0; i < e->rows[k]; i++) ALD_TRY(take_row(run, &parcels[k], at++, &made));
    rows->x = ald_matrix_csr(e->total, rows->x.cols, made.pointers, made.indices, made.values);
    rows->row_shift = made.shift;
    return ALD_OK;
}

ald_status ald_rows_taken(ald_run *run, ald_record *parcels, int count, const ald_operator *like,
                          ald_operator *rows)
{
    extent e;
    *rows = (ald_operator){.x = like->x, .mean = like->mean, .inverse_scale = like->inverse_scale};
    ALD_TRY(measure(run, parcels, count, &e));
    return (like->x.storage == ALD_DENSE ? take_dense : take_sparse)(run, parcels, count, &e, rows);
}
