/* The spread of the rows of a fit.
 *
 * z_i: prepared rows (scaled, centred), w_i: their weights, n: the sum of them, C (r x d): the components,
 * t_i = C z_i: the scores.
 *
 *   m = sum_i w_i t_i / n                              mean of the scores (0 where columns are centred)
 *   S = sum_i w_i (t_i - m)(t_i - m)' / (n - 1)        their covariance, of rank k
 *   P = (T'W T)^+ T'W Z                                loadings: the least squares reconstruction of z from t
 *   Q_i = |z_i - P't_i|^2                              what the components leave of a row
 *
 * P is C for orthonormal components that are eigenvectors (pca), the X loadings p_a = X't_a / t_a't_a for
 * pls, whose scores are orthogonal, and for all other linear methods what reconstructs best from their
 * scores. S^+ is kept, not S; eigenvalues up to 1e-12 of the first count as 0. The weighted mean and variance
 * of the Q_i are kept. Dense rows are written out block by block; for sparse ones Q_i = |z_i|^2 - 2 t_i'P z_i
 * + t_i'P P't_i, exact to 1e-16 |z_i|^2.
 *
 * Cost: three passes over X. Room: (n + d) r, and r x d numbers in the model. From the scatter of the rows, T
 * = Z'W Z, all but the variance of the Q_i: m = 0, S = C T C' / (n - 1), P = (C T C')^+ C T, sum_i w_i Q_i =
 * tr(T - P'C T). */
#include "fit/fitting/spread.h"

#include "base/settings/common_params.h"
#include "fit/fitting/map_rows.h"
#include "math/kernel/rows.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

static double weight(const double *w, int64_t i)
{
    return w ? w[i] : 1.0;
}

/* inverse (r x r) of the symmetric a (destroyed) on the span of its eigenvalues above 1e-12 of the first. */
static ald_status pseudo_inverse(ald_run *run, int64_t r, double *a, double *inverse, int64_t *rank)
{
    double *values, *vectors;
    ALD_TRY(ALD_SCRATCH(run, {&values, r, 1}, {&vectors, r, r}));
    ALD_TRY(ald_eigen(run, ald_at(a, r, r), values, ald_at(vectors, r, r)));
    memset(inverse, 0, (size_t)(r * r) * sizeof *inverse);
    for (*rank = 0; *rank < r && values[*rank] > 1e-12 * values[0]; ++*rank) {
        const double *v = vectors + *rank * r;
        for (int64_t k = 0; k < r * r; k++) inverse[k] += v[k / r] * v[k % r] / values[*rank];
    }
    return ALD_OK;
}

/* sum_i w_i (t_i - m)(t_i - m)' / divisor. */
static void second_moments(int64_t n, int64_t r, const double *t, const double *w, const double *m,
                           double divisor, double *s)
{
    memset(s, 0, (size_t)(r * r) * sizeof *s);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < r * r; k++)
            s[k] += weight(w, i) * (t[i * r + k / r] - m[k / r]) * (t[i * r + k % r] - m[k % r]) / divisor;
}

/* t (n x r) = Z C'. */
static ald_status score_rows(ald_run *run, const ald_operator *rows, const ald_model *model, int64_t r,
                             int64_t d, double *t)
{
    const double *components = ald_model_reals(model, "components", r, d);
    double *columns;
    if (!components)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the model lacks components of the expected shape");
    ALD_TRY(ald_scratch_reals(run, d, r, &columns));
    ald_transpose(r, d, components, columns);
    return ald_operator_apply(run, rows, ald_of(columns, d, r), ald_at(t, rows->x.rows, r));
}

/* P (r x d) from t and the rows it is of. */
static ald_status find_loadings(ald_run *run, const ald_operator *rows, const double *w, int64_t r,
                                const double *t, double *loadings)
{
    const int64_t n = rows->x.rows, d = rows->x.cols;
    double *weighted, *along, *gram, *inverse, *zero;
    int64_t rank;
    ALD_TRY(ALD_SCRATCH(run, {&weighted, n, r}, {&along, d, r}, {&gram, r, r}, {&inverse, r, r}));
    ALD_TRY(ald_scratch_zeros(run, r, 1, &zero));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < r; k++) weighted[i * r + k] = weight(w, i) * t[i * r + k];
    ALD_TRY(ald_operator_apply_transposed(run, rows, ald_of(weighted, n, r), ald_at(along, d, r)));
    second_moments(n, r, t, w, zero, 1.0, gram);
    ALD_TRY(pseudo_inverse(run, r, gram, inverse, &rank));
    return ald_product(run, ald_of(inverse, r, r), ald_t(ald_of(along, d, r)), ald_at(loadings, r, d));
}

