/* The minimum of a smooth convex function over the positive semidefinite matrices of trace 1.
 *
 * Accelerated projected gradient with restarts; a projection is an eigen-decomposition and that of the
 * eigenvalues onto the simplex. With G = grad f, f(Omega) - f* <= <G, Omega> - lambda_min(G): the gap of
 * Frank and Wolfe, which tells when to stop and certifies the result. Cost a step: O(m^3) and two values with
 * gradients. */
#ifndef ALD_CONVEX_SPECTRAHEDRON_H
#define ALD_CONVEX_SPECTRAHEDRON_H

#include "base/core/run.h"

typedef struct ald_spectrahedron {
    int64_t m; /* order */
    void *self;
    /* At omega (m x m): the value and the gradient g (m x m, symmetric). */
    ald_status (*gradient)(ald_run *run, void *self, const double *omega, double *value, double *g);
    double tol; /* stop when the gap is at most tol times |f| */
    int64_t max_iter;
    const char *stage;
    /* Results. */
    double value, gap;
    int64_t iterations;
    int converged;
} ald_spectrahedron;

/* From I / m to the minimum, in omega (m x m). */
ald_status ald_spectrahedron_minimise(ald_run *run, ald_spectrahedron *task, double *omega);

#endif
