/* Dense algebra on views, by the run's backend: what methods call. Matrices that are overwritten, decomposed
 * or solved with stand row after row without gaps; factors and results of products may be parts of others.
 *
 * See backend/backend.h for what the operations promise, and patient.h for how long ones let the caller stop
 * them. */
#ifndef ALD_LINALG_LINALG_H
#define ALD_LINALG_LINALG_H

#include "math/linalg/patient.h"
#include "math/linalg/plain.h"
#include "math/linalg/view.h"

#include <string.h>

/* out = alpha a b + beta out. With beta 0, out need not hold numbers before. */
static inline ald_status ald_product_add(ald_run *run, double alpha, ald_view a, ald_view b, double beta,
                                         ald_area out)
{
    ALD_TRY(ald_shapes_fit(run, a.cols == b.rows && out.rows == a.rows && out.cols == b.cols, "product", a, b,
                           out));
    if (a.cols == 0) ald_scale(beta, out); /* BLAS leaves the result as it was */
    if (a.cols == 0 || out.rows == 0 || out.cols == 0) return ALD_OK;
    return ald_patient_gemm(run, a.transposed, b.transposed, out.rows, out.cols, a.cols, alpha, a.data,
                            a.stride, b.data, b.stride, beta, out.data, out.stride);
}

/* out = a b. */
static inline ald_status ald_product(ald_run *run, ald_view a, ald_view b, ald_area out)
{
    return ald_product_add(run, 1.0, a, b, 0.0, out);
}

/* a <- a b, b square, by way of scratch. */
static inline ald_status ald_multiply(ald_run *run, ald_area a, ald_view b)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *product;
    ALD_TRY(ald_scratch_reals(run, a.rows, a.cols, &product));
    ALD_TRY(ald_product(run, ald_read(a), b, ald_at(product, a.rows, a.cols)));
    for (int64_t i = 0; i < a.rows; i++)
        memcpy(a.data + i * a.stride, product + i * a.cols, (size_t)a.cols * sizeof *product);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The error that every product would give if the backend has no room to work in. For callers that treat the
 * failure of one part as a result and continue with the next. */
static inline ald_status ald_products_possible(ald_run *run)
{
    const double one = 1.0;
    double product;
    return ald_product(run, ald_of(&one, 1, 1), ald_of(&one, 1, 1), ald_at(&product, 1, 1));
}

/* Upper triangle of out = alpha a'a + beta out; the rest is left. For sums of Gram matrices; ald_mirror at
 * the end. */
static inline ald_status ald_gram_add(ald_run *run, double alpha, ald_view a, double beta, ald_area out)
{
    ALD_TRY(ald_shapes_fit(run, out.rows == a.cols && out.cols == a.cols, "Gram matrix", a, a, out));
    if (a.rows == 0) ald_scale(beta, out);
    if (a.rows == 0 || a.cols == 0) return ALD_OK;
    return ald_patient_syrk(run, !a.transposed, a.cols, a.rows, alpha, a.data, a.stride, beta, out.data,
                            out.stride);
}

/* out = a'a; with ald_t(a), a a'. */
static inline ald_status ald_gram(ald_run *run, ald_view a, ald_area out)
{
    ALD_TRY(ald_gram_add(run, 1.0, a, 0.0, out));
    ald_mirror(out);
    return ALD_OK;
}

/* c (m x n) = a b' in single precision, a m x k, b n x k. */
static inline ald_status ald_product_single(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a,
                                            const float *b, float *c)
{
    return ald_backend_of(run)->gemm_single(run, m, n, k, a, b, c);
}

static inline ald_status ald_square_fits(ald_run *run, const char *operation, ald_area a, ald_view other)
{
    return ald_shapes_fit(run, a.rows == a.cols && ald_is_whole(a), operation, ald_read(a), other,
                          ald_at(NULL, 0, 0));
}

/* The largest eigenvalues of the symmetric a (n x n, destroyed; upper triangle read), descending, and their
 * unit eigenvectors as rows of `vectors` (wanted x n). */
