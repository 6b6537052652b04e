#include "verify/shared/spectral_check.h"

/* Z'Z w = lambda w, W'W = I, the largest ones; ratios to the trace. */
static void verify_pca(const ald_model *model, const prepared *p)
{
    const double *values = array_of(model, "eigenvalues", r, 0),
                 *ratio = array_of(model, "explained_variance_ratio", r, 0);
    const double norm = support_norm(n * d, p->z);
    double c[d * d];
    support_multiply(1, 0, d, d, n, p->z, p->z, c);
    check_top_eigenvectors(model, c, NULL);
    for (int k = 0; k < r; k++) assert_close(ratio[k], values[k] / (norm * norm), 1e-12);
}

const verifier verifier_pca = {
    .verify = verify_pca,
    .variants = {"solver=direct", "solver=dual", "solver=lanczos tol=1e-13", "solver=randomized",
                 "solver=randomized iterated_power=1 n_oversamples=3", NULL},
};
