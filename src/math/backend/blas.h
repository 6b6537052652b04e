/* The routines of BLAS that are used. OpenBLAS has them with C's interface. Where ALD_FORTRAN_BLAS is defined
 * (the package for R, built from source, on R's own BLAS) they are called by their Fortran names, which every
 * BLAS has: a row-major matrix is there its transpose, so factors change places, and triangles too. */
#ifndef ALD_BACKEND_BLAS_H
#define ALD_BACKEND_BLAS_H

#ifndef ALD_FORTRAN_BLAS
#include <cblas.h>
#else
#include <stddef.h>

typedef int blasint;
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 } CBLAS_TRANSPOSE;

void dgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *x_step, const double *beta, double *y,
            const int *y_step, size_t);
void dsyrk_(const char *triangle, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc, size_t, size_t);
void dtrsm_(const char *side, const char *triangle, const char *trans, const char *diagonal, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b, const int *ldb,
            size_t, size_t, size_t, size_t);

/* The transpose of what is row major: op(A) there is the other op here. */
static inline const char *ald_blas_other(CBLAS_TRANSPOSE trans)
{
    return trans == CblasTrans ? "N" : "T";
}

static inline const char *ald_blas_same(CBLAS_TRANSPOSE trans)
{
    return trans == CblasTrans ? "T" : "N";
}

/* Row major, as the calls of the C interface that the backend makes. */
#define cblas_dgemm(order, trans_a, trans_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)                   \
    dgemm_(ald_blas_same(trans_b), ald_blas_same(trans_a), &(const int){n}, &(const int){m},                 \
           &(const int){k}, &(const double){alpha}, b, &(const int){ldb}, a, &(const int){lda},              \
           &(const double){beta}, c, &(const int){ldc}, 1, 1)
#define cblas_dgemv(order, trans, m, n, alpha, a, lda, x, x_step, beta, y, y_step)                           \
    dgemv_(ald_blas_other(trans), &(const int){n}, &(const int){m}, &(const double){alpha}, a,               \
           &(const int){lda}, x, &(const int){x_step}, &(const double){beta}, y, &(const int){y_step}, 1)
/* The upper triangle is the lower one of the transpose. */
#define cblas_dsyrk(order, triangle, trans, n, k, alpha, a, lda, beta, c, ldc)                               \
    dsyrk_("L", ald_blas_other(trans), &(const int){n}, &(const int){k}, &(const double){alpha}, a,          \
           &(const int){lda}, &(const double){beta}, c, &(const int){ldc}, 1, 1)
/* op(R)^-1 B is B' op(R)'^-1, from the right. */
#define cblas_dtrsm(order, side, triangle, trans, diagonal, m, n, alpha, a, lda, b, ldb)                     \
    dtrsm_("R", "L", ald_blas_same(trans), "N", &(const int){n}, &(const int){m}, &(const double){alpha}, a, \
           &(const int){lda}, b, &(const int){ldb}, 1, 1, 1, 1)
#endif
#endif
