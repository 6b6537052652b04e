#include "methods/verifier.h"

#include <math.h>
#include <string.h>

/* Z'Z w = lambda w, W'W = I, the largest ones: the trace left outside is what the other eigenvalues add up to. */
static void verify_pca(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d), *values = array_of(model, "eigenvalues", r, 0);
    double c[d * d], cw[d * r], gram[r * r];
    support_multiply(1, 0, d, d, n, p->z, p->z, c);
    support_multiply(0, 1, d, r, d, c, w, cw);
    support_multiply(0, 1, r, r, d, w, w, gram);
    for (int k = 0; k < r; k++) {
        for (int j = 0; j < d; j++) assert_close(cw[j * r + k], values[k] * w[k * d + j], 1e-8 * values[0]);
        for (int l = 0; l < r; l++) assert_close(gram[k * r + l], k == l, 1e-9);
        if (k) assert_true(values[k] <= values[k - 1]);
    }
    /* No direction orthogonal to W has a larger quotient: power iteration on the rest. */
    double v[d], next[d], quotient = 0.0;
    for (int j = 0; j < d; j++) v[j] = 1.0 + j;
    for (int step = 0; step < 500; step++) {
        for (int k = 0; k < r; k++) {
            double along = 0.0;
            for (int j = 0; j < d; j++) along += w[k * d + j] * v[j];
            for (int j = 0; j < d; j++) v[j] -= along * w[k * d + j];
        }
        const double norm = support_norm(d, v);
        for (int j = 0; j < d; j++) v[j] /= norm;
        support_multiply(0, 0, d, 1, d, c, v, next);
        quotient = 0.0;
        for (int j = 0; j < d; j++) quotient += v[j] * next[j];
        memcpy(v, next, sizeof v);
    }
    assert_below(quotient, values[r - 1] * (1.0 + 1e-8));
}

const verifier verifier_pca = {.verify = verify_pca,
                               .variants = {"solver=direct", "solver=dual", "solver=lanczos tol=1e-13", NULL}};
