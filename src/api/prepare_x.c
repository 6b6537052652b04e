#include "api/prepare_x.h"

#include "api/check.h"

#include <math.h>
#include <string.h>

/* 1 / size, and 1 for rows or columns that do not vary. */
static void invert_sizes(int64_t n, double *sizes)
{
    for (int64_t i = 0; i < n; i++) sizes[i] = sizes[i] > 0.0 ? 1.0 / sizes[i] : 1.0;
}

ald_status ald_prepare_rows(ald_run *run, const char *row_scale, ald_operator *z)
{
    const int64_t n = z->x.rows;
    double *shift = NULL, *factor;
    if (strcmp(row_scale, "none") == 0) return ALD_OK;
    const int standard = strcmp(row_scale, "standard") == 0;
    ALD_TRY(ald_scratch_reals(run, n, 1, &factor));
    if (standard) ALD_TRY(ald_scratch_reals(run, n, 1, &shift));
    ALD_TRY(ald_row_moments(run, &z->x, shift, standard ? factor : NULL, standard ? NULL : factor));
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(factor[i])) {
            ALD_TRY(ald_check_finite(run, &z->x, "X"));
            return ald_fail(run->error, ALD_ERROR_DATA, "X: the values of row %lld are too large to be scaled",
                            (long long)i + 1);
        }
    invert_sizes(n, factor);
    z->row_shift = shift;
    z->row_factor = factor;
    return ALD_OK;
}

ald_status ald_problem_weigh(ald_run *run, const double *weights, ald_problem *problem)
{
    double *scaled, *roots, sum = 0.0;
    if (!weights) return ALD_OK;
    ALD_TRY(ALD_SCRATCH(run, {&scaled, problem->n, 1}, {&roots, problem->n, 1}));
    for (int64_t i = 0; i < problem->n; i++) sum += weights[i];
    for (int64_t i = 0; i < problem->n; i++) {
        scaled[i] = weights[i] / sum * (double)problem->n;
        roots[i] = sqrt(scaled[i]);
    }
    problem->weights = scaled;
    problem->x.row_weight = roots;
    return ALD_OK;
}

/* A mean that is not finite tells of a bad entry without a pass of its own to look for one. */
static ald_status check_means(ald_run *run, const ald_problem *problem, const double *mean)
{
    int64_t bad = -1;
    for (int64_t j = 0; j < problem->d && bad < 0; j++)
        if (!isfinite(mean[j])) bad = j;
    if (bad < 0) return ALD_OK;
    ALD_TRY(ald_check_finite(run, &problem->x.x, "X"));
    return ald_fail(run->error, ALD_ERROR_DATA, "X: the values of column %lld are too large to be summed",
                    (long long)bad + 1);
}

/* How a factor changes statistics that were asked for with it on all rows. */
static void take_column(const ald_column_moments *from, int64_t j, double factor, ald_column_moments *to)
{
    to->mean[j] = from->mean[j] / factor;
    if (to->deviation) to->deviation[j] = from->deviation[j] / factor;
    if (to->low) to->low[j] = from->low[j] / factor;
    if (to->high) to->high[j] = from->high[j] / factor;
}

/* Where the squares of a column are no numbers (or all 0), its statistics are those of the column times `factor`, a
 * power of two: nothing is rounded. Its peak lies between `above` and `below`. */
static ald_status statistics_times(ald_run *run, const ald_problem *problem, double above, double below, double factor,
                                   ald_column_moments *moments)
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

/* Sizes whose squares can be summed, with room for the number of rows; and those that everything can be done with. */
static const double largest_square = 0x1p500, smallest_square = 0x1p-500, largest_plain = 0x1p300,
                    smallest_plain = 0x1p-300;

/* Whether the method does not mind the units of the columns, with the run's settings. */
static int is_invariant(const ald_run *run)
{
    const char *name = ald_settings_method(run->settings)->invariant_without;
    if (!name) return 0;
    while (*name) {
        char word[32];
        const size_t length = strcspn(name, " ");
        if (length >= sizeof word) return 0;
        memcpy(word, name, length);
        word[length] = '\0';
        if (ald_setting_real(run, word) > 0.0) return 0;
        name += length + strspn(name + length, " ");
    }
    return 1;
}

