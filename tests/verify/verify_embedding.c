/* The checks of the methods that embed the given rows: places within the span of the smoothest functions on
 * the graph, recomputed by plain loops. That they are the best ones there is checked in test_embedding.c,
 * with all dimensions. */
#include "verify/shared/manifold_check.h"

#include "support/eigen.h"

#include <math.h>
#include <string.h>

/* The normalised Laplacian of the graph of 5 neighbours, whose eigenvectors of eigenvalues 2 .. 11 from below
 * are V.
 */
static void smoothest(const prepared *p, double *v)
{
    enum { k = 5 };
    static double x[n * d], w[n * n], laplacian[n * n], vectors[n * n];
    double degree[n] = {0}, values[n];
    unsigned char all[n];
    memset(all, 1, sizeof all);
    memset(w, 0, sizeof w);
    plain_rows(p, x);
    for (int i = 0; i < n; i++) {
        int near[k];
        assert_int_equal(nearest_allowed(x, i, k, all, near), k);
        for (int a = 0; a < k; a++) w[i * n + near[a]] = w[near[a] * n + i] = 1.0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) degree[i] += w[i * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            laplacian[i * n + j] = (i == j) - w[i * n + j] / sqrt(degree[i] * degree[j]);
    support_eigen(n, laplacian, values, vectors);
    assert_true(values[n - 2] > 1e-6); /* connected */
    for (int a = 0; a < 10; a++) memcpy(v + a * n, vectors + (n - 2 - a) * n, n * sizeof *v);
}

static void verify_embedding(const ald_model *model, const prepared *p)
{
    static double v[10 * n];
    const double *z = array_of(model, "embedding", n, r), *values = array_of(model, "eigenvalues", r, 0);
    double along[10 * r], back[n * r], inner[r * r];
    smoothest(p, v);
    support_multiply(0, 0, 10, r, n, v, z, along);
    support_multiply(1, 0, n, r, 10, v, along, back);
    assert_below(support_largest_difference(n * r, back, z), 1e-7 * support_norm(n * r, z));
    support_multiply(1, 0, r, r, n, z, z, inner);
    for (int a = 0; a < r; a++)
        for (int b = 0; b < r; b++)
            assert_close(inner[a * r + b], a == b ? values[a] : 0.0, 1e-9 * values[0]);
    assert_true(values[0] >= values[1] && values[1] > 0.0);
}

/* A minimum whose value is known to a gap of 1e-12 is a place known to the root of that. */
const verifier verifier_mkdr = {
    .verify = verify_embedding,
    .variants = {NULL},
    .always = "tol=1e-12 ridge=0.1",
    .tolerance = 1e-6,
    .is_slow = 1,
};
const verifier verifier_cmvu = {
    .verify = verify_embedding,
    .variants = {NULL},
    .always = "tol=1e-13",
    .tolerance = 1e-6,
    .is_slow = 1,
};
