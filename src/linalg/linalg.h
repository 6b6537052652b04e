/* The backend's operations under the run's backend: what methods call. See backend/backend.h for their meaning. */
#ifndef ALD_LINALG_LINALG_H
#define ALD_LINALG_LINALG_H

#include "backend/backend.h"

static inline ald_status ald_gemm(ald_run *run, int trans_a, int trans_b, int64_t m, int64_t n, int64_t k, double alpha,
                                  const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
                                  int64_t ldc)
{
    return ald_backend_of(run)->gemm(run, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static inline ald_status ald_gemm_single(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                         float *c)
{
    return ald_backend_of(run)->gemm_single(run, m, n, k, a, b, c);
}

static inline ald_status ald_syrk(ald_run *run, int trans, int64_t n, int64_t k, double alpha, const double *a,
                                  int64_t lda, double beta, double *c, int64_t ldc)
{
    return ald_backend_of(run)->syrk(run, trans, n, k, alpha, a, lda, beta, c, ldc);
}

static inline ald_status ald_eigen(ald_run *run, int64_t n, double *a, int64_t wanted, double *values, double *vectors)
{
    return ald_backend_of(run)->eigen(run, n, a, wanted, values, vectors);
}

static inline ald_status ald_svd(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *s, double *vt)
{
    return ald_backend_of(run)->svd(run, m, n, a, u, s, vt);
}

static inline ald_status ald_qr(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    return ald_backend_of(run)->qr(run, m, k, a, r);
}

static inline ald_status ald_triangle(ald_run *run, int64_t m, int64_t k, double *a, double *r)
{
    return ald_backend_of(run)->triangle(run, m, k, a, r);
}

static inline ald_status ald_cholesky(ald_run *run, int64_t n, double *a)
{
    return ald_backend_of(run)->cholesky(run, n, a);
}

static inline ald_status ald_solve_triangular(ald_run *run, int trans, int64_t n, int64_t m, const double *r, double *b)
{
    return ald_backend_of(run)->solve_triangular(run, trans, n, m, r, b);
}

#endif
