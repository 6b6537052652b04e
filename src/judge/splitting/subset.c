/* Rows of X and target taken into a copy, gaps filled by means of the training part, and equal rows found. */
#include "judge/splitting/subset.h"

#include "math/device/held.h"
#include "math/operator/entry.h"

#include <math.h>
#include <string.h>

/* Rows that are equal in X and target are found by a 64-bit number made of each: among n different rows two
 * numbers are equal with probability n^2/2^65, which is 3e-8 for a million. Stored zeros and others are
 * equal, 0 and -0 too. */

static const uint64_t odd = 0x9e3779b97f4a7c15U;

static ald_status print_rows(ald_run *run, const ald_subset *data, uint64_t **prints)
{
    const ald_target *y = &data->y;
    const int64_t n = data->x.rows;
    uint64_t *of_target;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **prints, prints));
    ALD_TRY(ald_scratch_clear(run, n, 1, sizeof *of_target, &of_target));
    ald_matrix_row_fingerprints(run, &data->x, *prints);
    if (y->kind == ALD_TARGET_REAL || y->kind == ALD_TARGET_LABELS)
        ald_matrix_row_fingerprints(run, &y->values, of_target);
    for (int64_t i = 0; i < n; i++) {
        if (y->kind == ALD_TARGET_CLASSES) of_target[i] = (uint64_t)y->classes[i] + 1;
        if (y->labelled && !y->labelled[i]) of_target[i] = 0;
        (*prints)[i] = ((*prints)[i] ^ (of_target[i] * odd)) * odd;
    }
    return ALD_OK;
}

/* A table of row numbers by their prints, at least half empty. */
ald_status ald_duplicates_find(ald_run *run, const ald_subset *data, int64_t *same)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = data->x.rows;
    int64_t size = 4;
    int64_t *table;
    uint64_t *prints;
    while (size < 2 * n) size *= 2;
    ALD_TRY(print_rows(run, data, &prints));
    ALD_TRY(ald_scratch(run, size, 1, sizeof *table, &table));
    for (int64_t k = 0; k < size; k++) table[k] = -1;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = (int64_t)((prints[i] ^ prints[i] >> 32) & (uint64_t)(size - 1));
        while (table[at] >= 0 && prints[table[at]] != prints[i]) at = (at + 1) & (size - 1);
        if (table[at] < 0) table[at] = i;
        same[i] = table[at];
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_subset_take(ald_run *run, const ald_subset *from, const int64_t *rows, int64_t n,
                           ald_subset *subset)
{
    ALD_TRY(ald_matrix_take(run, &from->x, rows, n, &subset->x));
    return ald_target_take(run, &from->y, rows, n, &subset->y);
}

ald_status ald_subset_take_on_card(ald_run *run, const ald_subset *from, const int64_t *rows, int64_t n,
                                   ald_subset *subset)
{
    ALD_TRY(ald_card_select(run, &from->x, rows, n, &subset->x));
    return subset->x.values ? ald_target_take(run, &from->y, rows, n, &subset->y) : ALD_OK;
}

/* For a copy made above, which is dense row major or CSR with 64-bit indices: sums of what is there, and how
 * much is not. */
static void sum_columns(const ald_matrix *x, double *sums, int64_t *missing)
{
    const int dense = x->storage == ALD_DENSE;
    const int64_t *indices = x->indices;
    const int64_t entries = dense ? x->rows * x->cols : ((const int64_t *)x->pointers)[x->rows];
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
    const int64_t *indices = x->indices;
    const int64_t entries = dense ? x->rows * x->cols : ((const int64_t *)x->pointers)[x->rows];
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
    ALD_TRY(ald_scratch_clear(run, d, 1, sizeof *missing, &missing));
    sum_columns(&train->x, means, missing);
    for (int64_t j = 0; j < d; j++)
        means[j] = missing[j] < train->x.rows ? means[j] / (double)(train->x.rows - missing[j]) : (double)NAN;
    const int64_t bad_train = fill_matrix(&train->x, means), bad_test = fill_matrix(&test->x, means);
    const int64_t bad = bad_train >= 0 ? bad_train : bad_test;
    if (bad < 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "column %lld of X is empty in the training part, so its missing cells cannot be filled: "
                    "leave it out (`ignore`)",
                    (long long)bad + 1);
}
