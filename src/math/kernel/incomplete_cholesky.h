/* A kernel matrix as F F' with few columns, without ever forming it: pivoted incomplete Cholesky.
 *
 *   K = F F' + E                             E >= 0 after m steps
 *   p = the row of the largest E_pp          of equal ones the first
 *   f = (K_p - F F_p') / sqrt(E_pp)          the next column
 *
 * until tr E <= tol tr K. The kernel function is called m n times; memory n m. The same rows in the same
 * order give the same numbers. */
#ifndef ALD_KERNEL_INCOMPLETE_CHOLESKY_H
#define ALD_KERNEL_INCOMPLETE_CHOLESKY_H

#include "base/core/run.h"

/* Between the rows of `points` (n x q), k(a, b) = exp(-|a - b|^2 / (2 width^2)), or with a degree
 * (a'b + coef0)^degree. */
typedef struct ald_rbf_rows {
    int64_t n, q;
    const double *points;
    double width;
    int64_t degree; /* 0: rbf */
    double coef0;
} ald_rbf_rows;

typedef struct ald_incomplete_cholesky {
    ald_rbf_rows rows;
    double tol;      /* part of the trace that may be left out */
    int64_t most;    /* at most this many columns, >= 1 */
    int64_t *pivots; /* most: the rows that were pivots are written here; NULL: not wanted */
    /* Results. */
    double *f;    /* n x rank, row major, in scratch */
    int64_t rank; /* <= min(n, most) */
    double left;  /* tr E / tr K; above tol when `most` ended it */
} ald_incomplete_cholesky;

ald_status ald_incomplete_cholesky_run(ald_run *run, ald_incomplete_cholesky *task);

/* column[i] = k(row i, row pivot) for i = 0 .. n - 1; asks the caller on the way where that is long. */
ald_status ald_rbf_column(ald_run *run, const ald_rbf_rows *rows, int64_t pivot, double *column);

#endif
