#include "verify/verifier.h"

#include <math.h>
#include <string.h>

/* Every equation of the deflation, on deflated copies of Z and Y; w is a leading singular vector. */
static void verify_pls(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "weights", r, d), *load = array_of(model, "loadings", r, d),
                 *rotation = array_of(model, "components", r, d),
                 *load_y = array_of(model, "response_loadings", r, p->m);
    double z[n * d], y[n * q], s[d * q], c[q], sc[d];
    memcpy(z, p->z, sizeof z);
    memcpy(y, p->y, (size_t)(n * p->m) * sizeof *y);
    for (int a = 0; a < r; a++) {
        double t[n], score[n];
        support_multiply(1, 0, d, p->m, n, z, y, s);
        support_multiply(1, 0, p->m, 1, d, s, w + a * d, c);
        support_multiply(0, 0, d, 1, p->m, s, c, sc);
        const double top = support_norm(p->m, c) * support_norm(p->m, c);
        assert_close(support_norm(d, w + a * d), 1.0, 1e-12);
        for (int j = 0; j < d; j++) assert_close(sc[j], top * w[a * d + j], 1e-8 * top);
        support_multiply(0, 0, n, 1, d, z, w + a * d, t);
        support_multiply(0, 0, n, 1, d, p->z, rotation + a * d, score);
        assert_below(support_largest_difference(n, t, score), 1e-9 * support_norm(n, t));
        const double tt = support_norm(n, t) * support_norm(n, t);
        for (int j = 0; j < d; j++) {
            double product = 0.0;
            for (int i = 0; i < n; i++) product += z[i * d + j] * t[i];
            assert_close(load[a * d + j], product / tt, 1e-9 * support_norm(d, load + a * d));
        }
        for (int64_t k = 0; k < p->m; k++) {
            double product = 0.0;
            for (int i = 0; i < n; i++) product += y[i * p->m + k] * t[i];
            assert_close(load_y[a * p->m + k], product / tt, 1e-9 * support_norm(p->m, load_y + a * p->m));
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) z[i * d + j] -= t[i] * load[a * d + j];
            for (int64_t k = 0; k < p->m; k++) y[i * p->m + k] -= t[i] * load_y[a * p->m + k];
        }
    }
}

const verifier verifier_pls = {
    .verify = verify_pls,
    .variants = {"algorithm=ikpls", "algorithm=nipals", NULL},
};
