#include "verify/verifier.h"

#include <math.h>
#include <string.h>

/* One predictive and one orthogonal component by the definition, on copies: w_p leads X'Y, w_o leads what
 * of X varies with E w_p beside it, and the scores are E w_p after the removal and E w_o. */
static void verify_orthogonal_pls(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "weights", r, d), *load = array_of(model, "loadings", r, d),
                 *rotation = array_of(model, "components", r, d), *wo = w + d;
    double s[d * q], c[q], sc[d], t[n], to[n], left[d], scores[n * r];
    support_multiply(1, 0, d, p->m, n, p->z, p->y, s);
    support_multiply(1, 0, p->m, 1, d, s, w, c);
    support_multiply(0, 0, d, 1, p->m, s, c, sc);
    const double top = support_norm(p->m, c) * support_norm(p->m, c);
    for (int j = 0; j < d; j++) assert_close(sc[j], top * w[j], 1e-8 * top);
    support_multiply(0, 0, n, 1, d, p->z, w, t);
    support_multiply(1, 0, d, 1, n, p->z, t, left);
    double along = 0.0, length = 0.0, sign = 0.0;
    for (int j = 0; j < d; j++) along += left[j] * w[j];
    for (int j = 0; j < d; j++) left[j] -= along * w[j];
    length = support_norm(d, left);
    for (int j = 0; j < d; j++) sign += left[j] * wo[j];
    for (int j = 0; j < d; j++) assert_close(wo[j], copysign(left[j] / length, sign * left[j]), 1e-8);
    support_multiply(0, 0, n, 1, d, p->z, wo, to);
    const double size = support_norm(n, to);
    double beside = 0.0;
    for (int j = 0; j < d; j++) {
        double product = 0.0;
        for (int i = 0; i < n; i++) product += p->z[i * d + j] * to[i] / (size * size);
        assert_close(load[d + j], product, 1e-9 * support_norm(d, load + d));
        beside += product * w[j];
    }
    support_multiply(0, 1, n, r, d, p->z, rotation, scores);
    for (int i = 0; i < n; i++) {
        assert_close(scores[i * r], t[i] - to[i] * beside, 1e-8 * support_norm(n, t));
        assert_close(scores[i * r + 1], to[i], 1e-8 * size);
    }
}

const verifier verifier_orthogonal_pls = {.verify = verify_orthogonal_pls, .always = "n_predictive=1"};
