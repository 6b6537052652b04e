/* L-BFGS (Liu and Nocedal 1989): the minimum of a smooth function of `size` numbers from its values and
 * gradients. The steps of the last `memory` iterations stand for the inverse Hessian H (two-loop recursion);
 * along -H g a step t is taken that meets Wolfe's conditions,
 *
 *   f(x + t p) <= f(x) + 1e-4 t g'p,     p'g(x + t p) >= 0.9 p'g,
 *
 * found by doubling and halving. Cost of an iteration beside the function, which is mostly called once: 4
 * memory size. Nothing is drawn, and the sums have one order. */
#ifndef ALD_OPTIMIZE_LBFGS_H
#define ALD_OPTIMIZE_LBFGS_H

#include "base/core/run.h"

typedef struct ald_lbfgs {
    int64_t size;
    void *self;
    /* Value and gradient (size) at x; a value that is no number counts as too large. */
    ald_status (*at)(ald_run *run, void *self, const double *x, double *value, double *gradient);
    int64_t memory, max_iter;
    double tol; /* stop when the largest entry of the gradient is this part of that at the start */
    const char *stage;
    double begun, share; /* of the progress shown: where this run begins and how much of it it is */
    /* Results. */
    double value, slope; /* slope: the largest entry of the gradient */
    int64_t iterations;
    int converged; /* also where rounding ends the descent */
} ald_lbfgs;

/* From x to where it stops, in place. The value never rises. */
ald_status ald_lbfgs_minimise(ald_run *run, ald_lbfgs *task, double *x);

#endif
