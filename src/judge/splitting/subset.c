#include "judge/splitting/subset.h"

#include <math.h>
#include <string.h>

ald_status ald_subset_take(ald_run *run, const ald_subset *from, const int64_t *rows, int64_t n,
                           ald_subset *subset)
{
    ALD_TRY(ald_matrix_take(run, &from->x, rows, n, &subset->x));
    return ald_target_take(run, &from->y, rows, n, &subset->y);
}

/* Of a copy made above, which is dense row major or CSR with 64-bit indices: sums of what is there, and how
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
    ALD_TRY(ald_scratch(run, d, 1, sizeof *missing, &missing));
    memset(missing, 0, (size_t)d * sizeof *missing);
    sum_columns(&train->x, means, missing);
    for (int64_t j = 0; j < d; j++)
        means[j] = missing[j] < train->x.rows ? means[j] / (double)(train->x.rows - missing[j]) : (double)NAN;
    const int64_t bad_train = fill_matrix(&train->x, means), bad_test = fill_matrix(&test->x, means);
    const int64_t bad = bad_train >= 0 ? bad_train : bad_test;
    if (bad < 0) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_DATA,
        "column %lld of X is empty in the training part, so its missing cells cannot be filled: leave it "
        "out (`ignore`)",
        (long long)bad + 1);
}
