#include "verify/shared/kernel_check.h"

#include <math.h>
#include <stdlib.h>

static double square_distance(const prepared *p, int i, int j)
{
    double sum = 0.0;
    for (int64_t k = 0; k < p->m; k++) sum += pow(p->raw[i * p->m + k] - p->raw[j * p->m + k], 2.0);
    return sum;
}

/* The kernel of auto on the targets, entry by entry. */
static double similarity(const prepared *p, int i, int j, double width)
{
    double inner = 0.0;
    if (p->kind == ALD_TARGET_CLASSES) return (p->classes[i] == p->classes[j]) + (i == j);
    if (p->kind == ALD_TARGET_REAL) return exp(-square_distance(p, i, j) / (2.0 * width * width));
    for (int64_t k = 0; k < p->m; k++) inner += p->raw[i * p->m + k] * p->raw[j * p->m + k];
    return inner;
}

static void centre(double *l)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < n; i++) {
            const int step = side ? n : 1, start = side ? i : i * n;
            double mean = 0.0;
            for (int j = 0; j < n; j++) mean += l[start + j * step] / n;
            for (int j = 0; j < n; j++) l[start + j * step] -= mean;
        }
}

/* KHLHK b = lambda K b as HLH K b = lambda b for centred b; b'Kb = I; the largest ones. */
static void verify_kspca(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    static double l[n * n];
    const double *values = array_of(model, "eigenvalues", r, 0);
    double kb[n * r], lkb[n * r], gram[r * r], width = 1.0;
    if (p->kind == ALD_TARGET_REAL)
        width = strtod(ald_model_text(model, "alidade.resolved.response_width"), NULL);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) l[i * n + j] = similarity(p, i, j, width);
    centre(l);
    kernel_view_make(model, p, &v);
    support_multiply(0, 0, n, r, n, v.k, v.a, kb);
    support_multiply(1, 0, r, r, n, v.a, kb, gram);
    support_multiply(0, 0, n, r, n, l, kb, lkb);
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++)
            assert_close(lkb[i * r + k], values[k] * v.a[i * r + k],
                         1e-7 * values[0] * support_norm(n * r, v.a));
    for (int k = 0; k < r * r; k++) assert_close(gram[k], k % (r + 1) == 0, 1e-8);
    check_largest_of_product(v.kc, l, values);
}

const verifier verifier_kspca = {
    .verify = verify_kspca,
    .variants = {"solver=direct", "solver=dual", "solver=lanczos tol=1e-13",
                 "solver=randomized n_oversamples=200", NULL},
};
