/* Least squares of rank r, by its own definition: normal equations, and the fit that the scores give. With S
 * = Z'Z and C = Z'Y, S may be singular (rows of mean 0), so nothing is inverted. */
#include "verify/verifier.h"

#include <stdlib.h>

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* The scores T = Z W' (n x r) are uncorrelated, T'T = diag(l); v (r x m) is then the regression of Y on them.
 */
static void check_scores(const double *t, const double *values, const prepared *p, double *v)
{
    double tt[r * r];
    support_multiply(1, 0, r, r, n, t, t, tt);
    support_multiply(1, 0, r, p->m, n, t, p->y, v);
    for (int i = 0; i < r; i++) {
        for (int l = 0; l < r; l++) assert_close(tt[i * r + l], i == l ? values[i] : 0.0, 1e-8 * values[0]);
        for (int64_t j = 0; j < p->m; j++) v[i * p->m + j] /= values[i];
        if (i) assert_true(values[i] <= values[i - 1]);
    }
    for (int i = 0; i < r; i++)
        for (int l = 0; l < r; l++) assert_close(dot(p->m, v + i * p->m, v + l * p->m), i == l, 1e-8);
}

/* No direction whose scores are uncorrelated with these explains more of Y: |C'u|^2 is at most l_r u'S u. */
static void check_largest(const double *s, const double *c, int64_t m, const double *w, const double *values)
{
    for (uint64_t trial = 0; trial < 50; trial++) {
        double *u = support_normals(100 + trial, d);
        double su[d], cu[q];
        support_multiply(0, 0, d, 1, d, s, u, su);
        for (int l = 0; l < r; l++) {
            const double along = dot(d, w + l * d, su) / values[l];
            for (int j = 0; j < d; j++) u[j] -= along * w[l * d + j];
        }
        support_multiply(0, 0, d, 1, d, s, u, su);
        support_multiply(1, 0, m, 1, d, c, u, cu);
        assert_below(dot(m, cu, cu), values[r - 1] * (1.0 + 1e-8) * dot(d, u, su) + 1e-9 * values[0]);
        free(u);
    }
}

/* S w = C v, the normal equations of the turned responses Y v; and C'w = l v: v is an eigenvector of C'S^-1
 * C. */
static void verify_rrr(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    const int64_t m = p->m;
    double s[d * d], c[d * q], t[n * r], v[r * q], sw[d], cv[d], cw[q];
    support_multiply(1, 0, d, d, n, p->z, p->z, s);
    support_multiply(1, 0, d, m, n, p->z, p->y, c);
    support_multiply(0, 1, n, r, d, p->z, w, t);
    check_scores(t, values, p, v);
    for (int i = 0; i < r; i++) {
        support_multiply(0, 0, d, 1, d, s, w + i * d, sw);
        support_multiply(0, 0, d, 1, m, c, v + i * m, cv);
        support_multiply(1, 0, m, 1, d, c, w + i * d, cw);
        for (int j = 0; j < d; j++) assert_close(sw[j], cv[j], 1e-7 * support_norm(d, sw));
        for (int64_t j = 0; j < m; j++) assert_close(cw[j], values[i] * v[i * m + j], 1e-7 * values[0]);
    }
    check_largest(s, c, m, w, values);
}

const verifier verifier_rrr = {
    .verify = verify_rrr,
    .variants = {"solver=direct", "solver=dual", "solver=two-stage tol=1e-15", NULL},
};
