/* linear    least squares y ~ b0 + B'z, minimum norm (SVD, relative cut 1e-12); classes through dummies. n r^2.
 * centroid  the class with the nearest (weighted) mean of z in Euclidean distance. n r. */
#include "predict/predictor.h"

#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

static double weight_of(const ald_predictor_data *data, int64_t i)
{
    return data->weights ? data->weights[i] : 1.0;
}

static void weighted_means(const ald_predictor_data *data, int64_t cols, const double *values, double *means)
{
    double total = 0.0;
    memset(means, 0, (size_t)cols * sizeof *means);
    for (int64_t i = 0; i < data->n; i++) {
        total += weight_of(data, i);
        for (int64_t j = 0; j < cols; j++) means[j] += weight_of(data, i) * values[i * cols + j];
    }
    for (int64_t j = 0; j < cols; j++) means[j] /= total;
}

static ald_status centred_copy(ald_run *run, const ald_predictor_data *data, int64_t cols, const double *values,
                               double **means, double **centred)
{
    ALD_TRY(ald_scratch_reals(run, cols, 1, means));
    ALD_TRY(ald_scratch_reals(run, data->n, cols, centred));
    weighted_means(data, cols, values, *means);
    for (int64_t i = 0; i < data->n; i++)
        for (int64_t j = 0; j < cols; j++)
            (*centred)[i * cols + j] = sqrt(weight_of(data, i)) * (values[i * cols + j] - (*means)[j]);
    return ALD_OK;
}

/* B (r x q) = V S^-1 U'Yc of the SVD of Zc. */
static ald_status least_squares(ald_run *run, const ald_predictor_data *data, double *zc, const double *yc, double *b)
{
    const int64_t n = data->n, r = data->r, q = data->q, p = n < r ? n : r;
    double *u, *s, *vt, *inner;
    ALD_TRY(ald_scratch_reals(run, n, p, &u));
    ALD_TRY(ald_scratch_reals(run, p, 1, &s));
    ALD_TRY(ald_scratch_reals(run, p, r, &vt));
    ALD_TRY(ald_scratch_reals(run, p, q, &inner));
    ALD_TRY(ald_svd(run, n, r, zc, u, s, vt));
    ALD_TRY(ald_gemm(run, 1, 0, p, q, n, 1.0, u, p, yc, q, 0.0, inner, q));
    for (int64_t k = 0; k < p; k++)
        for (int64_t j = 0; j < q; j++) inner[k * q + j] = s[k] > 1e-12 * s[0] ? inner[k * q + j] / s[k] : 0.0;
    return ald_gemm(run, 1, 0, r, q, p, 1.0, vt, r, inner, q, 0.0, b, q);
}

/* Centred rows: 0 is the mean of z, and that of y is the intercept. */
static ald_status fit_linear_centred(ald_run *run, const ald_predictor_data *data, ald_model *model)
{
    double *z, *b;
    ALD_TRY(ald_scratch_reals(run, data->n, data->r, &z));
    ALD_TRY(ald_scratch_reals(run, data->r, data->q, &b));
    memcpy(z, data->z, (size_t)(data->n * data->r) * sizeof *z);
    ALD_TRY(least_squares(run, data, z, data->y, b));
    ALD_TRY(ald_model_add_matrix(run, model, "predictor/coefficients", data->r, data->q, b));
    return ald_model_add_vector(run, model, "predictor/intercept", data->q, data->y_mean);
}

static ald_status fit_linear(ald_run *run, const ald_predictor_data *data, ald_model *model)
{
    double *z_mean, *zc, *y_mean, *yc, *b;
    if (data->y_mean) return fit_linear_centred(run, data, model);
    ALD_TRY(centred_copy(run, data, data->r, data->z, &z_mean, &zc));
    ALD_TRY(centred_copy(run, data, data->q, data->y, &y_mean, &yc));
    ALD_TRY(ald_scratch_reals(run, data->r, data->q, &b));
    ALD_TRY(least_squares(run, data, zc, yc, b));
    for (int64_t j = 0; j < data->q; j++)
        for (int64_t k = 0; k < data->r; k++) y_mean[j] -= z_mean[k] * b[k * data->q + j];
    ALD_TRY(ald_model_add_matrix(run, model, "predictor/coefficients", data->r, data->q, b));
    return ald_model_add_vector(run, model, "predictor/intercept", data->q, y_mean);
}

