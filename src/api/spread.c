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
 * scores. S^+ is kept, not S; eigenvalues up to 1e-12 of the first count as 0. Of the Q_i the weighted mean
 * and variance are kept. Dense rows are written out block by block; for sparse ones Q_i = |z_i|^2 - 2 t_i'P
 * z_i + t_i'P P't_i, exact to 1e-16 |z_i|^2.
 *
 * Cost: three passes over X. Room: (n + d) r, and r x d numbers in the model. */
#include "api/spread.h"

#include "api/map_rows.h"
#include "core/common_params.h"
#include "kernel/rows.h"
#include "linalg/linalg.h"

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
    if (!components) return ald_fail(run->error, ALD_ERROR_FORMAT, "the model lacks components of its shape");
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

static int is_linear(const ald_model *model)
{
    const char *map = ald_model_text(model, "alidade.map");
    return map && strcmp(map, "linear") == 0;
}

ald_status ald_check_spread(ald_run *run, int rows)
{
    const ald_method *method = ald_settings_method(run->settings);
    if (!ald_common_settings_of(run->settings).outlier_limits) return ALD_OK;
    if (!(method->capabilities & ALD_IS_LINEAR))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s has no linear map: leave out `outlier_limits`, or take a linear method",
                        method->name);
    if (rows) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "`outlier_limits` needs the rows in memory: leave it out where they are streamed or updated");
}

static ald_status summarise(ald_run *run, const ald_problem *problem, const double *q, int64_t rank,
                            ald_model *model)
{
    const double n = problem->total, *w = problem->weights;
    double kept[4] = {n, (double)rank, 0.0, 0.0};
    for (int64_t i = 0; i < problem->n; i++) kept[2] += weight(w, i) * q[i] / n;
    for (int64_t i = 0; i < problem->n; i++) kept[3] += weight(w, i) * pow(q[i] - kept[2], 2) / (n - 1.0);
    return ald_model_add_vector(run, model, "spread.residual", 4, kept);
}

ald_status ald_add_spread(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_spread s = {.r = ald_model_component_count(model), .d = problem->d};
    ald_operator rows = problem->x;
    double *t, *q, *mean, *covariance, *precision, *loadings;
    int64_t rank;
    if (!ald_common_settings_of(run->settings).outlier_limits || !is_linear(model)) return ALD_OK;
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
    ALD_TRY(ald_model_add_vector(run, model, "spread.mean", s.r, mean));
    ALD_TRY(ald_model_add_matrix(run, model, "spread.precision", s.r, s.r, precision));
    ALD_TRY(ald_model_add_matrix(run, model, "spread.loadings", s.r, s.d, loadings));
    return summarise(run, problem, q, rank, model);
}

ald_status ald_read_spread(ald_run *run, const ald_model *model, ald_spread *spread)
{
    const int64_t r = ald_model_component_count(model), d = ald_model_feature_count(model);
    *spread = (ald_spread){.r = r,
                           .d = d,
                           .mean = ald_model_reals(model, "spread.mean", r, -1),
                           .precision = ald_model_reals(model, "spread.precision", r, r),
                           .loadings = ald_model_reals(model, "spread.loadings", r, d),
                           .residual = ald_model_reals(model, "spread.residual", 4, -1)};
    if (is_linear(model) && spread->mean && spread->precision && spread->loadings && spread->residual)
        return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "the model does not know how its rows lie: fit it again with `outlier_limits=1`");
}
