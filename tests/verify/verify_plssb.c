#include "verify/shared/spectral_check.h"

/* Z'YY'Z w = lambda w, W'W = I, the largest ones. */
static void verify_plssb(const ald_model *model, const prepared *p)
{
    double s[d * q], c[d * d];
    support_multiply(1, 0, d, p->m, n, p->z, p->y, s);
    support_multiply(0, 1, d, d, p->m, s, s, c);
    check_top_eigenvectors(model, c, NULL);
}

const verifier verifier_plssb = {
    .verify = verify_plssb,
    .variants = {"solver=direct", "solver=dual", "solver=lanczos tol=1e-13",
                 "solver=randomized iterated_power=1 n_oversamples=3", NULL},
};
