/* ald_outliers: T^2 and Q of rows by what the model keeps of its rows (measuring/read_spread.h), and their
 * limits.
 *
 *   T^2 = (t - m)'S^+(t - m);  a row that was not fitted on exceeds k (n^2 - 1) / (n (n - k)) F_alpha(k, n -
 * k) with chance alpha, n rows, k the rank of S. Q with mean a and variance v over the rows of the fit is
 * taken for g chi^2_h, g = v / (2a), h = 2 a^2 / v (Box, Annals of Mathematical Statistics 25, 1954; Nomikos
 * and MacGregor, Technometrics 37, 1995). */
#include "base/core/given.h"
#include "base/numbers/quantile.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "fit/prepare/check.h"
#include "judge/measuring/read_spread.h"

#include <alidade/outliers.h>
#include <math.h>

static double t2_limit(const ald_spread *s, double alpha)
{
    const double n = s->residual[0], k = s->residual[1];
    if (!(n > k) || !(k >= 1.0)) return (double)NAN;
    return k * (n * n - 1.0) / (n * (n - k)) * ald_f_quantile(alpha, k, n - k);
}

static double q_limit(const ald_spread *s, double alpha)
{
    const double mean = s->residual[2], variance = s->residual[3];
    if (mean < 0.0 || variance < 0.0) return (double)NAN;
    if (!(mean > 0.0) || !(variance > 0.0)) return mean;
    return variance / (2.0 * mean) * ald_chi_square_quantile(alpha, 2.0 * mean * mean / variance);
}

static void measure_t2(const ald_spread *s, int64_t n, const double *t, double *t2)
{
    const int64_t r = s->r;
    for (int64_t i = 0; i < n; i++) {
        t2[i] = 0.0;
        for (int64_t k = 0; k < r * r; k++)
            t2[i] +=
                s->precision[k] * (t[i * r + k / r] - s->mean[k / r]) * (t[i * r + k % r] - s->mean[k % r]);
    }
}

static ald_status measure_outliers(ald_run *run, const ald_model *model, const ald_matrix *x, double *t2,
                                   double *q, ald_outlier_limits *limits)
{
    ald_spread s;
    ald_operator rows;
    double *t;
    ALD_TRY(ald_read_spread(run, model, &s));
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_columns(run, model, x));
    ALD_TRY(ald_check_finite(run, x, "X"));
    ALD_TRY(ald_prepare_like(run, model, x, ald_model_reals(model, "mean", s.d, -1), &rows));
    ALD_TRY(ald_scratch_reals(run, x->rows, s.r, &t));
    if (!q) ALD_TRY(ald_scratch_reals(run, x->rows, 1, &q));
    ALD_TRY(ald_residual_rows(run, &rows, model, &s, t, q));
    if (t2) measure_t2(&s, x->rows, t, t2);
    *limits = (ald_outlier_limits){
        .t2_95 = t2_limit(&s, 0.05),
        .t2_99 = t2_limit(&s, 0.01),
        .q_95 = q_limit(&s, 0.05),
        .q_99 = q_limit(&s, 0.01),
    };
    return ALD_OK;
}

ald_status ald_outliers(ald_context *context, const ald_model *model, const ald_matrix *x, double *t2,
                        double *q, ald_outlier_limits *limits, ald_error *error)
{
    ald_outlier_limits found = ALD_OUTLIER_LIMITS_INIT;
    ald_run run;
    ALD_GIVEN(error, context, model, x);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_outlier_limits, limits));
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = measure_outliers(&run, model, x, t2, q, &found);
    ald_threads_end();
    if (status >= 0) ALD_OPTIONS_WRITE(ald_outlier_limits, &found, limits);
    return ald_run_end(&run, status);
}
