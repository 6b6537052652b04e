/* The reference backend: plain loops, written to be seen to be right. Eigenvalues by cyclic Jacobi rotations,
 * the SVD by one-sided Jacobi, QR by Gram-Schmidt done twice. Slow; the tests compare the other backend with
 * it. */
#include "math/backend/backend.h"

#include <math.h>
#include <string.h>

static double at(const double *a, int64_t lda, int trans, int64_t i, int64_t j)
{
    return trans ? a[j * lda + i] : a[i * lda + j];
}

static ald_status gemm(ald_run *run, int trans_a, int trans_b, int64_t m, int64_t n, int64_t k, double alpha,
                       const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
                       int64_t ldc)
{
    (void)run;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (int64_t l = 0; l < k; l++) sum += at(a, lda, trans_a, i, l) * at(b, ldb, trans_b, l, j);
            c[i * ldc + j] = alpha * sum + (beta == 0.0 ? 0.0 : beta * c[i * ldc + j]);
        }
    return ALD_OK;
}

static ald_status gemm_single(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                              float *c)
{
    (void)run;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0.0F;
            for (int64_t l = 0; l < k; l++) sum += a[i * k + l] * b[j * k + l];
            c[i * n + j] = sum;
        }
    return ALD_OK;
}

static ald_status syrk(ald_run *run, int trans, int64_t n, int64_t k, double alpha, const double *a,
                       int64_t lda, double beta, double *c, int64_t ldc)
{
    (void)run;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) {
            double sum = 0.0;
            for (int64_t l = 0; l < k; l++) sum += at(a, lda, trans, i, l) * at(a, lda, trans, j, l);
            c[i * ldc + j] = alpha * sum + (beta == 0.0 ? 0.0 : beta * c[i * ldc + j]);
        }
    return ALD_OK;
}

/* Tangent, cosine and sine of the rotation that makes the off-diagonal entry pq of a symmetric 2 x 2 matrix
 * 0. */
static double rotation(double pp, double pq, double qq, double *cosine, double *sine)
{
    const double tau = (qq - pp) / (2.0 * pq);
    const double t = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
    *cosine = 1.0 / sqrt(1.0 + t * t);
    *sine = t * *cosine;
    return t;
}

static void rotate_pairs(int64_t n, double *x, int64_t step_x, double *y, int64_t step_y, double c, double s)
{
    for (int64_t i = 0; i < n; i++) {
        const double a = x[i * step_x], b = y[i * step_y];
        x[i * step_x] = c * a - s * b;
        y[i * step_y] = s * a + c * b;
    }
}

enum { most_sweeps = 60 };

static int jacobi_sweep(int64_t n, double *a, double *v)
{
    int rotated = 0;
    for (int64_t p = 0; p < n; p++)
        for (int64_t q = p + 1; q < n; q++) {
            const double pq = a[p * n + q];
            if (fabs(pq) <= 1e-17 * sqrt(fabs(a[p * n + p] * a[q * n + q])) || fabs(pq) < 1e-300) continue;
            double c, s;
            rotation(a[p * n + p], pq, a[q * n + q], &c, &s);
            rotate_pairs(n, a + p, n, a + q, n, c, s);
            rotate_pairs(n, a + p * n, 1, a + q * n, 1, c, s);
            rotate_pairs(n, v + p * n, 1, v + q * n, 1, c, s);
            rotated = 1;
        }
    return rotated;
}

/* Index of the largest value not yet taken. */
static int64_t take_largest(int64_t n, const double *values, unsigned char *taken)
{
    int64_t best = -1;
    for (int64_t i = 0; i < n; i++)
        if (!taken[i] && (best < 0 || values[i] > values[best])) best = i;
    taken[best] = 1;
    return best;
}

