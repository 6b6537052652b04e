/* Ridge least squares for many right-hand sides: min |Z W - H|^2 + ridge |W|^2, of minimum norm where several
 * W do it.
 */
#ifndef ALD_SOLVERS_RIDGE_H
#define ALD_SOLVERS_RIDGE_H

#include "math/operator/operator.h"

typedef struct ald_ridge_task {
    const ald_operator *z; /* n x d */
    const double *h;       /* n x k; NULL: that of `codes`, for ald_ridge_direct alone */
    ald_codes codes;
    const double *mix; /* q x k; NULL: none. Else H = h mix of h n x q, for ald_ridge_direct alone */
    int64_t q;
    int64_t k;
    double ridge;
    /* LSQR only. */
    double tol;
    int64_t max_iter;
    /* Results. */
    double *w;          /* d x k */
    double *b;          /* d x k: Z'H */
    int64_t rank;       /* of Z as far as it was seen; -1: not known */
    int64_t iterations; /* most of any column */
    int64_t unfinished; /* columns that were stopped */
    double error;       /* of Z W, as a part of H: LSQR estimates it, conjugate gradients bound it */
    const char *how;    /* what was done, in a few words */
} ald_ridge_task;

/* By Z'Z (d x d): Cholesky after scaling to a unit diagonal; where that shows more than 1e3 as the condition
 * of a column given the others, by orthogonal transformations of [Z H] instead (dense Z; sparse Z by the
 * eigenvalues of Z'Z). */
ald_status ald_ridge_direct(ald_run *run, ald_ridge_task *task);
/* By Z Z' (n x n), for d > n. */
ald_status ald_ridge_dual(ald_run *run, ald_ridge_task *task);
/* By products with Z only: by LSQR, or where Z is sparse, has more columns than rows and a ridge that is not
 * too small by conjugate gradients on Z Z'. */
ald_status ald_ridge_lsqr(ald_run *run, ald_ridge_task *task);
/* The largest eigenvalue of Z'Z, by Lanczos to 1e-6. */
ald_status ald_operator_largest(ald_run *run, const ald_operator *z, uint64_t seed, double *value);

#endif
