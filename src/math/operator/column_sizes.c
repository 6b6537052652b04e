/* Statistics of columns of any size. The squares of columns beyond 2^500 are not numbers, those of columns
 * below 2^-500 are 0. A power of two brings a column to another size without rounding, so the statistics of
 * such columns are found there and scaled back; columns of an ordinary size are not touched. */
#include "math/operator/operator.h"

#include <math.h>

/* How a factor changes statistics that were asked for with it on all rows. */
static void take_column(const ald_column_moments *from, int64_t j, double factor,
                        const ald_column_moments *to)
{
    to->mean[j] = from->mean[j] / factor;
    if (to->deviation) to->deviation[j] = from->deviation[j] / factor;
    if (to->low) to->low[j] = from->low[j] / factor;
    if (to->high) to->high[j] = from->high[j] / factor;
}

/* Columns whose peak lies between `above` and `below`, by those of the columns times `factor`. */
static ald_status statistics_times(ald_run *run, const ald_operator *x, const double *weights, double above,
                                   double below, double factor, const ald_column_moments *moments)
{
    const int64_t n = x->x.rows, d = x->x.cols;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_column_moments own = {0};
    ald_operator z = *x;
    double *factors;
    int64_t count = 0;
    for (int64_t j = 0; j < d; j++) count += moments->peak[j] > above && moments->peak[j] < below;
    if (count == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&factors, n, 1}, {&own.mean, d, 1}));
    if (moments->deviation) ALD_TRY(ald_scratch_reals(run, d, 1, &own.deviation));
    if (moments->low) ALD_TRY(ALD_SCRATCH(run, {&own.low, d, 1}, {&own.high, d, 1}));
    for (int64_t i = 0; i < n; i++) factors[i] = factor * (z.row_factor ? z.row_factor[i] : 1.0);
    z.row_factor = factors;
    ALD_TRY(ald_column_statistics(run, &z, weights, own));
    for (int64_t j = 0; j < d; j++)
        if (moments->peak[j] > above && moments->peak[j] < below) take_column(&own, j, factor, moments);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_column_sizes(ald_run *run, const ald_operator *z, const double *weights,
                            ald_column_moments moments)
{
    ALD_TRY(ald_column_statistics(run, z, weights, moments));
    ALD_TRY(statistics_times(run, z, weights, ALD_LARGEST_SQUARE, INFINITY, 0x1p-700, &moments));
    return statistics_times(run, z, weights, 0.0, ALD_SMALLEST_SQUARE, 0x1p700, &moments);
}
