/* Least squares on the projection, y ~ b0 + B'z with rows weighted by w_i, n their sum.
 *
 *   linear        minimise sum_i w_i |y_i - b0 - B'z_i|^2,   B of minimum norm
 *                 by the SVD of the centred Z, singular values below 1e-12 of the largest dropped
 *   ridge         minimise sum_i w_i |y_i - b0 - C't_i|^2 + n ridge |C|^2
 *                 t = z at mean 0 and deviation 1, so that the result depends neither on the scale of the
 *                 projection nor, through the n, on the number of rows; with T = U S V',
 *                 C = V diag(s / (s^2 + n ridge)) U'Y. ridge is 0.01 where it is not given.
 *   one-vs-rest   the same with ridge 1e-6, for labels and classes: one least-squares score per label. The
 *                 papers fit targets -1 and 1; fitting 0 and 1 gives the same labels and ranks (score' =
 *                 (score + 1) / 2), and one half is the boundary, as for linear.
 *
 * Classes are fitted as dummies. Cost n r^2; rows of a fit come condensed to r of them (condense.c). */
#include "math/linalg/linalg.h"
#include "methods/predict/affine.h"

/* inner (p x q) = U'Y / s, or s U'Y / (s^2 + penalty). */
static void divide(int64_t p, int64_t q, const double *s, double penalty, double *inner)
{
    for (int64_t k = 0; k < p; k++) {
        const double factor = s[k] > 1e-12 * s[0] ? s[k] / (s[k] * s[k] + penalty) : 0.0;
        for (int64_t j = 0; j < q; j++) inner[k * q + j] *= factor;
    }
}

/* B (r x q) for the rows t (n x r, destroyed) and y (n x q), both centred. */
static ald_status least_squares_solve(ald_run *run, const ald_predictor_data *data, double penalty, double *t,
                                      const double *y, double *b)
{
    const int64_t n = data->n, r = data->r, q = data->q, p = n < r ? n : r;
    double *u, *s, *vt, *inner;
    ALD_TRY(ALD_SCRATCH(run, {&u, n, p}, {&s, p, 1}, {&vt, p, r}, {&inner, p, q}));
    ALD_TRY(ald_svd(run, ald_at(t, n, r), ald_at(u, n, p), s, ald_at(vt, p, r)));
    ALD_TRY(ald_product(run, ald_t(ald_of(u, n, p)), ald_of(y, n, q), ald_at(inner, p, q)));
    divide(p, q, s, penalty, inner);
    return ald_product(run, ald_t(ald_of(vt, p, r)), ald_of(inner, p, q), ald_at(b, r, q));
}

static ald_status least_squares_fit(ald_run *run, const ald_predictor_options *options,
                                    const ald_predictor_data *data, ald_model *model)
{
    const int standardized = options->ridge > 0.0;
    ald_centred z, y;
    double *b;
    ALD_TRY(ald_centre_z(run, data, &z));
    ALD_TRY(ald_centre_y(run, data, &y));
    ALD_TRY(ald_scratch_reals(run, data->r, data->q, &b));
    for (int64_t i = 0; standardized && i < data->n * data->r; i++) z.values[i] /= z.deviation[i % data->r];
    ALD_TRY(
        least_squares_solve(run, data, ald_predictor_total(data) * options->ridge, z.values, y.values, b));
    for (int64_t i = 0; standardized && i < data->r * data->q; i++) b[i] /= z.deviation[i / data->q];
    return ald_affine_store(run, data, z.mean, b, y.mean, model);
}

enum { any_target = 1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_REAL | 1 << ALD_TARGET_LABELS };

const ald_predictor ald_predictor_linear = {
    .name = "linear",
    .by_distances = 1,
    .kinds = any_target,
    .moments = ALD_MOMENTS_CENTRED,
    .is_affine = 1,
    .penalised = ald_ridge_path,
    .fit = least_squares_fit,
    .apply = ald_affine_apply,
    .outputs = ald_affine_outputs,
};

const ald_predictor ald_predictor_ridge = {
    .name = "ridge",
    .kinds = any_target,
    .moments = ALD_MOMENTS_CENTRED,
    .is_affine = 1,
    .own_ridge = 1e-2,
    .penalised = ald_ridge_path,
    .fit = least_squares_fit,
    .apply = ald_affine_apply,
    .outputs = ald_affine_outputs,
};

const ald_predictor ald_predictor_one_vs_rest = {
    .name = "one-vs-rest",
    .kinds = 1 << ALD_TARGET_CLASSES | 1 << ALD_TARGET_LABELS,
    .moments = ALD_MOMENTS_CENTRED,
    .is_affine = 1,
    .own_ridge = 1e-6,
    .penalised = ald_ridge_path,
    .fit = least_squares_fit,
    .apply = ald_affine_apply,
    .outputs = ald_affine_outputs,
};