/* Columns of an extreme size are divided by a power of two, which the model keeps as their scale. */
static ald_status bring_to_size(ald_run *run, const double *peak, ald_problem *problem)
{
    double *scale, *inverse;
    ALD_TRY(ALD_SCRATCH(run, {&scale, problem->d, 1}, {&inverse, problem->d, 1}));
    for (int64_t j = 0; j < problem->d; j++) {
        int exponent = 0;
        if (peak[j] > largest_plain || (peak[j] > 0.0 && peak[j] < smallest_plain)) frexp(peak[j], &exponent);
        if (exponent < -1020) exponent = -1020; /* the inverse is a number too */
        scale[j] = ldexp(1.0, exponent);
        inverse[j] = ldexp(1.0, -exponent);
    }
    problem->scale = scale;
    problem->x.inverse_scale = inverse;
    return ALD_OK;
}

/* With scale=none. Extreme columns are brought to size where that changes nothing; elsewhere they are refused where
 * their squares are no numbers, or all of them 0. */
static ald_status check_sizes(ald_run *run, const double *peak, ald_problem *problem)
{
    const ald_method *method = ald_settings_method(run->settings);
    int64_t largest = 0;
    int extreme = 0;
    for (int64_t j = 0; j < problem->d; j++) {
        if (peak[j] > peak[largest]) largest = j;
        extreme |= peak[j] > largest_plain || (peak[j] > 0.0 && peak[j] < smallest_plain);
    }
    if (!extreme) return ALD_OK;
    if (is_invariant(run)) return bring_to_size(run, peak, problem);
    if (peak[largest] > largest_square)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "X: the values of column %lld lie up to %.1e apart, too far to be squared, which %s does: use "
                        "`scale=standard`, or give the column in a larger unit",
                        (long long)largest + 1, peak[largest], method->name);
    if (peak[largest] < smallest_square)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "X: the values of no column lie more than %.1e apart, too little to be squared, which %s does: "
                        "use `scale=standard`, or give the columns in a smaller unit",
                        peak[largest], method->name);
    return ALD_OK;
}

/* With weight 0 a bad entry leaves the mean as it is, and a sparse one of 0 * inf does not: both are looked for. */
static ald_status prepare_columns(ald_run *run, ald_problem *problem)
{
    const int standard = ald_setting_is(run, "scale", "standard"), minmax = ald_setting_is(run, "scale", "minmax");
    const int64_t d = problem->d;
    ald_column_moments moments = {0};
    ALD_TRY(ALD_SCRATCH(run, {&moments.mean, d, 1}, {&moments.peak, d, 1}));
    if (standard) ALD_TRY(ald_scratch_reals(run, d, 1, &moments.deviation));
    if (minmax) {
        ALD_TRY(ALD_SCRATCH(run, {&moments.low, d, 1}, {&moments.high, d, 1}));
    }
    if (problem->weights) ALD_TRY(ald_check_finite(run, &problem->x.x, "X"));
    ALD_TRY(ald_column_statistics(run, &problem->x, problem->weights, moments));
    ALD_TRY(statistics_times(run, problem, largest_square, INFINITY, 0x1p-700, &moments));
    ALD_TRY(statistics_times(run, problem, 0.0, smallest_square, 0x1p700, &moments));
    ALD_TRY(check_means(run, problem, moments.mean));
    problem->x.mean = moments.mean;
    if (!standard && !minmax) return check_sizes(run, moments.peak, problem);
    double *scale = standard ? moments.deviation : moments.high;
    for (int64_t j = 0; minmax && j < d; j++) scale[j] -= moments.low[j];
    problem->shift = moments.low;
    return ald_problem_scale(run, problem, moments.mean, scale);
}

ald_status ald_prepare_fit(ald_run *run, const ald_matrix *x, const double *weights, ald_problem *problem)
{
    const char *row_scale = ald_settings_text(run->settings, "row_scale");
    memset(problem, 0, sizeof *problem);
    problem->x.x = *x;
    problem->n = x->rows;
    problem->total = (double)x->rows;
    problem->d = x->cols;
    problem->r = ald_setting_int(run, "n_components");
    ALD_TRY(ald_prepare_rows(run, row_scale, &problem->x));
    ALD_TRY(ald_problem_weigh(run, weights, problem));
    return prepare_columns(run, problem);
}
