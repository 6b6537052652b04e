/* opg and mave: a sweep by plain loops from where the model stopped leads to the same subspace, with the
 * eigenvalues and the objective of the model. */
#include "support/eigen.h"
#include "verify/shared/whitened_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_order = d * r };

/* The data, and the local fit about one row. */
typedef struct local {
    whitened w;
    int64_t m; /* responses */
    double y[n * q], c[d * r], z[n * r];
    double s[d * d], cross[d * q], spread;
} local;

static double number(const ald_model *model, const char *key)
{
    assert_non_null(ald_model_text(model, key));
    return strtod(ald_model_text(model, key), NULL);
}

/* c = T'Sigma B of the components B. */
static void begin(const ald_model *model, const prepared *p, local *l)
{
    double sb[d * r];
    whiten_by_loops(p, &l->w);
    support_multiply(0, 1, d, r, d, l->w.sigma, array_of(model, "components", r, d), sb);
    support_multiply(1, 0, l->w.rank, r, d, l->w.transform, sb, l->c);
    support_multiply(0, 0, n, r, l->w.rank, l->w.rows, l->c, l->z);
    l->m = p->m;
    for (int64_t k = 0; k < p->m; k++) {
        double square = 0.0;
        for (int i = 0; i < n; i++) square += p->y[i * p->m + k] * p->y[i * p->m + k] / n;
        for (int i = 0; i < n; i++)
            l->y[i * p->m + k] = p->y[i * p->m + k] / (p->kind == ALD_TARGET_REAL ? sqrt(square) : 1.0);
    }
}

static void fit_about(int j, double h, local *l)
{
    const int order = l->w.rank;
    const int64_t m = l->m;
    double weight[n], total = 0.0, mean[d] = {0}, y_mean[q] = {0};
    for (int i = 0; i < n; i++) {
        double square = 0.0;
        for (int k = 0; k < r; k++) square += pow(l->z[i * r + k] - l->z[j * r + k], 2.0);
        total += weight[i] = exp(-square / (2.0 * h * h));
    }
    for (int i = 0; i < n; i++) {
        weight[i] /= total;
        for (int a = 0; a < order; a++) mean[a] += weight[i] * l->w.rows[i * order + a];
        for (int64_t k = 0; k < m; k++) y_mean[k] += weight[i] * l->y[i * m + k];
    }
    memset(l->s, 0, sizeof l->s);
    memset(l->cross, 0, sizeof l->cross);
    l->spread = 0.0;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < order; a++) {
            const double off = weight[i] * (l->w.rows[i * order + a] - mean[a]);
            for (int b = 0; b < order; b++) l->s[a * order + b] += off * (l->w.rows[i * order + b] - mean[b]);
            for (int64_t k = 0; k < m; k++) {
                const double y = l->y[i * m + k] - y_mean[k];
                l->cross[a * m + k] += off * y;
                if (a == 0) l->spread += weight[i] * y * y;
            }
        }
}

/* b (order x columns) <- (a + 1e-6 tr(a)/order I)^-1 b, by elimination without pivots: a is positive. */
static void solve(int order, int64_t columns, double *a, double *b)
{
    double trace = 0.0;
    for (int i = 0; i < order; i++) trace += a[i * order + i];
    for (int i = 0; i < order; i++) a[i * order + i] += 1e-6 * trace / order;
    for (int k = 0; k < order; k++)
        for (int i = 0; i < order; i++) {
            const double by = i == k ? 0.0 : a[i * order + k] / a[k * order + k];
            for (int j = k; j < order; j++) a[i * order + j] -= by * a[k * order + j];
            for (int64_t j = 0; j < columns; j++) b[i * columns + j] -= by * b[k * columns + j];
        }
    for (int i = 0; i < order; i++)
        for (int64_t j = 0; j < columns; j++) b[i * columns + j] /= a[i * order + i];
}

/* B'Sigma B = I, and the bandwidth is the last one. */
static double check_common(const ald_model *model, const local *l)
{
    const double h = number(model, "alidade.resolved.bandwidth");
    double gram[r * r];
    support_multiply(1, 0, r, r, l->w.rank, l->c, l->c, gram);
    for (int k = 0; k < r * r; k++) assert_close(gram[k], k % (r + 1) == 0, 1e-9);
    assert_close(h, 2.34 * pow(n, -1.0 / 7.0), 1e-12);
    return h;
}

