/* ald_outliers: T^2 and Q of rows by what the model keeps of its rows, and their limits.
 *
 *   T^2 = (t - m)'S^+(t - m)
 *
 * of a row that was not fitted on exceeds k (n^2 - 1) / (n (n - k)) F_alpha(k, n - k) with chance alpha, n
 * rows, k the rank of S. Q with mean a and variance v over the rows of the fit is taken for
 *
 *   g chi^2_h,   g = v / (2 a),   h = 2 a^2 / v
 *
 * (Box, Annals of Mathematical Statistics 25, 1954; Nomikos and MacGregor, Technometrics 37, 1995). */
#include "judge/measuring/measure_outliers.h"
#include "base/core/error.h"
#include "base/numbers/distributions.h"
#include "base/numbers/number.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "fit/fitting/map_rows.h"
#include "fit/fitting/spread.h"
#include "fit/prepare/check.h"
#include "methods/moments/moments.h"

#include <alidade/outliers.h>
#include <math.h>
#include <string.h>

static int read_arrays(const ald_model *model, ald_spread *s)
{
    s->mean = ald_model_reals(model, "spread.mean", s->r, -1);
    s->precision = ald_model_reals(model, "spread.precision", s->r, s->r);
    s->loadings = ald_model_reals(model, "spread.loadings", s->r, s->d);
    s->residual = ald_model_reals(model, "spread.residual", 4, -1);
    return s->mean && s->precision && s->loadings && s->residual;
}

static ald_status from_statistics(ald_run *run, const ald_model *model, ald_spread *s)
{
    const double *scale = ald_model_reals(model, "scale", s->d, -1);
    ald_moments moments;
    double *scatter;
    ALD_TRY(ald_moments_load(run, model, &moments));
    if (moments.d != s->d)
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the model is damaged: its statistics do not belong to its columns");
    ALD_TRY(ald_scratch_reals(run, s->d, s->d, &scatter));
    ald_prepare_scatter(s->d, moments.scatter, scale, scatter);
    return ald_spread_of_scatter(run, model, scatter, moments.weight, s);
}

/* The sum of the weights of the rows. */
static double total_of(const ald_model *model)
{
    const char *weight = ald_model_text(model, "alidade.total_weight"),
               *text = weight ? weight : ald_model_text(model, "alidade.n_samples");
    double total;
    return text && ald_parse_real(text, strlen(text), &total) ? total : 0.0;
}

static ald_status from_variances(ald_run *run, const ald_model *model, const double *variances, ald_spread *s)
{
    double *mean, *precision, *kept;
    ALD_TRY(ald_scratch_zeros(run, s->r, 1, &mean));
    ALD_TRY(ald_scratch_zeros(run, s->r, s->r, &precision));
    ALD_TRY(ald_scratch_reals(run, 4, 1, &kept));
    kept[0] = total_of(model);
    kept[1] = 0.0;
    kept[2] = kept[3] = -1.0;
    for (int64_t k = 0; k < s->r; k++) {
        if (!(variances[k] > 1e-12 * variances[0])) continue;
        precision[k * s->r + k] = 1.0 / variances[k];
        kept[1] += 1.0;
    }
    s->loadings = ald_model_reals(model, "loadings", s->r, s->d);
    if (!s->loadings) s->loadings = ald_model_reals(model, "components", s->r, s->d);
    s->mean = mean;
    s->precision = precision;
    s->residual = kept;
    return ALD_OK;
}

/* From the arrays spread.*, from kept statistics, or from the variances of uncorrelated scores; what is not
 * known of Q is negative. An error that says how to fit the model where it has none of them. */
static ald_status read_spread(ald_run *run, const ald_model *model, ald_spread *spread)
{
    const char *map = ald_model_text(model, "alidade.map");
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const double *variances = ald_model_reals(model, "score_variances", r, -1);
    *spread = (ald_spread){.r = r, .d = d};
    if (!map || strcmp(map, "linear") != 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "T2 and Q are for linear methods, and the map of this model is not linear: fit a "
                        "linear one, such as pls or pca");
    if (read_arrays(model, spread)) return ALD_OK;
    if (ald_model_array(model, "statistics/scatter", NULL)) return from_statistics(run, model, spread);
    if (variances) return from_variances(run, model, variances, spread);
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "the model does not keep the spread of its training rows: fit it again with `outlier_limits=1`");
}

static double t2_limit(const ald_spread *s, double alpha)
{
    const double n = s->residual[0], k = s->residual[1];
    if (!(n > k) || !(k >= 1.0)) return (double)NAN;
    return k * (n * n - 1.0) / (n * (n - k)) * ald_f_quantile(alpha, k, n - k);
}

static double q_limit(double mean, double variance, double alpha)
{
    if (mean < 0.0 || variance < 0.0) return (double)NAN;
    if (!(mean > 0.0) || !(variance > 0.0)) return mean;
    return variance / (2.0 * mean) * ald_chi_square_quantile(alpha, 2.0 * mean * mean / variance);
}

void ald_limits_by_rows(int64_t n, const double *q, ald_outlier_limits *limits)
{
    double mean = 0.0, variance = 0.0;
    if (n < 2 || !isnan(limits->q_95)) return;
    for (int64_t i = 0; i < n; i++) mean += q[i] / (double)n;
    for (int64_t i = 0; i < n; i++) variance += (q[i] - mean) * (q[i] - mean) / (double)(n - 1);
    limits->q_95 = q_limit(mean, variance, 0.05);
    limits->q_99 = q_limit(mean, variance, 0.01);
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
    ALD_TRY(read_spread(run, model, &s));
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
        .q_95 = q_limit(s.residual[2], s.residual[3], 0.05),
        .q_99 = q_limit(s.residual[2], s.residual[3], 0.01),
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