static inline ald_status ald_eigen(ald_run *run, ald_area a, double *values, ald_area vectors)
{
    ALD_TRY(ald_square_fits(run, "eigenvectors", a, ald_read(vectors)));
    ALD_TRY(ald_shapes_fit(run, vectors.cols == a.rows && vectors.rows <= a.rows && ald_is_whole(vectors),
                           "eigenvectors", ald_read(a), ald_read(vectors), vectors));
    return ald_patient_eigen(run, a.rows, a.data, vectors.rows, values, vectors.data);
}

/* The values alone. */
static inline ald_status ald_eigenvalues(ald_run *run, ald_area a, int64_t wanted, double *values)
{
    ALD_TRY(ald_square_fits(run, "eigenvalues", a, ald_of(NULL, wanted, a.rows)));
    return ald_patient_eigen(run, a.rows, a.data, wanted, values, NULL);
}

/* Thin a = u diag(s) vt of a (m x n, destroyed), p = min(m, n): u m x p, s descending, vt p x n. */
static inline ald_status ald_svd(ald_run *run, ald_area a, ald_area u, double *s, ald_area vt)
{
    const int64_t p = a.rows < a.cols ? a.rows : a.cols;
    const int fit = u.rows == a.rows && u.cols == p && vt.rows == p && vt.cols == a.cols;
    ALD_TRY(ald_shapes_fit(run, fit && ald_is_whole(a) && ald_is_whole(u) && ald_is_whole(vt),
                           "singular value decomposition", ald_read(u), ald_read(vt), a));
    return ald_patient_svd(run, a.rows, a.cols, a.data, u.data, s, vt.data);
}

/* a (m x k, m >= k) = Q r: a becomes Q, orthonormal columns; the diagonal of r is not negative. */
static inline ald_status ald_qr(ald_run *run, ald_area a, ald_area r)
{
    const int fit =
        a.rows >= a.cols && r.rows == a.cols && r.cols == a.cols && ald_is_whole(a) && ald_is_whole(r);
    ALD_TRY(ald_shapes_fit(run, fit, "QR decomposition", ald_read(a), ald_read(a), r));
    return ald_patient_qr(run, a.rows, a.cols, a.data, r.data);
}

/* Q alone. */
static inline ald_status ald_orthonormal(ald_run *run, ald_area a)
{
    ALD_TRY(ald_shapes_fit(run, a.rows >= a.cols && ald_is_whole(a), "orthonormal columns", ald_read(a),
                           ald_read(a), ald_at(NULL, 0, 0)));
    return ald_patient_qr(run, a.rows, a.cols, a.data, NULL);
}

/* r alone; a is destroyed. */
static inline ald_status ald_triangle(ald_run *run, ald_area a, ald_area r)
{
    const int fit =
        a.rows >= a.cols && r.rows == a.cols && r.cols == a.cols && ald_is_whole(a) && ald_is_whole(r);
    ALD_TRY(ald_shapes_fit(run, fit, "triangle", ald_read(a), ald_read(a), r));
    return ald_patient_triangle(run, a.rows, a.cols, a.data, r.data);
}

/* The upper triangle of a <- R with a = R'R (the rest is left); ALD_ERROR_NUMERICAL if not positive definite.
 */
static inline ald_status ald_cholesky(ald_run *run, ald_area a)
{
    ALD_TRY(ald_square_fits(run, "Cholesky decomposition", a, ald_read(a)));
    return ald_patient_cholesky(run, a.rows, a.data);
}

/* b <- r^-1 b, r upper triangular; with ald_t(r), r'^-1 b. */
static inline ald_status ald_solve_triangular(ald_run *run, ald_view r, ald_area b)
{
    const int whole = (r.stride == r.cols || r.rows <= 1) && ald_is_whole(b);
    ALD_TRY(ald_shapes_fit(run, r.rows == r.cols && r.cols == b.rows && whole, "triangular solve", r,
                           ald_read(b), b));
    return ald_patient_solve_triangular(run, r.transposed, b.rows, b.cols, r.data, b.data);
}

/* b <- (r'r)^-1 b: solves with what ald_cholesky has factored. */
static inline ald_status ald_solve_cholesky(ald_run *run, ald_view r, ald_area b)
{
    ALD_TRY(ald_solve_triangular(run, ald_t(r), b));
    return ald_solve_triangular(run, r, b);
}

#endif
