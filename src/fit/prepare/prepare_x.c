#include "fit/prepare/prepare_x.h"

#include "cluster/sharing/known_rows.h"
#include "fit/prepare/check.h"
#include "fit/prepare/column_sizes.h"
#include "math/operator/take.h"
#include "methods/gaps/column_gaps.h"

#include <math.h>
#include <string.h>

/* 1 / size, and 1 for rows or columns that do not vary. */
static void invert_sizes(int64_t n, double *sizes)
{
    for (int64_t i = 0; i < n; i++) sizes[i] = sizes[i] > 0.0 ? 1.0 / sizes[i] : 1.0;
}

/* `given` are the rows as they came, for messages. */
static ald_status scale_rows(ald_run *run, ald_row_scale row_scale, const ald_matrix *given, ald_operator *z)
{
    const int64_t n = z->x.rows;
    double *shift = NULL, *factor;
    if (row_scale == ALD_ROWS_PLAIN) return ALD_OK;
    const int standard = row_scale == ALD_ROWS_STANDARD;
    ALD_TRY(ald_scratch_reals(run, n, 1, &factor));
    if (standard) ALD_TRY(ald_scratch_reals(run, n, 1, &shift));
    ALD_TRY(ald_row_moments(run, &z->x, shift, standard ? factor : NULL, standard ? NULL : factor));
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(factor[i])) {
            ALD_TRY(ald_check_finite(run, &z->x, "X"));
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "X: the values of row %lld are too large to be scaled",
                            (long long)ald_row_number(run, given, i));
        }
    invert_sizes(n, factor);
    z->row_shift = shift;
    z->row_factor = factor;
    return ALD_OK;
}

ald_status ald_check_row_order(ald_run *run, const ald_settings *settings, const char *categorical)
{
    if (!categorical || ald_common_settings_of(settings).rows.count == 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "`rows` prepares rows whose columns are numbers in an order, such as spectra, and %s is "
                    "categorical: leave it out (`ignore`), or leave `rows` at none",
                    categorical);
}

/* A step would carry a bad entry through its row, so they are looked for first. */
static ald_status check_entries(ald_run *run, const ald_row_plan *plan, const ald_matrix *x)
{
    return plan->steps.count > 0 ? ald_check_finite(run, x, "X") : ALD_OK;
}

ald_status ald_prepare_rows(ald_run *run, const ald_row_plan *plan, ald_operator *z)
{
    const ald_matrix x = z->x;
    ALD_TRY(check_entries(run, plan, &x));
    ALD_TRY(ald_row_plan_apply(run, plan, &x, &z->x));
    return scale_rows(run, plan->scale, &x, z);
}

static ald_status learn_rows(ald_run *run, const double *weights, ald_row_plan *plan, ald_operator *z)
{
    const ald_matrix x = z->x;
    ALD_TRY(check_entries(run, plan, &x));
    ALD_TRY(ald_row_plan_learn(run, &x, weights, plan, &z->x));
    return scale_rows(run, plan->scale, &x, z);
}

ald_status ald_prepare_rows_alone(ald_run *run, const ald_settings *settings, ald_operator *z)
{
    ald_row_plan plan = ald_row_plan_of(settings);
    return learn_rows(run, NULL, &plan, z);
}

ald_status ald_problem_weigh(ald_run *run, const double *weights, ald_problem *problem)
{
    double *roots;
    problem->total = (double)problem->n;
    if (!weights) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, problem->n, 1, &roots));
    problem->total = 0.0;
    for (int64_t i = 0; i < problem->n; i++) {
        problem->total += weights[i];
        roots[i] = sqrt(weights[i]);
    }
    problem->weights = weights;
    problem->x.row_weight = roots;
    return ALD_OK;
}

/* Rows of weight 0 leave, so that a fit cannot tell them from rows that are not there: X is copied without
 * them. */
static ald_status keep_rows_that_count(ald_run *run, const double **weights, ald_problem *problem)
{
    double *kept;
    const ald_operator all = problem->x;
    if (!*weights) return ALD_OK;
    if (!problem->gappy) ALD_TRY(ald_check_finite(run, &all.x, "X"));
    ALD_TRY(ald_rows_that_count(run, all.x.rows, *weights, &problem->which, &problem->n));
    if (!problem->which) return ALD_OK;
    if (problem->n < 2)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "weights: %lld row has a weight above 0; a fit needs two or more",
                        (long long)problem->n);
    ALD_TRY(ald_operator_take(run, &all, problem->which, problem->n, &problem->x));
    ALD_TRY(ald_scratch_reals(run, problem->n, 1, &kept));
    for (int64_t i = 0; i < problem->n; i++) kept[i] = (*weights)[problem->which[i]];
    *weights = kept;
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

static ald_status prepare_columns(ald_run *run, ald_column_scale asked, ald_problem *problem)
{
    const int standard = asked == ALD_COLUMNS_STANDARD, minmax = asked == ALD_COLUMNS_MINMAX;
    const int64_t d = problem->d;
    ald_column_moments moments = {0};
    ALD_TRY(ALD_SCRATCH(run, {&moments.mean, d, 1}, {&moments.peak, d, 1}));
    if (standard) ALD_TRY(ald_scratch_reals(run, d, 1, &moments.deviation));
    if (minmax) {
        ALD_TRY(ALD_SCRATCH(run, {&moments.low, d, 1}, {&moments.high, d, 1}));
    }
    ALD_TRY(ald_column_statistics(run, &problem->x, problem->weights, moments));
    ALD_TRY(ald_sizes_measure(run, problem, &moments));
    ALD_TRY(check_means(run, problem, moments.mean));
    problem->x.mean = moments.mean;
    if (!standard && !minmax) return ald_sizes_settle(run, moments.peak, problem);
    double *scale = standard ? moments.deviation : moments.high;
    for (int64_t j = 0; minmax && j < d; j++) scale[j] -= moments.low[j];
    problem->shift = moments.low;
    return ald_problem_scale(run, problem, moments.mean, scale);
}

ald_status ald_prepare_fit(ald_run *run, const ald_matrix *x, const double *weights, ald_row_plan *plan,
                           ald_problem *problem)
{
    const ald_common_settings asked = ald_common_settings_of(run->settings);
    memset(problem, 0, sizeof *problem);
    problem->x.x = *x;
    problem->n = x->rows;
    problem->d = x->cols;
    problem->r = asked.n_components;
    *plan = ald_row_plan_of(run->settings);
    ALD_TRY(ald_gaps_find(run, x, weights, &problem->gappy));
    ALD_TRY(learn_rows(run, weights, plan, &problem->x));
    ALD_TRY(keep_rows_that_count(run, &weights, problem));
    problem->samples = (double)problem->n;
    ALD_TRY(ald_problem_weigh(run, weights, problem));
    return problem->gappy ? ald_gaps_prepare(run, asked.scale, problem)
                          : prepare_columns(run, asked.scale, problem);
}