static ald_status eigen(ald_run *run, int64_t n, double *a, int64_t wanted, double *values, double *vectors)
{
    double *v, *diagonal;
    unsigned char *taken;
    ALD_TRY(ald_scratch_zeros(run, n, n, &v));
    ALD_TRY(ald_scratch_reals(run, n, 1, &diagonal));
    ALD_TRY(ald_scratch_clear(run, n, 1, 1, &taken));
    for (int64_t i = 0; i < n; i++) {
        v[i * n + i] = 1.0;
        for (int64_t j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
    }
    for (int sweep = 0; sweep < most_sweeps && jacobi_sweep(n, a, v); sweep++) continue;
    for (int64_t i = 0; i < n; i++) diagonal[i] = a[i * n + i];
    for (int64_t k = 0; k < wanted; k++) {
        const int64_t best = take_largest(n, diagonal, taken);
        values[k] = diagonal[best];
        if (vectors) memcpy(vectors + k * n, v + best * n, (size_t)n * sizeof *v);
    }
    return ALD_OK;
}

/* Through the smaller of the two Gram matrices would square the condition number: rows are made orthogonal
 * instead. The rows of b (p x q, p <= q) become s_i v_i', and the rotations collect in w (p x p, rows), b0 =
 * w' b. */
static void orthogonalize_rows(int64_t p, int64_t q, double *b, double *w)
{
    for (int sweep = 0, rotated = 1; sweep < most_sweeps && rotated; sweep++) {
        rotated = 0;
        for (int64_t i = 0; i < p; i++)
            for (int64_t j = i + 1; j < p; j++) {
                double ii = 0.0, ij = 0.0, jj = 0.0, c, s;
                for (int64_t k = 0; k < q; k++) {
                    ii += b[i * q + k] * b[i * q + k];
                    ij += b[i * q + k] * b[j * q + k];
                    jj += b[j * q + k] * b[j * q + k];
                }
                if (fabs(ij) <= 1e-16 * sqrt(ii * jj) || fabs(ij) < 1e-300) continue;
                rotation(ii, ij, jj, &c, &s);
                rotate_pairs(q, b + i * q, 1, b + j * q, 1, c, s);
                rotate_pairs(p, w + i * p, 1, w + j * p, 1, c, s);
                rotated = 1;
            }
    }
}

/* Small side first: A itself when m <= n, else its transpose, with u and vt changing places. */
static ald_status svd(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *sigma, double *vt)
{
    const int flip = m > n;
    const int64_t p = flip ? n : m, q = flip ? m : n;
    double *b, *w, *norms;
    unsigned char *taken;
    ALD_TRY(ald_scratch_reals(run, p, q, &b));
    ALD_TRY(ald_scratch_zeros(run, p, p, &w));
    ALD_TRY(ald_scratch_zeros(run, p, 1, &norms));
    ALD_TRY(ald_scratch_clear(run, p, 1, 1, &taken));
    for (int64_t i = 0; i < p; i++) {
        w[i * p + i] = 1.0;
        for (int64_t j = 0; j < q; j++) b[i * q + j] = at(a, n, flip, i, j);
    }
    orthogonalize_rows(p, q, b, w);
    for (int64_t i = 0; i < p; i++) {
        for (int64_t k = 0; k < q; k++) norms[i] += b[i * q + k] * b[i * q + k];
        norms[i] = sqrt(norms[i]);
    }
    for (int64_t k = 0; k < p; k++) {
        const int64_t best = take_largest(p, norms, taken);
        const double inverse = norms[best] > 0.0 ? 1.0 / norms[best] : 0.0;
        sigma[k] = norms[best];
        for (int64_t i = 0; i < p; i++) *(flip ? &vt[k * n + i] : &u[i * p + k]) = w[best * p + i];
        for (int64_t j = 0; j < q; j++) *(flip ? &u[j * p + k] : &vt[k * n + j]) = inverse * b[best * q + j];
    }
    return ALD_OK;
}

static double dot_columns(int64_t m, int64_t k, const double *a, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t l = 0; l < m; l++) sum += a[l * k + i] * a[l * k + j];
    return sum;
}

static ald_status qr(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    double *triangle = r;
    if (!triangle) ALD_TRY(ald_scratch_reals(run, k, k, &triangle));
    memset(triangle, 0, (size_t)(k * k) * sizeof *triangle);
    for (int64_t j = 0; j < k; j++) {
        for (int twice = 0; twice < 2; twice++)
            for (int64_t i = 0; i < j; i++) {
                const double along = dot_columns(m, k, a, i, j);
                triangle[i * k + j] += along;
                for (int64_t l = 0; l < m; l++) a[l * k + j] -= along * a[l * k + i];
            }
        const double norm = sqrt(dot_columns(m, k, a, j, j));
        triangle[j * k + j] = norm;
        for (int64_t l = 0; l < m && norm > 0.0; l++) a[l * k + j] /= norm;
    }
    return ALD_OK;
}

static ald_status triangle(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    return qr(run, m, k, a, r);
}

static ald_status cholesky(ald_run *run, int64_t n, double *a)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < i; k++)
            for (int64_t j = i; j < n; j++) a[i * n + j] -= a[k * n + i] * a[k * n + j];
        if (!(a[i * n + i] > 0.0))
            return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                            "the matrix is not positive definite (pivot %lld of %lld)", (long long)i + 1,
                            (long long)n);
        const double root = sqrt(a[i * n + i]);
        for (int64_t j = i; j < n; j++) a[i * n + j] /= root;
    }
    return ALD_OK;
}

static ald_status solve_triangular(ald_run *run, int trans, int64_t n, int64_t m, const double *r, double *b,
                                   int64_t ldb)
{
    (void)run;
    for (int64_t step = 0; step < n; step++) {
        const int64_t i = trans ? step : n - 1 - step;
        for (int64_t j = 0; j < m; j++) {
            double sum = b[i * ldb + j];
            for (int64_t k = 0; k < step; k++) {
                const int64_t l = trans ? k : n - 1 - k;
                sum -= at(r, n, trans, i, l) * b[l * ldb + j];
            }
            b[i * ldb + j] = sum / r[i * n + i];
        }
    }
    return ALD_OK;
}

const ald_backend ald_backend_reference = {
    .name = "reference",
    .gemm = gemm,
    .gemm_single = gemm_single,
    .syrk = syrk,
    .eigen = eigen,
    .svd = svd,
    .qr = qr,
    .triangle = triangle,
    .cholesky = cholesky,
    .solve_triangular = solve_triangular,
};
