#include "verify/shared/spectral_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* |z_j'y| / |z_j|, the largest over the columns of y, real ones at unit length. */
static double score(const prepared *p, int j)
{
    double best = 0.0, square = 0.0;
    for (int i = 0; i < n; i++) square += p->z[i * d + j] * p->z[i * d + j];
    for (int64_t k = 0; k < p->m; k++) {
        double inner = 0.0, length = 0.0;
        for (int i = 0; i < n; i++) {
            inner += p->z[i * d + j] * p->y[i * p->m + k];
            length += p->y[i * p->m + k] * p->y[i * p->m + k];
        }
        best = fmax(best, fabs(inner) / sqrt(p->kind == ALD_TARGET_REAL ? length : 1.0));
    }
    return best / sqrt(square);
}

/* The best features are kept, as many as the model says; the components are the principal ones of those
 * columns. */
static void verify_bair(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "components", r, d), *scores = array_of(model, "scores", d, 0);
    const int kept = atoi(ald_model_text(model, "alidade.resolved.n_features"));
    double z[n * d], c[d * d];
    memcpy(z, p->z, sizeof z);
    assert_in_range(kept, r, d);
    for (int j = 0; j < d; j++) {
        int better = 0;
        const double own = score(p, j);
        assert_close(scores[j], own, 1e-10 * own);
        for (int other = 0; other < d; other++) better += score(p, other) > own;
        if (better < kept) continue;
        for (int k = 0; k < r; k++) assert_true(w[k * d + j] == 0.0);
        for (int i = 0; i < n; i++) z[i * d + j] = 0.0;
    }
    support_multiply(1, 0, d, d, n, z, z, c);
    check_top_eigenvectors(model, c, NULL);
}

const verifier verifier_bair = {
    .verify = verify_bair,
    .variants = {"solver=direct", "solver=dual", "solver=lanczos tol=1e-13", "solver=randomized", NULL},
    .fixed = "n_features=7",
};
