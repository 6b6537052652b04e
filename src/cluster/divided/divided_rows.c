/* Rows travel scaled row by row and not yet column by column, so that a rank that takes them finds the
 * same differences, to the last digit, as the rank that has them: a row is factor (x - shift). Dense rows
 * are sent so (d numbers); of sparse ones factor x (16 bytes an entry), and factor shift beside it.
 *
 * To fetch rows each rank sends each other one the list of those that it wants; the answers are these
 * rows. */
#include "cluster/divided/divided_rows.h"

#include "cluster/ranks/communicator.h"
#include "cluster/sharing/share_sums.h"

ald_status ald_divided_count(ald_run *run, ald_status status, ald_divided *rows)
{
    const int ranks = ald_rank_count(run), rank = ald_rank(run);
    if (status >= 0) status = ald_scratch(run, ranks + 1, 1, sizeof *rows->begin, &rows->begin);
    ALD_TRY(ald_all_agree(run, status));
    for (int r = 0; r <= ranks; r++) rows->begin[r] = r == rank + 1 ? rows->z.x.rows : 0;
    ALD_TRY(ald_all_count(run, rows->begin, ranks + 1));
    for (int r = 0; r < ranks; r++) rows->begin[r + 1] += rows->begin[r];
    rows->first = rows->begin[rank];
    rows->total = rows->begin[ranks];
    const ald_all_rows table = ald_share_table(run);
    return ald_all_rows_of(run, &table, rows->z.x.rows, (double)rows->z.x.rows, &rows->all);
}

ald_operator ald_divided_operator(const ald_divided *rows)
{
    ald_operator z = rows->z;
    z.all = &rows->all;
    return z;
}

