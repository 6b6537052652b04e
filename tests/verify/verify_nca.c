/* nca and mlkr: the prediction of each row by all others, by plain loops. */
#include "verify/shared/soft_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ridge = 0.02;

/* predicted (n x p->m): the means of p->raw over the other rows, by exp(-|W'(x_i - x_j)|^2), w r x d. */
static void soft_predictions(const prepared *p, const double *w, double *predicted)
{
    static double z[n * r];
    support_multiply(0, 1, n, r, d, p->z, w, z);
    for (int i = 0; i < n; i++) {
        double sum = 0.0, least = INFINITY, t[q] = {0}, squares[n] = {0};
        for (int j = 0; j < n; j++) {
            for (int c = 0; c < r; c++) squares[j] += pow(z[i * r + c] - z[j * r + c], 2.0);
            if (j != i) least = fmin(least, squares[j]);
        }
        for (int j = 0; j < n; j++) {
            const double weight = i == j ? 0.0 : exp(least - squares[j]);
            sum += weight;
            for (int c = 0; c < p->m; c++) t[c] += weight * p->raw[j * p->m + c];
        }
        for (int c = 0; c < p->m; c++) predicted[i * p->m + c] = t[c] / sum;
    }
}

void check_uncorrelated(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    double z[n * r], covariance[r * r];
    support_multiply(0, 1, n, r, d, p->z, w, z);
    support_multiply(1, 0, r, r, n, z, z, covariance);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
            assert_close(covariance[a * r + b] / p->total, a == b ? values[a] : 0.0, 1e-9 * values[0]);
    assert_true(values[0] >= values[1]);
}

/* The mean probability of the right class, less the penalty. */
static double share_of(const prepared *p, const double *w)
{
    double predicted[n * q], sum = 0.0;
    soft_predictions(p, w, predicted);
    for (int i = 0; i < n * p->m; i++) sum += predicted[i] * p->raw[i] / n;
    return sum - ridge * pow(support_norm(r * d, w), 2.0);
}

/* The objective is that of the components, which are stationary along each entry. */
static void verify_nca(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d);
    const double told = strtod(ald_model_text(model, "alidade.resolved.objective"), NULL),
                 step = 1e-6 * support_norm(r * d, w);
    double moved[r * d];
    assert_close(share_of(p, w), told, 1e-9);
    for (int i = 0; i < r * d; i++) {
        double at[2];
        for (int side = 0; side < 2; side++) {
            memcpy(moved, w, sizeof moved);
            moved[i] += side ? step : -step;
            at[side] = share_of(p, moved);
        }
        assert_below(fabs(at[1] - at[0]) / 2e-6, 1e-5);
    }
    check_uncorrelated(model, p);
}

const verifier verifier_nca = {
    .verify = verify_nca,
    .always = "ridge=0.02 init=pca max_iter=3000 tol=1e-11",
    .fixed = "max_iter=3",
    .brief = "max_iter=5",
    .is_slow = 1,
    .tolerance = 1e-6,
};

/* The mean squared error of the responses. */
static double error_of(const prepared *p, const double *w)
{
    double predicted[n * q], sum = 0.0;
    soft_predictions(p, w, predicted);
    for (int i = 0; i < n * p->m; i++) sum += pow(predicted[i] - p->raw[i], 2.0) / n;
    return sum;
}

/* The objective is that of the components, and less than where it began. Ends of long descents are no
 * stationary points here, as W grows without bound; check_metric_learning.py has one that is. */
static void verify_mlkr(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d);
    const double told = strtod(ald_model_text(model, "alidade.resolved.objective"), NULL);
    double constant = 0.0;
    for (int i = 0; i < n * p->m; i++) constant += p->y[i] * p->y[i] / n;
    assert_close(error_of(p, w), told, 1e-9 * told);
    assert_true(told < 0.9 * constant);
    check_uncorrelated(model, p);
}

const verifier verifier_mlkr = {
    .verify = verify_mlkr,
    .always = "max_iter=12",
    .fixed = "max_iter=3",
    .brief = "max_iter=5",
    .is_slow = 1,
    .tolerance = 1e-6,
};
