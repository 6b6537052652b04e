#include "verify/verifier.h"

#include <math.h>
#include <string.h>

enum { features = 4 };

/* u (d) = soft(s c) / |.| with at most `features` entries, c = s'u / |.| of the u given. */
static void step(const double *s, int64_t m, const double *u, double *next)
{
    double c[q], cut = 0.0, norm = 0.0;
    support_multiply(1, 0, m, 1, d, s, u, c);
    const double length = support_norm(m, c);
    for (int64_t k = 0; k < m; k++) c[k] /= length;
    support_multiply(0, 0, d, 1, m, s, c, next);
    for (int j = 0; j < d; j++) { /* the largest modulus that has exactly `features` above it */
        int above = 0;
        for (int i = 0; i < d; i++) above += fabs(next[i]) > fabs(next[j]);
        if (above == features) cut = fabs(next[j]);
    }
    for (int j = 0; j < d; j++) next[j] = copysign(fmax(fabs(next[j]) - cut, 0.0), next[j]);
    norm = support_norm(d, next);
    for (int j = 0; j < d; j++) next[j] /= norm;
}

/* On deflated copies of Z and Y: the weights stay where they are under a step, and have few entries;
 * scores by the rotation are those of the deflation. */
static void verify_spls(const ald_model *model, const prepared *p)
{
    const double *w = array_of(model, "weights", r, d), *load = array_of(model, "loadings", r, d),
                 *rotation = array_of(model, "components", r, d);
    double z[n * d], y[n * q], s[d * q], next[d];
    memcpy(z, p->z, sizeof z);
    memcpy(y, p->y, (size_t)(n * p->m) * sizeof *y);
    for (int a = 0; a < r; a++) {
        double t[n], score[n], along[q] = {0};
        int count = 0;
        support_multiply(1, 0, d, p->m, n, z, y, s);
        step(s, p->m, w + a * d, next);
        assert_below(support_largest_difference(d, next, w + a * d), 1e-8);
        for (int j = 0; j < d; j++) count += fabs(w[a * d + j]) > 0.0;
        assert_int_equal(count, features);
        support_multiply(0, 0, n, 1, d, z, w + a * d, t);
        support_multiply(0, 0, n, 1, d, p->z, rotation + a * d, score);
        assert_below(support_largest_difference(n, t, score), 1e-9 * support_norm(n, t));
        const double tt = support_norm(n, t) * support_norm(n, t);
        for (int i = 0; i < n; i++)
            for (int64_t k = 0; k < p->m; k++) along[k] += y[i * p->m + k] * t[i] / tt;
        for (int j = 0; j < d; j++) {
            double product = 0.0;
            for (int i = 0; i < n; i++) product += z[i * d + j] * t[i];
            assert_close(load[a * d + j], product / tt, 1e-9 * support_norm(d, load + a * d));
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) z[i * d + j] -= t[i] * load[a * d + j];
            for (int64_t k = 0; k < p->m; k++) y[i * p->m + k] -= t[i] * along[k];
        }
    }
}

const verifier verifier_spls = {.verify = verify_spls, .always = "n_features=4", .tolerance = 1e-7};