int ald_divided_owner(const ald_run *run, const ald_divided *rows, int64_t row)
{
    int low = 0, high = ald_rank_count(run);
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (rows->begin[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int64_t row_of(const int64_t *which, int64_t from, int64_t i)
{
    return which ? which[i] : from + i;
}

static ald_status put_dense(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                            int64_t count, ald_record *record)
{
    const ald_operator plain = {.x = z->x, .row_shift = z->row_shift, .row_factor = z->row_factor};
    const int64_t d = z->x.cols;
    double *row;
    ALD_TRY(ald_scratch_reals(run, 1, d, &row));
    for (int64_t i = 0; i < count; i++) {
        ALD_TRY(ald_operator_rows(run, &plain, row_of(which, from, i), ald_at(row, 1, d)));
        ALD_TRY(ald_record_put(run, record, row, d, sizeof *row));
    }
    ald_arena_drop(&run->scratch, row);
    return ALD_OK;
}

static ald_status put_entries(ald_run *run, const ald_operator *z, int64_t row, ald_record *record)
{
    const int64_t *pointers = z->x.pointers, *indices = z->x.indices;
    const double *values = z->x.values;
    const double factor = z->row_factor ? z->row_factor[row] : 1.0;
    for (int64_t e = pointers[row]; e < pointers[row + 1]; e++) {
        const double value = z->row_factor ? factor * values[e] : values[e];
        ALD_TRY(ald_record_put(run, record, &indices[e], 1, sizeof *indices));
        ALD_TRY(ald_record_put(run, record, &value, 1, sizeof value));
    }
    return ALD_OK;
}

static ald_status put_sparse(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                             int64_t count, ald_record *record)
{
    const int64_t *pointers = z->x.pointers;
    ALD_TRY(ald_record_put_count(run, record, z->row_shift != NULL));
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = row_of(which, from, i);
        const double factor = z->row_factor ? z->row_factor[row] : 1.0,
                     shift = z->row_shift ? z->row_shift[row] * factor : 0.0;
        ALD_TRY(ald_record_put_count(run, record, pointers[row + 1] - pointers[row]));
        if (z->row_shift) ALD_TRY(ald_record_put(run, record, &shift, 1, sizeof shift));
        ALD_TRY(put_entries(run, z, row, record));
    }
    return ALD_OK;
}

ald_status ald_rows_put(ald_run *run, const ald_operator *z, const int64_t *which, int64_t from,
                        int64_t count, ald_record *record)
{
    ALD_TRY(ald_record_put_count(run, record, count));
    ALD_TRY((z->x.storage == ALD_DENSE ? put_dense : put_sparse)(run, z, which, from, count, record));
    return ald_record_seal(run, record);
}

/* How many rows the records have, and room for their entries at most. */
typedef struct extent {
    int64_t *rows; /* by record */
    int64_t total, most;
} extent;

static ald_status measure(ald_run *run, ald_record *records, int count, extent *e)
{
    *e = (extent){.most = 1};
    ALD_TRY(ald_scratch(run, count, 1, sizeof *e->rows, &e->rows));
    for (int k = 0; k < count; k++) {
        ALD_TRY(ald_record_take_count(run, &records[k], &e->rows[k]));
        e->total += e->rows[k];
        e->most += ald_record_left(&records[k]) / 16;
    }
    return ALD_OK;
}

static ald_status take_dense(ald_run *run, ald_record *records, int count, const extent *e,
                             ald_operator *rows)
{
    const int64_t d = rows->x.cols;
    double *values;
    ALD_TRY(ald_scratch_reals(run, e->total, d, &values));
    rows->x = ald_matrix_row_major(values, e->total, d, d);
    for (int k = 0; k < count; k++) {
        ALD_TRY(ald_record_take(run, &records[k], values, e->rows[k] * d, sizeof *values));
        values += e->rows[k] * d;
    }
    return ALD_OK;
}

/* Arrays of a CSR matrix while it grows. */
typedef struct csr {
    int64_t *pointers, *indices;
    double *values, *shift;
} csr;

static ald_status take_row(ald_run *run, ald_record *record, int64_t i, csr *made)
{
    int64_t entries;
    ALD_TRY(ald_record_take_count(run, record, &entries));
    if (made->shift) ALD_TRY(ald_record_take(run, record, &made->shift[i], 1, sizeof *made->shift));
    made->pointers[i + 1] = made->pointers[i] + entries;
    for (int64_t e = made->pointers[i]; e < made->pointers[i + 1]; e++) {
        ALD_TRY(ald_record_take(run, record, &made->indices[e], 1, sizeof *made->indices));
        ALD_TRY(ald_record_take(run, record, &made->values[e], 1, sizeof *made->values));
    }
    return ALD_OK;
}

/* Whether rows have a shift is the same in all records that have rows. */
static ald_status take_shifted(ald_run *run, ald_record *records, int count, const extent *e, int *shifted)
{
    *shifted = 0;
    for (int k = 0; k < count; k++) {
        int64_t flag;
        ALD_TRY(ald_record_take_count(run, &records[k], &flag));
        if (e->rows[k] > 0 && flag) *shifted = 1;
    }
    return ALD_OK;
}

static ald_status take_sparse(ald_run *run, ald_record *records, int count, const extent *e,
                              ald_operator *rows)
{
    csr made = {0};
    int shifted;
    ALD_TRY(take_shifted(run, records, count, e, &shifted));
    ALD_TRY(ald_scratch(run, e->total + 1, 1, sizeof *made.pointers, &made.pointers));
    ALD_TRY(ald_scratch(run, e->most, 1, sizeof *made.indices, &made.indices));
    ALD_TRY(ald_scratch_reals(run, e->most, 1, &made.values));
    if (shifted) ALD_TRY(ald_scratch_reals(run, e->total, 1, &made.shift));
    made.pointers[0] = 0;
    for (int64_t k = 0, at = 0; k < count; k++)
        for (int64_t i = 0; i < e->rows[k]; i++) ALD_TRY(take_row(run, &records[k], at++, &made));
    rows->x = ald_matrix_csr(e->total, rows->x.cols, made.pointers, made.indices, made.values);
    rows->row_shift = made.shift;
    return ALD_OK;
}

ald_status ald_rows_take(ald_run *run, ald_record *records, int count, const ald_operator *like,
                         ald_operator *rows)
{
    extent e;
    *rows = (ald_operator){.x = like->x, .mean = like->mean, .inverse_scale = like->inverse_scale};
    ALD_TRY(measure(run, records, count, &e));
    return (like->x.storage == ALD_DENSE ? take_dense : take_sparse)(run, records, count, &e, rows);
}

/* Where the rows of each rank begin in the list, in bytes: ranks + 1. */
static ald_status divide_list(ald_run *run, const ald_divided *rows, const int64_t *numbers, int64_t count,
                              int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    for (int64_t i = 0, r = 0; r <= ranks; r++) {
        while (i < count && numbers[i] < rows->begin[r]) i++;
        (*begin)[r] = i * (int64_t)sizeof *numbers;
    }
    return ALD_OK;
}

/* The rows that the others want, one record for each; `wanted` are their numbers. */
static ald_status pack(ald_run *run, const ald_divided *rows, const ald_gathered *wanted, ald_record *record,
                       int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    (*begin)[0] = 0;
    for (int r = 0; r < ranks; r++) {
        int64_t *which = (int64_t *)(void *)(wanted->bytes + wanted->begin[r]);
        const int64_t count = (wanted->begin[r + 1] - wanted->begin[r]) / (int64_t)sizeof *which;
        for (int64_t i = 0; i < count; i++) which[i] -= rows->first;
        ALD_TRY(ald_rows_put(run, &rows->z, which, 0, count, record));
        (*begin)[r + 1] = record->size;
    }
    return ALD_OK;
}

static ald_status unpack(ald_run *run, const ald_divided *rows, const ald_gathered *got,
                         ald_operator *fetched)
{
    const int ranks = ald_rank_count(run);
    ald_record *records;
    ALD_TRY(ald_scratch(run, ranks, 1, sizeof *records, &records));
    for (int r = 0; r < ranks; r++)
        records[r] = (ald_record){
            .arena = &run->scratch,
            .bytes = got->bytes + got->begin[r],
            .size = got->begin[r + 1] - got->begin[r],
        };
    return ald_rows_take(run, records, ranks, &rows->z, fetched);
}

ald_status ald_fetch_rows(ald_run *run, ald_status status, const ald_divided *rows, const int64_t *numbers,
                          int64_t count, ald_operator *fetched)
{
    ald_arena passing; /* what is on the way, so that only the rows stay in scratch */
    ald_record record = {.arena = &passing};
    ald_gathered wanted, got = {0};
    int64_t *begin = NULL, *places = NULL;
    ald_arena_init(&passing, run->call.allocator);
    if (status >= 0) status = divide_list(run, rows, numbers, count, &begin);
    status = ald_all_exchange(run, status, &passing, numbers, begin, &wanted);
    if (status >= 0) {
        status = pack(run, rows, &wanted, &record, &places);
        status = ald_all_exchange(run, status, &passing, record.bytes, places, &got);
    }
    if (status >= 0) status = ald_all_agree(run, unpack(run, rows, &got, fetched));
    ald_arena_free(&passing);
    return status;
}
