/* Products and triangular solutions by OpenBLAS, cut into tasks for our own threads where they are large and
 * threads are free; each task is a call on one thread. Whoever has time takes the next task, so that nobody
 * waits for a thread that does not run. The result is the same to the last bit for any number of threads. */
#ifndef ALD_BACKEND_SHARED_PRODUCTS_H
#define ALD_BACKEND_SHARED_PRODUCTS_H

#include "base/core/run.h"
#include "math/backend/blas.h"

/* C (m x n) = alpha op(A) op(B) + beta C, row major. */
typedef struct ald_blas_product {
    CBLAS_TRANSPOSE trans_a, trans_b;
    int m, n, k;
    double alpha, beta;
    const double *a, *b;
    double *c;
    int lda, ldb, ldc;
} ald_blas_product;

void ald_shared_gemm(const ald_blas_product *p);
/* C (m x n) = A B' in single precision, A m x k, B n x k; `sizes` are m, n, k. By plain loops where BLAS may
 * lack single precision. */
ald_status ald_shared_single(ald_run *run, const blasint *sizes, const float *a, const float *b, float *c);
/* The upper triangle of C (n x n) = alpha op(A) op(A)' + beta C; m, b and trans_b are not read. */
void ald_shared_syrk(const ald_blas_product *p);
/* C (m x n) <- op(R)^-1 C, R upper triangular (m x m) in `a`; k, b, alpha and beta are not read. */
void ald_shared_trsm(const ald_blas_product *p);
/* A = R'R of the upper triangle of A (n x n); 0, or the pivot that is not positive, counted from 1. */
int ald_shared_cholesky(int n, double *a);

#endif
