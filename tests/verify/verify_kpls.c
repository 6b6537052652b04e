#include "support/eigen.h"
#include "verify/shared/kernel_check.h"

#include <math.h>
#include <string.h>

/* m (rows x cols) <- (I - zz')m. */
static void deflate(int64_t cols, const double *z, double *m)
{
    for (int64_t c = 0; c < cols; c++) {
        double along = 0.0;
        for (int i = 0; i < n; i++) along += z[i] * m[i * cols + c];
        for (int i = 0; i < n; i++) m[i * cols + c] -= along * z[i];
    }
}

static void transpose(double *m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double keep = m[i * n + j];
            m[i * n + j] = m[j * n + i];
            m[j * n + i] = keep;
        }
}

/* Rosipal and Trejo by the letter: the scores z are orthonormal, each is a fixed point of z = K Y Y'z with K
 * and Y deflated by those before, and the one of the largest factor. */
static void verify_kpls(const ald_model *model, const prepared *p)
{
    static kernel_view v;
    static double k[n * n], y[n * q], ky[n * q];
    double gram[r * r];
    kernel_view_make(model, p, &v);
    memcpy(k, v.kc, sizeof k);
    memcpy(y, p->y, (size_t)(n * p->m) * sizeof *y);
    support_multiply(1, 0, r, r, n, v.z, v.z, gram);
    for (int i = 0; i < r * r; i++) assert_close(gram[i], i % (r + 1) == 0, 1e-8);
    for (int c = 0; c < r; c++) {
        double z[n], t[q], image[n], square[q * q], values[q], rows[q * q];
        for (int i = 0; i < n; i++) z[i] = v.z[i * r + c];
        support_multiply(0, 0, n, p->m, n, k, y, ky);
        support_multiply(1, 0, p->m, 1, n, y, z, t);
        support_multiply(0, 0, n, 1, p->m, ky, t, image);
        support_multiply(1, 0, p->m, p->m, n, y, ky, square);
        support_eigen(p->m, square, values, rows);
        for (int i = 0; i < n; i++) assert_close(image[i], values[0] * z[i], 1e-8 * values[0]);
        deflate(n, z, k);
        transpose(k);
        deflate(n, z, k);
        deflate(p->m, z, y);
    }
}

const verifier verifier_kpls = {.verify = verify_kpls};