static ald_status dense_residuals(ald_run *run, const ald_operator *rows, const ald_spread *s,
                                  const double *t, double *q)
{
    enum { at_once = 64 };
    const int64_t n = rows->x.rows, d = s->d, r = s->r;
    double *block;
    ALD_TRY(ald_scratch_reals(run, at_once, d, &block));
    for (int64_t first = 0; first < n; first += at_once) {
        const int64_t m = n - first < at_once ? n - first : at_once;
        ALD_TRY(ald_operator_rows(run, rows, first, ald_at(block, m, d)));
        ALD_TRY(ald_product_add(run, -1.0, ald_of(t + first * r, m, r), ald_of(s->loadings, r, d), 1.0,
                                ald_at(block, m, d)));
        for (int64_t i = 0; i < m; i++) {
            q[first + i] = 0.0;
            for (int64_t j = 0; j < d; j++) q[first + i] += block[i * d + j] * block[i * d + j];
        }
    }
    return ALD_OK;
}

static ald_status sparse_residuals(ald_run *run, const ald_operator *rows, const ald_spread *s,
                                   const double *t, double *q)
{
    const int64_t n = rows->x.rows, d = s->d, r = s->r;
    ald_operator csr = *rows;
    double *columns, *along, *gram;
    ALD_TRY(ald_rows_as_csr(run, &rows->x, &csr.x));
    ALD_TRY(ALD_SCRATCH(run, {&columns, d, r}, {&along, n, r}, {&gram, r, r}));
    ald_transpose(r, d, s->loadings, columns);
    ALD_TRY(ald_operator_apply(run, &csr, ald_of(columns, d, r), ald_at(along, n, r)));
    ALD_TRY(ald_gram(run, ald_of(columns, d, r), ald_at(gram, r, r)));
    ald_rows_squares_csr(&csr, 0, n, q);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < r; k++) {
            double fitted = 0.0;
            for (int64_t l = 0; l < r; l++) fitted += gram[k * r + l] * t[i * r + l];
            q[i] += t[i * r + k] * (fitted - 2.0 * along[i * r + k]);
        }
        q[i] = fmax(q[i], 0.0);
    }
    return ALD_OK;
}

ald_status ald_residual_rows(ald_run *run, const ald_operator *rows, const ald_model *model,
                             const ald_spread *spread, double *t, double *q)
{
    ALD_TRY(score_rows(run, rows, model, spread->r, spread->d, t));
    return rows->x.storage == ALD_DENSE ? dense_residuals(run, rows, spread, t, q)
                                        : sparse_residuals(run, rows, spread, t, q);
}

ald_status ald_check_spread(ald_run *run, int sums)
{
    const ald_method *method = ald_settings_method(run->settings);
    if (!ald_common_settings_of(run->settings).outlier_limits) return ALD_OK;
    if (!(method->capabilities & ALD_IS_LINEAR))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s has no linear map: leave out `outlier_limits`, or use a linear method",
                        method->name);
    if (sums) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "`outlier_limits` needs the rows in memory, or at most 5000 columns: leave it out");
}

ald_status ald_spread_of_scatter(ald_run *run, const ald_model *model, const double *scatter, double total,
                                 ald_spread *spread)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    const ald_view components = ald_of(ald_model_reals(model, "components", r, d), r, d);
    double *along, *gram, *precision, *loadings, *mean, *kept;
    double left = 0.0;
    int64_t rank;
    if (!components.data)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the model lacks components of the expected shape");
    ALD_TRY(ald_scratch_zeros(run, r, 1, &mean));
    ALD_TRY(ALD_SCRATCH(run, {&along, r, d}, {&gram, r, r}, {&precision, r, r}, {&loadings, r, d},
                        {&kept, 4, 1}));
    ALD_TRY(ald_product(run, components, ald_of(scatter, d, d), ald_at(along, r, d)));
    ALD_TRY(ald_product(run, ald_of(along, r, d), ald_t(components), ald_at(gram, r, r)));
    ALD_TRY(pseudo_inverse(run, r, gram, precision, &rank));
    ALD_TRY(ald_product(run, ald_of(precision, r, r), ald_of(along, r, d), ald_at(loadings, r, d)));
    for (int64_t j = 0; j < d; j++) left += scatter[j * d + j];
    for (int64_t k = 0; k < r * d; k++) left -= loadings[k] * along[k];
    for (int64_t k = 0; k < r * r; k++) precision[k] *= total - 1.0;
    memcpy(kept, (double[]){total, (double)rank, fmax(left, 0.0) / total, -1.0}, 4 * sizeof *kept);
    *spread = (ald_spread){
        .r = r,
        .d = d,
        .mean = mean,
        .precision = precision,
        .loadings = loadings,
        .residual = kept,
    };
    return ALD_OK;
}

