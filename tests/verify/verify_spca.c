#include "verify/shared/spectral_check.h"

#include <math.h>
#include <stdlib.h>

static double square_distance(const prepared *p, int i, int j)
{
    double sum = 0.0;
    for (int64_t k = 0; k < p->m; k++) sum += pow(p->raw[i * p->m + k] - p->raw[j * p->m + k], 2.0);
    return sum;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over pairs i < j, each counted w_i w_j times, and the copies of a row among each other at 0. */
static double median_distance(const prepared *p)
{
    static double all[n * (n - 1) / 2][2];
    double copies = 0.0, total = 0.0, below = -1.0;
    int count = 0;
    for (int i = 0; i < n; i++) {
        copies += fmax(0.0, p->weights[i] * (p->weights[i] - 1.0) / 2.0);
        for (int j = i + 1; j < n; j++, count++) {
            all[count][0] = sqrt(square_distance(p, i, j));
            total += all[count][1] = p->weights[i] * p->weights[j];
        }
    }
    qsort(all, (size_t)count, sizeof *all, ascending);
    total += copies;
    double sum = copies;
    for (int k = 0; k < count; k++) {
        sum += all[k][1];
        if (below < 0.0 && sum >= total / 2.0) below = all[k][0];
        if (sum > total / 2.0) return (below + all[k][0]) / 2.0;
    }
    return -1.0;
}

/* The kernel of auto, entry by entry, on targets as they are. */
static double similarity(const prepared *p, int i, int j, double width)
{
    double inner = 0.0;
    if (p->kind == ALD_TARGET_CLASSES) return p->classes[i] == p->classes[j];
    if (p->kind == ALD_TARGET_REAL) return exp(-square_distance(p, i, j) / (2.0 * width * width));
    for (int64_t k = 0; k < p->m; k++) inner += p->raw[i * p->m + k] * p->raw[j * p->m + k];
    return inner;
}

/* Z'LZ w = lambda w, W'W = I, the largest ones, with L written out. */
static void verify_spca(const ald_model *model, const prepared *p)
{
    static double l[n * n], lz[n * d];
    double c[d * d], width = 1.0;
    if (p->kind == ALD_TARGET_REAL) {
        width = strtod(ald_model_text(model, "alidade.resolved.response_width"), NULL);
        assert_close(width, median_distance(p), 1e-12 * width);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int add = p->kind == ALD_TARGET_CLASSES && i == j;
            l[i * n + j] = p->root[i] * p->root[j] * similarity(p, i, j, width) + add;
        }
    support_multiply(0, 0, n, d, n, l, p->z, lz);
    support_multiply(1, 0, d, d, n, p->z, lz, c);
    check_top_eigenvectors(model, c, NULL);
}

const verifier verifier_spca = {
    .verify = verify_spca,
    .variants = {"solver=direct", "solver=dual", "solver=lanczos tol=1e-13",
                 "solver=randomized iterated_power=1 n_oversamples=3", NULL},
    .fixed = "response_width=8",
};
