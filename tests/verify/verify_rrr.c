/* Least squares of rank r, by its own definition: normal equations, and the fit that the scores give. */
#include "verify/verifier.h"

#include <stdlib.h>
#include <string.h>

/* S b = c for k right-hand sides (rows x k) by elimination; S is positive definite. */
static void solve(int rows, const double *s, int64_t k, const double *c, double *b)
{
    double a[d * d];
    memcpy(a, s, (size_t)(rows * rows) * sizeof *a);
    memcpy(b, c, (size_t)(rows * k) * sizeof *b);
    for (int p = 0; p < rows; p++)
        for (int i = 0; i < rows; i++) {
            const double factor = i == p ? 0.0 : a[i * rows + p] / a[p * rows + p];
            for (int j = 0; j < rows; j++) a[i * rows + j] -= factor * a[p * rows + j];
            for (int64_t j = 0; j < k; j++) b[i * k + j] -= factor * b[p * k + j];
        }
    for (int i = 0; i < rows; i++)
        for (int64_t j = 0; j < k; j++) b[i * k + j] /= a[i * rows + i];
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* M v = l v for the rows of v (r x m), orthonormal, and no other direction does better. */
static void check_largest(int64_t m, const double *matrix, const double *v, const double *values)
{
    double mv[q];
    for (int i = 0; i < r; i++) {
        support_multiply(0, 0, m, 1, m, matrix, v + i * m, mv);
        for (int64_t j = 0; j < m; j++) assert_close(mv[j], values[i] * v[i * m + j], 1e-8 * values[0]);
        for (int l = 0; l < r; l++) assert_close(dot(m, v + i * m, v + l * m), i == l, 1e-8);
        if (i) assert_true(values[i] <= values[i - 1]);
    }
    for (uint64_t trial = 0; trial < 50; trial++) {
        double *u = support_normals(100 + trial, q);
        for (int l = 0; l < r; l++) {
            const double along = dot(m, u, v + l * m);
            for (int64_t j = 0; j < m; j++) u[j] -= along * v[l * m + j];
        }
        support_multiply(0, 0, m, 1, m, matrix, u, mv);
        assert_below(dot(m, u, mv), values[r - 1] * (1.0 + 1e-8) * dot(m, u, u) + 1e-9 * values[0]);
        free(u);
    }
}

static void verify_rrr(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    const int64_t m = p->m;
    double s[d * d], c[d * q], b[d * q], matrix[q * q], t[n * r], tt[r * r], ty[r * q], v[r * q], back[r * d];
    support_multiply(1, 0, d, d, n, p->z, p->z, s);
    support_multiply(1, 0, d, m, n, p->z, p->y, c);
    solve(d, s, m, c, b);
    support_multiply(1, 0, m, m, d, c, b, matrix);
    support_multiply(0, 1, n, r, d, p->z, w, t);
    support_multiply(1, 0, r, r, n, t, t, tt);
    support_multiply(1, 0, r, m, n, t, p->y, ty);
    solve(r, tt, m, ty, v); /* the regression of Y on the scores */
    for (int i = 0; i < r; i++)
        for (int l = 0; l < r; l++) assert_close(tt[i * r + l], i == l ? values[i] : 0.0, 1e-8 * values[0]);
    check_largest(m, matrix, v, values);
    support_multiply(0, 1, r, d, m, v, b, back); /* B V = W */
    for (int i = 0; i < r * d; i++) assert_close(back[i], w[i], 1e-8 * support_norm(r * d, w));
}

const verifier verifier_rrr = {
    .verify = verify_rrr,
    .variants = {"solver=direct", "solver=dual", "solver=two-stage tol=1e-15", NULL},
};
