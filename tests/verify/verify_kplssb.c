#include "verify/shared/kernel_check.h"

#include <math.h>

/* The inverse of a 2 x 2 matrix. */
static void invert(const double *m, double *out)
{
    const double det = m[0] * m[3] - m[1] * m[2];
    out[0] = m[3] / det;
    out[1] = -m[1] / det;
    out[2] = -m[2] / det;
    out[3] = m[0] / det;
}

/* The map gives Z = T (T'T)^-1, so T = Z (Z'Z)^-1: unit columns, Kx Ky T = T diag(lambda), and the
 * coefficients are those of (30), a = W (T'Kx W)^-1 with W = Ky T. */
static void verify_kplssb(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    static double ky[n * n];
    const double *values = array_of(model, "eigenvalues", r, 0);
    double zz[r * r], inverse[r * r], t[n * r], w[n * r], kw[n * r], tkw[r * r], a[n * r];
    kernel_view_make(model, p, &v);
    support_multiply(0, 1, n, n, p->m, p->y, p->y, ky);
    support_multiply(1, 0, r, r, n, v.z, v.z, zz);
    invert(zz, inverse);
    support_multiply(0, 0, n, r, r, v.z, inverse, t);
    support_multiply(0, 0, n, r, n, ky, t, w);
    support_multiply(0, 0, n, r, n, v.kc, w, kw);
    support_multiply(1, 0, r, r, n, t, kw, tkw);
    invert(tkw, inverse);
    support_multiply(0, 0, n, r, r, w, inverse, a);
    for (int k = 0; k < r; k++) {
        double square = 0.0;
        for (int i = 0; i < n; i++) square += t[i * r + k] * t[i * r + k];
        assert_close(square, 1.0, 1e-9);
        for (int i = 0; i < n; i++) assert_close(kw[i * r + k], values[k] * t[i * r + k], 1e-8 * values[0]);
    }
    assert_below(support_largest_difference(n * r, a, v.a), 1e-8 * support_norm(n * r, a));
    check_largest_of_product(v.kc, ky, values);
}

const verifier verifier_kplssb = {.verify = verify_kplssb};
