/* gaussian: the classical rule of discriminant analysis. Classes are normal with means m_c, shares p_c and
 * one covariance W, the pooled one within the classes (divisor n), so that, up to a constant,
 *
 *   score_c = log p_c - (z - m_c)'W^-1(z - m_c) / 2
 *           = log p_c + (W^-1 (m_c - m))'(z - (m_c + m)/2)
 *
 * which is affine in z, and softmax of the scores are the probabilities of the classes. It does not change
 * when z is transformed linearly, so it does not matter how a method scales its directions.
 *
 * W^-1, with T the covariance of all rows and D its diagonal:
 *
 *   D^-1/2 T D^-1/2 = V diag(t) V'         without t <= 1e-12 t_1
 *   A               = D^-1/2 V t^-1/2      A'T A = I
 *   A'W A           = Q diag(e) Q'         e in [0, 1]
 *   W^-1            = (A Q) diag(1/e) (A Q)'
 *
 * with e at least 1e-10: classes that have collapsed to points (more columns than rows) are separated by
 * their distance, not by rounding. Cost n r^2 + r^3. */
#include "math/linalg/linalg.h"
#include "methods/predict/affine.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

/* Adds the scatter of `rows` (m x r) weighted by their weights about class means to the upper triangle of w.
 */
static ald_status within(ald_run *run, const ald_predictor_data *data, const double *means, double *w)
{
    const int64_t r = data->r, q = data->q;
    double *rows;
    ALD_TRY(ald_scratch_reals(run, data->n, r, &rows));
    for (int64_t i = 0; i < data->n; i++) {
        int64_t c = 0;
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)(q + r)));
        while (c < q - 1 && !(data->y[i * q + c] > 0.5)) c++;
        for (int64_t k = 0; k < r; k++)
            rows[i * r + k] = sqrt(ald_predictor_weight(data, i)) * (data->z[i * r + k] - means[c * r + k]);
    }
    ALD_TRY(ald_gram(run, ald_of(rows, data->n, r), ald_at(w, r, r)));
    for (int64_t i = 0; data->within && i < r * r; i++) w[i] += data->within[i];
    if (!data->spread) return ALD_OK;
    return ald_gram_add(run, 1.0, ald_of(data->spread, data->spread_rows, r), 1.0, ald_at(w, r, r));
}

/* t = w + sum n_c (m_c - m)(m_c - m)', both divided by n. */
static void add_between(const ald_predictor_data *data, const double *means, const double *counts,
                        const double *mean, double *w, double *t)
{
    const int64_t r = data->r;
    const double total = ald_predictor_total(data);
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < r; j++) {
            double sum = w[i * r + j];
            for (int64_t c = 0; c < data->q; c++)
                sum += counts[c] * (means[c * r + i] - mean[i]) * (means[c * r + j] - mean[j]);
            t[i * r + j] = sum / total;
            w[i * r + j] /= total;
        }
}

/* A (m x r, as rows) with A T A' = I. */
static ald_status whiten(ald_run *run, int64_t r, double *t, double *a, int64_t *m)
{
    double *values, *size;
    ALD_TRY(ALD_SCRATCH(run, {&values, r, 1}, {&size, r, 1}));
    for (int64_t i = 0; i < r; i++) size[i] = t[i * r + i] > 0.0 ? sqrt(t[i * r + i]) : 1.0;
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < r; j++) t[i * r + j] /= size[i] * size[j];
    ALD_TRY(ald_eigen(run, ald_at(t, r, r), values, ald_at(a, r, r)));
    for (*m = 0; *m < r && values[*m] > 1e-12 * values[0]; (*m)++)
        for (int64_t j = 0; j < r; j++) a[*m * r + j] /= size[j] * sqrt(values[*m]);
    return ALD_OK;
}

/* G (m x r) with W^-1 = G'G. */
static ald_status metric(ald_run *run, int64_t r, const double *w, double *t, double **g, int64_t *m)
{
    double *a, *half, *small, *values, *vectors;
    ALD_TRY(ald_scratch_reals(run, r, r, &a));
    ALD_TRY(whiten(run, r, t, a, m));
    ALD_TRY(
        ALD_SCRATCH(run, {&half, *m, r}, {&small, *m, *m}, {&values, *m, 1}, {&vectors, *m, *m}, {g, *m, r}));
    if (*m == 0) return ALD_OK;
    ALD_TRY(ald_product(run, ald_of(a, *m, r), ald_of(w, r, r), ald_at(half, *m, r)));
    ALD_TRY(ald_product(run, ald_of(half, *m, r), ald_t(ald_of(a, *m, r)), ald_at(small, *m, *m)));
    ALD_TRY(ald_eigen(run, ald_at(small, *m, *m), values, ald_at(vectors, *m, *m)));
    for (int64_t k = 0; k < *m; k++)
        for (int64_t j = 0; j < *m; j++) vectors[k * *m + j] /= sqrt(fmax(values[k], 1e-10));
    return ald_product(run, ald_of(vectors, *m, *m), ald_of(a, *m, r), ald_at(*g, *m, r));
}

