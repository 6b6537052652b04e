#include "verify/shared/spectral_check.h"

/* Z'YY'Z w = lambda w, W'W = I, the largest ones; check_pls_family.py has the other constraint. */
static void verify_mddm(const ald_model *model, const prepared *p)
{
    double s[d * q], c[d * d];
    support_multiply(1, 0, d, p->m, n, p->z, p->y, s);
    support_multiply(0, 1, d, d, p->m, s, s, c);
    check_top_eigenvectors(model, c, NULL);
}

const verifier verifier_mddm = {.verify = verify_mddm, .variants = {"solver=direct", "solver=dual", NULL}};
