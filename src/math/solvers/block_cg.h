/* Conjugate gradients for many right-hand sides at once, which share one space: A x = b for each column b, A
 * symmetric and positive definite.
 */
#ifndef ALD_SOLVERS_BLOCK_CG_H
#define ALD_SOLVERS_BLOCK_CG_H

#include "base/core/run.h"

/* out (n x k) = A p. */
typedef ald_status (*ald_definite_fn)(ald_run *run, void *self, const double *p, int64_t k, double *out);

typedef struct ald_block_cg {
    ald_definite_fn apply;
    void *self;
    int64_t n, k;    /* k <= n */
    const double *b; /* n x k, row after row */
    double tol;      /* a column is done when |b - A x| <= tol |b| */
    int64_t max_iter;
    const char *stage;
    /* Results. */
    double *x; /* n x k */
    int64_t iterations;
    int64_t unfinished; /* columns that max_iter stopped */
    double error;       /* |b - A x| / |b| of the worst column */
} ald_block_cg;

/* ALD_ERROR_NUMERICAL: A was not positive definite, as far as rounding shows. */
ald_status ald_block_cg_solve(ald_run *run, ald_block_cg *task);

#endif