/* B (r x q) and the offsets at z = m, from the m_c - m (q x r) and g (m x r), g'g = W^-1. */
static ald_status make_scores(ald_run *run, const ald_predictor_data *data, const double *means,
                              const double *counts, ald_view g, double *b, double *offset)
{
    const int64_t r = data->r, q = data->q, m = g.rows;
    const double total = ald_predictor_total(data);
    double *coded;
    ALD_TRY(ald_scratch_zeros(run, m, q, &coded));
    memset(b, 0, (size_t)(r * q) * sizeof *b);
    if (m > 0) {
        ALD_TRY(ald_product(run, g, ald_t(ald_of(means, q, r)), ald_at(coded, m, q)));
        ALD_TRY(ald_product(run, ald_t(g), ald_of(coded, m, q), ald_at(b, r, q)));
    }
    for (int64_t c = 0; c < q; c++) {
        double square = 0.0;
        for (int64_t k = 0; k < m; k++) square += coded[k * q + c] * coded[k * q + c];
        offset[c] = counts[c] > 0.0 ? log(counts[c] / total) - 0.5 * square : ALD_NO_SCORE;
    }
    return ALD_OK;
}

static ald_status gaussian_fit(ald_run *run, const ald_predictor_options *options,
                               const ald_predictor_data *data, ald_model *model)
{
    const int64_t r = data->r, q = data->q;
    const double total = ald_predictor_total(data);
    double *means, *counts, *mean, *w, *t, *g, *b, *offset;
    int64_t m;
    (void)options;
    ALD_TRY(ald_class_means(run, data, &means, &counts));
    ALD_TRY(ald_scratch_zeros(run, r, 1, &mean));
    for (int64_t i = 0; i < q * r; i++) mean[i % r] += counts[i / r] / total * means[i];
    ALD_TRY(ALD_SCRATCH(run, {&w, r, r}, {&t, r, r}));
    ALD_TRY(within(run, data, means, w));
    ald_mirror(ald_at(w, r, r));
    add_between(data, means, counts, mean, w, t);
    ALD_TRY(metric(run, r, w, t, &g, &m));
    ALD_TRY(ALD_SCRATCH(run, {&b, r, q}, {&offset, q, 1}));
    for (int64_t i = 0; i < q * r; i++) means[i] = counts[i / r] > 0.0 ? means[i] - mean[i % r] : 0.0;
    ALD_TRY(make_scores(run, data, means, counts, ald_of(g, m, r), b, offset));
    return ald_affine_store(run, data, mean, b, offset, model);
}

/* Scores of classes that have collapsed to points are of the order of 1e10, whose last digit is 1e-6: it
 * would separate two classes at one place. Below `exact` the last digit is at most 1e-12. */
int ald_gaussian_compares(int64_t q, const double *intercept)
{
    const double exact = 4096.0;
    for (int64_t c = 0; c < q; c++)
        if (intercept[c] > ALD_NO_SCORE && fabs(intercept[c]) > exact) return 1;
    return 0;
}

/* The scores of a row of the classes that are near the best one, once more as what lies between the two,
 * which is exact to the last digits however large the scores are. */
static void compare_with_best(int64_t r, int64_t q, const double *b, const double *intercept, const double *z,
                              double *scores)
{
    const double near = 100.0;
    int64_t best = 0;
    for (int64_t c = 1; c < q; c++)
        if (scores[c] > scores[best]) best = c;
    const double top = scores[best];
    for (int64_t c = 0; c < q; c++) {
        scores[c] -= top;
        if (scores[c] < -near) continue;
        scores[c] = intercept[c] - intercept[best];
        for (int64_t k = 0; k < r; k++) scores[c] += (b[k * q + c] - b[k * q + best]) * z[k];
    }
}

static ald_status gaussian_rank(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                                const double *z, double *scores)
{
    const double *b = ald_model_reals(model, "predictor/coefficients", r, q);
    const double *intercept = ald_model_reals(model, "predictor/intercept", q, -1);
    const int large = ald_gaussian_compares(q, intercept);
    ALD_TRY(ald_affine_apply(run, model, n, r, q, z, scores));
    for (int64_t i = 0; large && i < n; i++) {
        ALD_TRY(ald_ask_after(run, ALD_VALUE_WORK * (double)q));
        compare_with_best(r, q, b, intercept, z + i * r, scores + i * q);
    }
    return ALD_OK;
}

static ald_status gaussian_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                                 const double *z, double *scores)
{
    ALD_TRY(gaussian_rank(run, model, n, r, q, z, scores));
    ald_softmax(n, q, scores);
    return ALD_OK;
}

const ald_predictor ald_predictor_gaussian = {
    .name = "gaussian",
    .by_distances = 1,
    .kinds = 1 << ALD_TARGET_CLASSES,
    .probabilities = 1 << ALD_TARGET_CLASSES,
    .moments = ALD_MOMENTS_GROUPS,
    .is_affine = 1,
    .fit = gaussian_fit,
    .apply = gaussian_apply,
    .rank = gaussian_rank,
    .outputs = ald_affine_outputs,
};
