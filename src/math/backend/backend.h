/* The numerical backend: the few dense operations everything else is made of. All matrices are row major,
 * f64.
 *
 * There are two: `openblas` on OpenBLAS and its LAPACK, and `plain`, which needs no library: it serves
 * machines without OpenBLAS (ALD_BLAS=OFF) and WebAssembly, and each is tested against the other. Sizes
 * are int64_t and are narrowed to BLAS integers, with a check, in one place. */
#ifndef ALD_BACKEND_BACKEND_H
#define ALD_BACKEND_BACKEND_H

#include "base/core/run.h"

typedef struct ald_backend {
    const char *name;
    int fuses; /* products are fused with sums where the processor can: its bytes are not those of all */
    /* C (m x n) = alpha op(A) op(B) + beta C, with op(A) m x k. */
    ald_status (*gemm)(ald_run *run, int trans_a, int trans_b, int64_t m, int64_t n, int64_t k, double alpha,
                       const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
                       int64_t ldc);
    /* C (m x n) = A B' in single precision, A m x k, B n x k, rows one after the other. Rounding in any
     * order. */
    ald_status (*gemm_single)(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                              float *c);
    /* Upper triangle of C (n x n) = alpha A'A + beta C with A k x n (trans 1), or A A' with A n x k (trans
     * 0). */
    ald_status (*syrk)(ald_run *run, int trans, int64_t n, int64_t k, double alpha, const double *a,
                       int64_t lda, double beta, double *c, int64_t ldc);
    /* The `wanted` largest eigenvalues of the symmetric A (n x n, destroyed; upper triangle read),
     * descending, and unit eigenvectors as the rows of `vectors` (wanted x n; NULL: values only). */
    ald_status (*eigen)(ald_run *run, int64_t n, double *a, int64_t wanted, double *values, double *vectors);
    /* Thin SVD A = U diag(s) V' of A (m x n, destroyed), p = min(m, n): U m x p, s descending, V' p x n. */
    ald_status (*svd)(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *s, double *vt);
    /* A (m x k, m >= k) = Q R: A is overwritten by Q (orthonormal columns), R (k x k, upper triangular, its
     * diagonal not negative). R NULL: not wanted. */
    ald_status (*qr)(ald_run *run, int64_t m, int64_t k, double *a, double *r);
    /* R alone; A (m x k, m >= k) is destroyed. */
    ald_status (*triangle)(ald_run *run, int64_t m, int64_t k, double *a, double *r);
    /* Cholesky A = R'R of the upper triangle (the rest is left); ALD_ERROR_NUMERICAL if not positive
     * definite. */
    ald_status (*cholesky)(ald_run *run, int64_t n, double *a);
    /* B (n x m) <- R^-1 B, or R'^-1 B with trans, R upper triangular n x n. */
    ald_status (*solve_triangular)(ald_run *run, int trans, int64_t n, int64_t m, const double *r, double *b,
                                   int64_t ldb);
} ald_backend;

extern const ald_backend ald_backend_openblas, ald_backend_plain;

/* NULL if there is none of that name; the first one for name NULL. */
const ald_backend *ald_backend_find(const char *name);

static inline const ald_backend *ald_backend_of(const ald_run *run)
{
    return run->context->backend;
}

#endif
