#include "support/eigen.h"
#include "verify/shared/kernel_check.h"

#include <math.h>
#include <string.h>

/* Kc a = lambda a, a'Kc a = I, the largest ones; ratios to the trace. */
static void verify_kpca(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    static double copy[n * n], all[n], rows[n * n];
    const double *values = array_of(model, "eigenvalues", r, 0),
                 *ratio = array_of(model, "explained_variance_ratio", r, 0);
    const estimate told = estimate_of(model);
    double ka[n * r], gram[r * r], trace = 0.0;
    kernel_view_make(model, p, &v);
    support_multiply(0, 0, n, r, n, v.kc, v.a, ka);
    support_multiply(1, 0, r, r, n, v.a, ka, gram);
    memcpy(copy, v.kc, sizeof copy);
    support_eigen(n, copy, all, rows);
    for (int i = 0; i < n; i++) trace += v.kc[i * n + i];
    for (int k = 0; k < r; k++) {
        assert_close(values[k], all[k], (1e-9 + told.error) * all[0]);
        assert_close(ratio[k], values[k] / trace, 1e-12);
        const double slack = (1e-8 + told.residual / sqrt(values[k])) * values[0];
        for (int i = 0; i < n; i++) assert_close(ka[i * r + k], values[k] * v.a[i * r + k], slack);
        for (int l = 0; l < r; l++) assert_close(gram[k * r + l], k == l, 1e-9);
    }
}

const verifier verifier_kpca = {
    .verify = verify_kpca,
    .variants = {"solver=direct", "solver=lanczos tol=1e-13",
                 "solver=randomized iterated_power=1 n_oversamples=3", NULL},
};
