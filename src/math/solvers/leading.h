/* The leading left singular vector of a matrix S (d x m), in two ways. */
#ifndef ALD_SOLVERS_LEADING_H
#define ALD_SOLVERS_LEADING_H

#include "math/linalg/view.h"

/* w (d), of any length: by the smaller of S'S and S S'. */
ald_status ald_leading_by_eigen(ald_run *run, ald_view s, double *w);
/* w (d), of length 1: by the iteration of NIPALS, c = S'w, w = S c, both normalised, from the largest column
 * of S, until w changes by no more than tol. *change is what it still changed by after `most` steps, 0 where
 * it came to its end. */
ald_status ald_leading_by_iteration(ald_run *run, ald_view s, double tol, int64_t most, double *w,
                                    double *change);

#endif