static ald_status keep_spread(ald_run *run, const ald_spread *s, ald_model *model)
{
    ALD_TRY(ald_model_add_vector(run, model, "spread.mean", s->r, s->mean));
    ALD_TRY(ald_model_add_matrix(run, model, "spread.precision", s->r, s->r, s->precision));
    ALD_TRY(ald_model_add_matrix(run, model, "spread.loadings", s->r, s->d, s->loadings));
    return ald_model_add_vector(run, model, "spread.residual", 4, s->residual);
}

ald_status ald_add_spread_of_scatter(ald_run *run, const ald_problem *problem, const double *scatter,
                                     ald_model *model)
{
    ald_spread spread;
    double *prepared;
    if (!ald_common_settings_of(run->settings).outlier_limits) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, problem->d, problem->d, &prepared));
    ald_prepare_scatter(problem->d, scatter, problem->scale, prepared);
    ALD_TRY(ald_spread_of_scatter(run, model, prepared, problem->total, &spread));
    return keep_spread(run, &spread, model);
}

void ald_prepare_scatter(int64_t d, const double *scatter, const double *scale, double *prepared)
{
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            prepared[i * d + j] = scatter[i * d + j] / (scale ? scale[i] * scale[j] : 1.0);
}

static void summarise(const ald_problem *problem, const double *q, int64_t rank, double kept[4])
{
    const double n = problem->total;
    const double *w = problem->weights;
    kept[0] = n;
    kept[1] = (double)rank;
    kept[2] = kept[3] = 0.0;
    for (int64_t i = 0; i < problem->n; i++) kept[2] += weight(w, i) * q[i] / n;
    for (int64_t i = 0; i < problem->n; i++) kept[3] += weight(w, i) * pow(q[i] - kept[2], 2) / (n - 1.0);
}

ald_status ald_add_spread(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_spread s = {.r = ald_model_component_count(model), .d = problem->d};
    ald_operator rows = problem->x;
    double *t, *q, *mean, *covariance, *precision, *loadings;
    double residual[4];
    int64_t rank;
    if (!ald_common_settings_of(run->settings).outlier_limits) return ALD_OK;
    ALD_TRY(ald_prepare_columns_like(run, model, ald_model_reals(model, "mean", s.d, -1), &rows));
    ALD_TRY(ALD_SCRATCH(run, {&t, problem->n, s.r}, {&q, problem->n, 1}));
    ALD_TRY(ald_scratch_zeros(run, s.r, 1, &mean));
    ALD_TRY(ALD_SCRATCH(run, {&covariance, s.r, s.r}, {&precision, s.r, s.r}, {&loadings, s.r, s.d}));
    ALD_TRY(score_rows(run, &rows, model, s.r, s.d, t));
    for (int64_t k = 0; k < problem->n * s.r; k++)
        mean[k % s.r] += weight(problem->weights, k / s.r) * t[k] / problem->total;
    second_moments(problem->n, s.r, t, problem->weights, mean, problem->total - 1.0, covariance);
    ALD_TRY(pseudo_inverse(run, s.r, covariance, precision, &rank));
    ALD_TRY(find_loadings(run, &rows, problem->weights, s.r, t, loadings));
    s.loadings = loadings;
    ALD_TRY(ald_residual_rows(run, &rows, model, &s, t, q));
    summarise(problem, q, rank, residual);
    s.mean = mean;
    s.precision = precision;
    s.residual = residual;
    return keep_spread(run, &s, model);
}
