#include "fit/prepare/column_sizes.h"

#include "base/settings/method.h"
#include "base/settings/settings.h"

#include <math.h>
#include <string.h>

/* Sizes whose squares can be summed, with room for the number of rows. */
static const double largest_square = 0x1p500, smallest_square = 0x1p-500;

/* How a factor changes statistics that were asked for with it on all rows. */
static void take_column(const ald_column_moments *from, int64_t j, double factor, ald_column_moments *to)
{
    to->mean[j] = from->mean[j] / factor;
    if (to->deviation) to->deviation[j] = from->deviation[j] / factor;
    if (to->low) to->low[j] = from->low[j] / factor;
    if (to->high) to->high[j] = from->high[j] / factor;
}

/* Where the squares of a column are no numbers (or all 0), its statistics are those of the column times
 * `factor`, a power of two: nothing is rounded. Its peak lies between `above` and `below`. */
static ald_status statistics_times(ald_run *run, const ald_problem *problem, double above, double below,
                                   double factor, ald_column_moments *moments)
{
    const int64_t n = problem->n, d = problem->d;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_column_moments own = {0};
    ald_operator z = problem->x;
    double *factors;
    int64_t count = 0;
    for (int64_t j = 0; j < d; j++) count += moments->peak[j] > above && moments->peak[j] < below;
    if (count == 0) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&factors, n, 1}, {&own.mean, d, 1}));
    if (moments->deviation) ALD_TRY(ald_scratch_reals(run, d, 1, &own.deviation));
    if (moments->low) ALD_TRY(ALD_SCRATCH(run, {&own.low, d, 1}, {&own.high, d, 1}));
    for (int64_t i = 0; i < n; i++) factors[i] = factor * (z.row_factor ? z.row_factor[i] : 1.0);
    z.row_factor = factors;
    ALD_TRY(ald_column_statistics(run, &z, problem->weights, own));
    for (int64_t j = 0; j < d; j++)
        if (moments->peak[j] > above && moments->peak[j] < below) take_column(&own, j, factor, moments);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_sizes_measure(ald_run *run, const ald_problem *problem, ald_column_moments *moments)
{
    ALD_TRY(statistics_times(run, problem, largest_square, INFINITY, 0x1p-700, moments));
    return statistics_times(run, problem, 0.0, smallest_square, 0x1p700, moments);
}

/* Whether the method does not mind the units of the columns, with the run's settings. */
static int is_invariant(const ald_run *run)
{
    const ald_settings *settings = run->settings;
    if (!ald_settings_method(settings)->scale_free) return 0;
    return !(ald_settings_real_with(settings, ALD_PARAM_IS_RIDGE, 0.0) > 0.0) &&
           !(ald_settings_real_with(settings, ALD_PARAM_IS_RIDGE_REL, 0.0) > 0.0);
}

/* Columns of an extreme size are divided by a power of two, which the model keeps as their scale. */
static ald_status bring_to_size(ald_run *run, const double *peak, ald_problem *problem)
{
    double *scale, *inverse;
    ALD_TRY(ALD_SCRATCH(run, {&scale, problem->d, 1}, {&inverse, problem->d, 1}));
    for (int64_t j = 0; j < problem->d; j++) {
        int exponent = 0;
        if (!ald_peak_is_plain(peak[j])) frexp(peak[j], &exponent);
        if (exponent < -1020) exponent = -1020; /* the inverse is a number too */
        scale[j] = ldexp(1.0, exponent);
        inverse[j] = ldexp(1.0, -exponent);
    }
    problem->scale = scale;
    problem->x.inverse_scale = inverse;
    return ALD_OK;
}

ald_status ald_sizes_settle(ald_run *run, const double *peak, ald_problem *problem)
{
    const ald_method *method = ald_settings_method(run->settings);
    int64_t largest = 0;
    int extreme = 0;
    for (int64_t j = 0; j < problem->d; j++) {
        if (peak[j] > peak[largest]) largest = j;
        extreme |= !ald_peak_is_plain(peak[j]);
    }
    if (!extreme) return ALD_OK;
    if (is_invariant(run)) return bring_to_size(run, peak, problem);
    if (peak[largest] > largest_square)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "X: the values of column %lld lie up to %.1e apart, too far to be squared, which %s does: use "
            "`scale=standard`, or give the column in a larger unit",
            (long long)largest + 1, peak[largest], method->name);
    if (peak[largest] < smallest_square)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "X: the values of no column lie more than %.1e apart, too little to be squared, which %s does: "
            "use `scale=standard`, or give the columns in a smaller unit",
            peak[largest], method->name);
    return ALD_OK;
}