static void verify_opg(const ald_model *model, const prepared *p)
{
    static local l;
    double m[d * d] = {0};
    begin(model, p, &l);
    const double h = check_common(model, &l);
    for (int j = 0; j < n; j++) {
        fit_about(j, h, &l);
        solve(l.w.rank, l.m, l.s, l.cross);
        for (int a = 0; a < l.w.rank; a++)
            for (int b = 0; b < l.w.rank; b++)
                for (int64_t k = 0; k < l.m; k++)
                    m[a * l.w.rank + b] += l.cross[a * l.m + k] * l.cross[b * l.m + k] / n;
    }
    double values[d], vectors[d * d];
    support_eigen(l.w.rank, m, values, vectors);
    for (int k = 0; k < r; k++) {
        double along = 0.0;
        for (int a = 0; a < l.w.rank; a++) along += vectors[k * l.w.rank + a] * l.c[a * r + k];
        assert_close(fabs(along), 1.0, 1e-8);
        assert_close(array_of(model, "eigenvalues", r, 0)[k], values[k], 1e-7 * values[0]);
    }
}

/* The slopes along c (r x m) of the local fit; adds what it leaves to `left`. */
static void slopes_along(const local *l, double *a, double *left)
{
    double sc[d * r], csc[r * r], with[r * q], plain[r * r];
    support_multiply(0, 0, l->w.rank, r, l->w.rank, l->s, l->c, sc);
    support_multiply(1, 0, r, r, l->w.rank, l->c, sc, csc);
    support_multiply(1, 0, r, (int)l->m, l->w.rank, l->c, l->cross, a);
    memcpy(with, a, sizeof with);
    memcpy(plain, csc, sizeof plain);
    solve(r, l->m, csc, a);
    *left += l->spread;
    for (int64_t i = 0; i < r * l->m; i++) *left -= 2.0 * a[i] * with[i];
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++)
            for (int64_t k = 0; k < l->m; k++) *left += plain[i * r + j] * a[i * l->m + k] * a[j * l->m + k];
}

static void verify_mave(const ald_model *model, const prepared *p)
{
    static local l;
    static double matrix[most_order * most_order];
    double right[most_order] = {0}, outer[r * r] = {0}, a[r * q], left = 0.0;
    begin(model, p, &l);
    const double h = check_common(model, &l);
    const int rank = l.w.rank, order = rank * r;
    memset(matrix, 0, sizeof matrix);
    for (int j = 0; j < n; j++) {
        fit_about(j, h, &l);
        slopes_along(&l, a, &left);
        for (int i = 0; i < order; i++) {
            for (int64_t k = 0; k < l.m; k++) right[i] += l.cross[i % rank * l.m + k] * a[i / rank * l.m + k];
            for (int e = 0; e < order; e++)
                for (int64_t k = 0; k < l.m; k++)
                    matrix[i * order + e] +=
                        a[i / rank * l.m + k] * a[e / rank * l.m + k] * l.s[i % rank * rank + e % rank];
        }
        for (int i = 0; i < r * r; i++)
            for (int64_t k = 0; k < l.m; k++) outer[i] += a[i / r * l.m + k] * a[i % r * l.m + k] / n;
    }
    solve(order, 1, matrix, right);
    for (int k = 0; k < r; k++) { /* the new columns are in the span of the old ones */
        double rest[d], length = support_norm(rank, right + k * rank);
        memcpy(rest, right + k * rank, (size_t)rank * sizeof *rest);
        for (int i = 0; i < r; i++) {
            double along = 0.0;
            for (int e = 0; e < rank; e++) along += l.c[e * r + i] * right[k * rank + e];
            for (int e = 0; e < rank; e++) rest[e] -= along * l.c[e * r + i];
        }
        assert_below(support_norm(rank, rest), 1e-7 * length);
        assert_close(outer[k * r + k], array_of(model, "eigenvalues", r, 0)[k], 1e-8 * outer[0]);
    }
    assert_below(fabs(outer[1]), 1e-8 * outer[0]);
    assert_close(number(model, "alidade.resolved.objective"), left / n, 1e-9 * left / n);
}

#define LONG_RUN .always = "tol=1e-11 max_iter=2000", .brief = "max_iter=3", .is_slow = 1, .tolerance = 1e-6
const verifier verifier_opg = {.verify = verify_opg, LONG_RUN};
const verifier verifier_mave = {.verify = verify_mave, LONG_RUN};