static int64_t linear_outputs(const ald_model *model, int64_t r)
{
    ald_array intercept;
    if (!ald_model_array(model, "predictor/intercept", &intercept) || intercept.dims != 1) return 0;
    const int64_t q = intercept.shape[0];
    return ald_model_reals(model, "predictor/intercept", q, -1) &&
                   ald_model_reals(model, "predictor/coefficients", r, q)
               ? q
               : 0;
}

static ald_status apply_linear(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q, const double *z,
                               double *scores)
{
    const double *b = ald_model_reals(model, "predictor/coefficients", r, q);
    const double *intercept = ald_model_reals(model, "predictor/intercept", q, -1);
    for (int64_t i = 0; i < n; i++) memcpy(scores + i * q, intercept, (size_t)q * sizeof *scores);
    return ald_gemm(run, 0, 0, n, q, r, 1.0, z, r, b, q, 1.0, scores, q);
}

static ald_status fit_centroid(ald_run *run, const ald_predictor_data *data, ald_model *model)
{
    double *sums, *counts;
    ALD_TRY(ald_scratch_zeros(run, data->q, data->r, &sums));
    ALD_TRY(ald_scratch_zeros(run, data->q, 1, &counts));
    for (int64_t i = 0; i < data->n; i++)
        for (int64_t c = 0; c < data->q; c++) {
            const double share = weight_of(data, i) * data->y[i * data->q + c];
            counts[c] += share;
            for (int64_t k = 0; share != 0.0 && k < data->r; k++)
                sums[c * data->r + k] += share * data->z[i * data->r + k];
        }
    for (int64_t c = 0; c < data->q; c++) {
        if (!(counts[c] > 0.0)) { /* a class without rows is put where nothing is near */
            for (int64_t k = 0; k < data->r; k++) sums[c * data->r + k] = 1e100;
            continue;
        }
        for (int64_t k = 0; k < data->r; k++) sums[c * data->r + k] /= counts[c];
    }
    return ald_model_add_matrix(run, model, "predictor/z", data->q, data->r, sums);
}

static int64_t centroid_outputs(const ald_model *model, int64_t r)
{
    ald_array centres;
    if (!ald_model_array(model, "predictor/z", &centres) || centres.dims != 2) return 0;
    return ald_model_reals(model, "predictor/z", centres.shape[0], r) ? centres.shape[0] : 0;
}

static ald_status apply_centroid(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q, const double *z,
                                 double *scores)
{
    (void)run;
    const double *centres = ald_model_reals(model, "predictor/z", q, r);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < q; c++) {
            double square = 0.0;
            for (int64_t k = 0; k < r; k++)
                square += (z[i * r + k] - centres[c * r + k]) * (z[i * r + k] - centres[c * r + k]);
            scores[i * q + c] = -square;
        }
    return ALD_OK;
}

const ald_predictor *ald_predictor_find(const char *name)
{
    static const ald_predictor predictors[] = {
        {"linear", 1U << ALD_TARGET_CLASSES | 1U << ALD_TARGET_REAL | 1U << ALD_TARGET_LABELS, fit_linear, apply_linear,
         linear_outputs},
        {"centroid", 1U << ALD_TARGET_CLASSES, fit_centroid, apply_centroid, centroid_outputs}};
    for (size_t i = 0; i < sizeof predictors / sizeof *predictors; i++)
        if (strcmp(predictors[i].name, name) == 0) return &predictors[i];
    return NULL;
}
