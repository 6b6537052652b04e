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

/* With weight 0 a bad entry leaves the mean as it is, and a sparse one of 0 * inf does not: both are looked for. */
static ald_status prepare_columns(ald_run *run, ald_problem *problem)
{
    const int standard = ald_setting_is(run, "scale", "standard"), minmax = ald_setting_is(run, "scale", "minmax");
    const int64_t d = problem->d;
    ald_column_moments moments = {0};
    ALD_TRY(ald_scratch_reals(run, d, 1, &moments.mean));
    if (standard) ALD_TRY(ald_scratch_reals(run, d, 1, &moments.deviation));
    if (minmax) {
        ALD_TRY(ALD_SCRATCH(run, {&moments.low, d, 1}, {&moments.high, d, 1}));
    }
    if (problem->weights) ALD_TRY(ald_check_finite(run, &problem->x.x, "X"));
    ALD_TRY(ald_column_statistics(run, &problem->x, problem->weights, moments));
    ALD_TRY(check_means(run, problem, moments.mean));
    problem->x.mean = moments.mean;
    if (!standard && !minmax) return ALD_OK;
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
