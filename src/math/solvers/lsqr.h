/* LSQR (Paige and Saunders 1982) for many right-hand sides at once: min |Z x - b|^2 + damp^2 |x|^2 for each
 * column b.
 */
#ifndef ALD_SOLVERS_LSQR_H
#define ALD_SOLVERS_LSQR_H

#include "math/operator/operator.h"

/* u (n x k) <- Z v - u diag(alpha), then w (d x k) = Z'u. One pass over the data if it can be. */
typedef ald_status (*ald_advance_fn)(ald_run *run, void *self, const double *v, int64_t k,
                                     const double *alpha, double *u, double *w);

typedef struct ald_lsqr {
    ald_advance_fn advance;
    void *self;
    const ald_operator *z; /* whose rows may be divided (operator/all_rows.h), n being those of x; or NULL */
    int64_t n, d, k;
    const double *b; /* n x k */
    double damp;
    double tol; /* Paige and Saunders' atol and btol */
    int64_t max_iter;
    const char *stage;
    /* Results. */
    double *x;           /* d x k; from 0, so of minimum norm where several solve it */
    int64_t *iterations; /* k, or NULL */
    /* These three are kept beside the solution (operator/logbook.h), and stand last. */
    int64_t most_iterations;
    int64_t unfinished; /* columns that max_iter stopped */
    double error;       /* |Z (x - solution)| / |b| of the worst column, as far as the iteration has seen Z */
} ald_lsqr;

ald_status ald_lsqr_solve(ald_run *run, ald_lsqr *task);

#endif
