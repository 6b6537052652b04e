/* lspca: the objective is that of the components by the definition, which no small turn of them lowers; W'W =
 * I, and the scores are uncorrelated. */
#include "verify/shared/soft_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { slopes = r + 1 };

/* v (r vectors of `size`) made orthonormal, one after the other. */
static void orthonormal_rows(int size, double *v)
{
    for (int a = 0; a < r; a++) {
        for (int b = 0; b < a; b++) {
            double along = 0.0;
            for (int i = 0; i < size; i++) along += v[a * size + i] * v[b * size + i];
            for (int i = 0; i < size; i++) v[a * size + i] -= along * v[b * size + i];
        }
        const double length = support_norm(size, v + a * size);
        for (int i = 0; i < size; i++) v[a * size + i] /= length;
    }
}

static double square_of(int64_t count, const double *v)
{
    return pow(support_norm(count, v), 2.0);
}

/* |Y - P_Z Y|^2 / |Y|^2 of the scores t (r x n). */
static double squared_loss(const prepared *p, double *t)
{
    double left = 1.0;
    orthonormal_rows(n, t);
    for (int a = 0; a < r; a++)
        for (int64_t k = 0; k < p->m; k++) {
            double along = 0.0;
            for (int i = 0; i < n; i++) along += t[a * n + i] * p->y[i * p->m + k];
            left -= along * along / square_of(n * p->m, p->y);
        }
    return left;
}

/* A Newton step on c (slopes x m) of the penalised logistic loss; gives the loss before it. */
static double newton_step(const prepared *p, const double *t, double *c)
{
    const int64_t m = p->m, order = slopes * m;
    static double h[slopes * q * slopes * q], g[slopes * q];
    double loss = 0.0;
    memset(h, 0, sizeof h);
    memset(g, 0, sizeof g);
    for (int64_t k = m; k < order; k++) {
        loss += 0.005 * c[k] * c[k];
        g[k] = 0.01 * c[k];
        h[k * order + k] = 0.01;
    }
    for (int64_t k = 0; k < m; k++)
        h[k * order + k] = 1e-9; /* a constant on all intercepts changes nothing */
    for (int i = 0; i < n; i++) {
        double s[q], prob[q], sum = 0.0, one[slopes] = {1.0, t[i], t[n + i]};
        if (!(p->weights[i] > 0.0)) continue;
        for (int64_t k = 0; k < m; k++) {
            s[k] = 0.0;
            for (int a = 0; a < slopes; a++) s[k] += one[a] * c[a * m + k];
            sum += prob[k] = exp(s[k]);
        }
        for (int64_t k = 0; k < m; k++) prob[k] /= sum;
        for (int64_t k = 0; k < m; k++) loss += p->weights[i] * p->raw[i * m + k] * (log(sum) - s[k]);
        for (int64_t e = 0; e < order; e++) {
            const double by = p->weights[i] * one[e / m];
            g[e] += by * (prob[e % m] - p->raw[i * m + e % m]);
            for (int64_t f = 0; f < order; f++)
                h[e * order + f] += by * one[f / m] * prob[e % m] * ((e % m == f % m) - prob[f % m]);
        }
    }
    for (int64_t k = 0; k < order; k++) /* elimination: h is positive definite */
        for (int64_t i = 0; i < order; i++) {
            const double by = i == k ? 0.0 : h[i * order + k] / h[k * order + k];
            for (int64_t j = k; j < order; j++) h[i * order + j] -= by * h[k * order + j];
            g[i] -= by * g[k];
        }
    for (int64_t k = 0; k < order; k++) c[k] -= g[k] / h[k * order + k];
    return loss;
}

/* The least penalised logistic loss of the scores t (r x n, X over its root mean square), over that without
 * slopes. */
static double class_loss(const prepared *p, double *t)
{
    const double unit = sqrt(p->total * d / square_of(n * d, p->z));
    double c[slopes * q] = {0}, none = 0.0, loss = INFINITY, before;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < r; a++) t[a * n + i] *= p->root[i] > 0.0 ? unit / p->root[i] : 0.0;
    for (int64_t k = 0; k < p->m; k++) {
        double count = 0.0;
        for (int i = 0; i < n; i++) count += p->weights[i] * p->raw[i * p->m + k];
        none -= count * log(count / p->total);
    }
    do {
        before = loss;
        loss = newton_step(p, t, c);
    } while (loss < before - 1e-14 * none);
    return loss / none;
}

/* The objective at the rows of w (r x d), which become orthonormal; trade_off is 0.5. */
static double value_at(const prepared *p, int logistic, double *w)
{
    double t[r * n];
    orthonormal_rows(d, w);
    support_multiply(0, 1, r, n, d, w, p->z, t);
    const double kept = square_of(r * n, t) / square_of(n * d, p->z);
    return 0.5 * (logistic ? class_loss : squared_loss)(p, t) + 0.5 * (1.0 - kept);
}

static void verify_lspca(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d);
    const int logistic = strcmp(ald_model_text(model, "alidade.resolved.loss"), "logistic") == 0;
    const double step = 1e-5;
    double gram[r * r], moved[r * d];
    assert_int_equal(logistic, p->kind == ALD_TARGET_CLASSES);
    support_multiply(0, 1, r, r, d, w, w, gram);
    for (int k = 0; k < r * r; k++) assert_close(gram[k], k % (r + 1) == 0, 1e-10);
    memcpy(moved, w, sizeof moved);
    const double value = value_at(p, logistic, moved);
    assert_close(strtod(ald_model_text(model, "alidade.resolved.objective"), NULL), value, 1e-10);
    for (int i = 0; i < r * d; i++) {
        double at[2];
        for (int side = 0; side < 2; side++) {
            memcpy(moved, w, sizeof moved);
            moved[i] += side ? step : -step;
            at[side] = value_at(p, logistic, moved);
        }
        assert_below(fabs(at[1] - at[0]) / (2.0 * step), 1e-6);
        assert_below(value, 0.5 * (at[0] + at[1]) + 1e-12);
    }
    check_uncorrelated(model, p);
}

const verifier verifier_lspca = {
    .verify = verify_lspca,
    .always = "tol=1e-9",
    .brief = "max_iter=5",
    .is_slow = 1,
    .tolerance = 1e-6,
};
