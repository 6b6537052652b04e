#include "verify/shared/kernel_check.h"

static double shrink(double e, double by)
{
    return e / (e + by);
}

static double shift(double e, double by)
{
    return e + by;
}

/* Ky (Ky + k I)^-1 Kx a = lambda (Kx + k I) a, k = 0.1, the largest ones; a'Kx (Kx + k I)a = I. */
static void verify_kcca(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    static double ky[n * n], left[n * n], right[n * n], shrunk[n * n];
    const double *values = array_of(model, "eigenvalues", r, 0);
    double ka[n * r], one[n * r], two[n * r], gram[r * r];
    kernel_view_make(model, p, &v);
    support_multiply(0, 1, n, n, p->m, p->y, p->y, ky);
    apply_to_spectrum(ky, shrink, 0.1, left);
    apply_to_spectrum(v.kc, shift, 0.1, right);
    apply_to_spectrum(v.kc, shrink, 0.1, shrunk);
    support_multiply(0, 0, n, r, n, v.kc, v.a, ka);
    support_multiply(0, 0, n, r, n, left, ka, one);
    support_multiply(0, 0, n, r, n, right, v.a, two);
    support_multiply(1, 0, r, r, n, ka, two, gram);
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++)
            assert_close(one[i * r + k], values[k] * two[i * r + k], 1e-9 * support_norm(n * r, one));
    for (int i = 0; i < r * r; i++) assert_close(gram[i], i % (r + 1) == 0, 1e-8);
    check_largest_of_product(left, shrunk, values);
}

const verifier verifier_kcca = {.verify = verify_kcca};
