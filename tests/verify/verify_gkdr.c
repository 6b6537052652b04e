#include "verify/shared/kdr_check.h"

#include "support/eigen.h"

#include <math.h>
#include <string.h>

/* M by the definition: (1/n) sum_i D_i'A Ky A D_i with the n x n inverse written out. */
static void gradients(const double *u, double width, const double *target, double *m)
{
    static double k[n * n], a[n * n], inverse[n * n], half[n * n], f[n * n], slope[n * d], weighed[n * d];
    double add[d * d];
    kdr_rbf(d, u, width, k);
    memcpy(a, k, sizeof a);
    for (int i = 0; i < n; i++) a[i * n + i] += n * 1e-4;
    kdr_invert(a, inverse);
    support_multiply(0, 0, n, n, n, inverse, target, half);
    support_multiply(0, 0, n, n, n, half, inverse, f);
    memset(m, 0, d * d * sizeof *m);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            for (int c = 0; c < d; c++)
                slope[j * d + c] = k[i * n + j] * (u[j * d + c] - u[i * d + c]) / (width * width);
        support_multiply(0, 0, n, d, n, f, slope, weighed);
        support_multiply(1, 0, d, d, n, slope, weighed, add);
        for (int c = 0; c < d * d; c++) m[c] += add[c] / n;
    }
}

/* M b = lambda b, B'B = I, the largest ones. */
static void verify_gkdr(const ald_model *model, const prepared *p)
{
    static double u[n * d], target[n * n];
    double b[r * d], m[d * d], mb[r * d], gram[r * r], all[d], vectors[d * d];
    const double *values = array_of(model, "eigenvalues", r, 0);
    kdr_rows(model, p, u, b);
    kdr_target(model, p, 1.0, target);
    gradients(u, kdr_width(model, d, u, 0.7), target, m);
    support_multiply(0, 0, r, d, d, b, m, mb);
    support_multiply(0, 1, r, r, d, b, b, gram);
    support_eigen(d, m, all, vectors);
    for (int k = 0; k < r; k++) {
        assert_close(values[k], all[k], 1e-8 * all[0]);
        for (int c = 0; c < d; c++) assert_close(mb[k * d + c], values[k] * b[k * d + c], 1e-8 * all[0]);
        for (int l = 0; l < r; l++) assert_close(gram[k * r + l], k == l, 1e-12);
    }
}

const verifier verifier_gkdr = {.verify = verify_gkdr, .variants = {"rank=60", NULL}};
