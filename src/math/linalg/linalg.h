/* Dense algebra on views, by the run's backend: what methods call. Matrices that are overwritten, decomposed
 * or solved with stand row after row without gaps; factors and results of products may be parts of others.
 *
 * See backend/backend.h for what the operations promise, and linalg.c for how long ones let the caller stop
 * them. */
#ifndef ALD_LINALG_LINALG_H
#define ALD_LINALG_LINALG_H

#include "math/linalg/view.h"

/* out = alpha a b + beta out. With beta 0, out need not hold numbers before. */
ald_status ald_product_add(ald_run *run, double alpha, ald_view a, ald_view b, double beta, ald_area out);

/* out = a b. */
static inline ald_status ald_product(ald_run *run, ald_view a, ald_view b, ald_area out)
{
    return ald_product_add(run, 1.0, a, b, 0.0, out);
}

/* a <- a b, b square, by way of scratch. */
ald_status ald_multiply(ald_run *run, ald_area a, ald_view b);
/* The error that every product would give if the backend has no room to work in. For callers that treat the
 * failure of one part as a result and continue with the next. */
ald_status ald_products_possible(ald_run *run);
/* Upper triangle of out = alpha a'a + beta out; the rest is left. For sums of Gram matrices; ald_mirror at
 * the end. */
ald_status ald_gram_add(ald_run *run, double alpha, ald_view a, double beta, ald_area out);
/* out = a'a; with ald_t(a), a a'. */
ald_status ald_gram(ald_run *run, ald_view a, ald_area out);
/* c (m x n) = a b' in single precision, a m x k, b n x k. */
ald_status ald_product_single(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                              float *c);

/* The largest eigenvalues of the symmetric a (n x n, destroyed; upper triangle read), descending, and their
 * unit eigenvectors as rows of `vectors` (wanted x n). */
ald_status ald_eigen(ald_run *run, ald_area a, double *values, ald_area vectors);
/* The values alone. */
ald_status ald_eigenvalues(ald_run *run, ald_area a, int64_t wanted, double *values);
/* Thin a = u diag(s) vt of a (m x n, destroyed), p = min(m, n): u m x p, s descending, vt p x n. */
ald_status ald_svd(ald_run *run, ald_area a, ald_area u, double *s, ald_area vt);
/* a (m x k, m >= k) = Q r: a becomes Q, orthonormal columns; the diagonal of r is not negative. */
ald_status ald_qr(ald_run *run, ald_area a, ald_area r);
/* Q alone. */
ald_status ald_orthonormal(ald_run *run, ald_area a);
/* r alone; a is destroyed. */
ald_status ald_triangle(ald_run *run, ald_area a, ald_area r);
/* The upper triangle of a <- R with a = R'R (the rest is left); ALD_ERROR_NUMERICAL if not positive definite.
 */
ald_status ald_cholesky(ald_run *run, ald_area a);
/* b <- r^-1 b, r upper triangular; with ald_t(r), r'^-1 b. */
ald_status ald_solve_triangular(ald_run *run, ald_view r, ald_area b);
/* b <- (r'r)^-1 b: solves with what ald_cholesky has factored. */
ald_status ald_solve_cholesky(ald_run *run, ald_view r, ald_area b);

#endif
