#include "verify/shared/manifold_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sigma, Gamma, S and Q by the definitions, every pair of rows on its own. */
typedef struct matrices {
    double sigma[d * d], gamma[d * d], s[d * d], quad[d * d];
} matrices;

static void add_square(double factor, const double *v, double *m)
{
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) m[a * d + b] += factor * v[a] * v[b];
}

static void covariances(const prepared *p, const double *x, double ridge, matrices *m)
{
    for (int i = 0; i < n; i++) add_square(1.0 / n, x + i * d, m->sigma);
    for (int c = 0; c < d; c++) m->sigma[c * d + c] += ridge;
    for (int h = 0; h < 10; h++) {
        double mean[d] = {0};
        int count = 0;
        for (int i = 0; i < n; i++)
            if (slice_of_row(p, i) == h) {
                count++;
                for (int c = 0; c < d; c++) mean[c] += x[i * d + c];
            }
        if (count > 0) add_square(1.0 / count / n, mean, m->gamma);
    }
}

static void penalties(const double *x, matrices *m)
{
    enum { k = 5 };
    static double w[n * n];
    static int near[n][k];
    double width = 0.0, total = 0.0, degree[n] = {0}, mean[d] = {0}, v[d];
    unsigned char all[n];
    memset(all, 1, sizeof all);
    memset(w, 0, sizeof w);
    for (int i = 0; i < n; i++) {
        assert_int_equal(nearest_allowed(x, i, k, all, near[i]), k);
        for (int a = 0; a < k; a++) width += square_between(x + i * d, x + near[i][a] * d) / (n * k);
    }
    for (int i = 0; i < n; i++)
        for (int a = 0; a < k; a++) {
            const int j = near[i][a];
            w[i * n + j] = w[j * n + i] = exp(-square_between(x + i * d, x + j * d) / width);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) degree[i] += w[i * n + j];
    for (int i = 0; i < n; i++) total += degree[i];
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) mean[c] += degree[i] * x[i * d + c] / total;
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < d; c++) v[c] = x[i * d + c] - mean[c];
        add_square(degree[i] / total, v, m->s);
        for (int j = 0; j < n; j++) {
            for (int c = 0; c < d; c++) v[c] = x[i * d + c] - x[j * d + c];
            add_square(0.5 * w[i * n + j] / total, v, m->quad);
        }
    }
}

/* tr((B'D B)^-1 B'N B) for B' = w (r x d), and 2 (N B - D B (B'D B)^-1 B'N B)(B'D B)^-1 added to g with
 * `factor`; the length of the first term to *size. r is 2. */
static double ratio(const double *w, const double *num, const double *den, double factor, double *g,
                    double *size)
{
    double nb[r * d], db[r * d], nn[r * r], dd[r * r], ratio[r * r], first = 0.0;
    support_multiply(0, 0, r, d, d, w, num, nb);
    support_multiply(0, 0, r, d, d, w, den, db);
    support_multiply(0, 1, r, r, d, w, nb, nn);
    support_multiply(0, 1, r, r, d, w, db, dd);
    const double det = dd[0] * dd[3] - dd[1] * dd[2];
    const double inverse[r * r] = {dd[3] / det, -dd[1] / det, -dd[2] / det, dd[0] / det};
    support_multiply(0, 0, r, r, r, inverse, nn, ratio);
    for (int a = 0; a < r; a++)
        for (int c = 0; c < d; c++) {
            double sum = 0.0, lead = 0.0;
            for (int b = 0; b < r; b++) {
                double rest = nb[b * d + c];
                for (int e = 0; e < r; e++) rest -= ratio[e * r + b] * db[e * d + c];
                sum += inverse[a * r + b] * rest;
                lead += inverse[a * r + b] * nb[b * d + c];
            }
            g[a * d + c] += factor * 2.0 * sum;
            first += lead * lead;
        }
    *size += fabs(factor) * 2.0 * sqrt(first);
    return factor * (ratio[0] + ratio[3]);
}

/* Stationary and of the stated value in the coordinates of X, normalised and turned as said. */
static void verify_rsir(const ald_model *model, const prepared *p)
{
    static matrices m;
    static double x[n * d];
    const double *w = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    const char *ridge = ald_model_text(model, "alidade.resolved.ridge");
    double g[r * d] = {0}, size = 0.0, product[r * d], small[r * r];
    memset(&m, 0, sizeof m);
    plain_rows(p, x);
    covariances(p, x, ridge ? strtod(ridge, NULL) : 0.0, &m);
    penalties(x, &m);
    const double value =
        ratio(w, m.gamma, m.sigma, -1.0, g, &size) + ratio(w, m.quad, m.s, 1.0, g, &size); /* eta = 1 */
    assert_close(strtod(ald_model_text(model, "alidade.resolved.objective"), NULL), value, 1e-8);
    assert_below(support_norm(r * d, g), 1e-6 * size);
    support_multiply(0, 0, r, d, d, w, m.sigma, product);
    support_multiply(0, 1, r, r, d, product, w, small);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++) assert_close(small[a * r + b], a == b, 1e-9);
    support_multiply(0, 0, r, d, d, w, m.gamma, product);
    support_multiply(0, 1, r, r, d, product, w, small);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++) assert_close(small[a * r + b], a == b ? values[a] : 0.0, 1e-9);
    assert_true(values[0] >= values[1]);
}

const verifier verifier_rsir = {
    .verify = verify_rsir,
    .variants = {"n_starts=3", NULL},
    .always = "tol=1e-13",
};
