/* Signs and comparison of directions, the leading one of a matrix, and how near to singular a scatter is.
 * Directions are the rows of a matrix (r x d), as in a model. */
#ifndef ALD_SOLVERS_SUBSPACE_H
#define ALD_SOLVERS_SUBSPACE_H

#include "math/linalg/view.h"

/* The sign rule: of each row the first entry whose modulus is within 1e-8 (relative) of the largest is made
 * positive. sign[k] (NULL: not wanted) is -1 for rows that were turned, else 1. */
void ald_fix_signs(int64_t rows, int64_t cols, double *directions, double *sign);

/* How far the span of the rows of a (ra x d) is from lying within that of b (rb x d): the sine of the largest
 * principal angle between them, and `correlation`, tr(Pa Pb) / ra with the projections onto the spans, 1 when
 * the first lies within the second and 0 when they are orthogonal. Rows of each are independent; ra > rb: the
 * sine is 1. */
ald_status ald_subspace_compare(ald_run *run, ald_view a, ald_view b, double *sine, double *correlation);

/* The leading left singular vector of a matrix S (d x m) as w (d), of any length: by the smaller of S'S and
 * S S'. */
ald_status ald_leading_by_eigen(ald_run *run, ald_view s, double *w);
/* The same of length 1: by the iteration of NIPALS, c = S'w, w = S c, both normalised, from the largest
 * column of S, until w changes by no more than tol. *change is what it still changed by after `most` steps,
 * 0 where it came to its end. */
ald_status ald_leading_by_iteration(ald_run *run, ald_view s, double tol, int64_t most, double *w,
                                    double *change);

/* How near to singular a scatter is: the smallest squared pivot of the Cholesky factor of the symmetric a
 * (d x d) scaled to a unit diagonal: the part of some column's square that the columns before it leave
 * unexplained. 0: it cannot be factored. Columns that do not vary do not count. d^3/3 operations. */
ald_status ald_smallest_pivot(ald_run *run, int64_t d, const double *a, double *pivot);

#endif
