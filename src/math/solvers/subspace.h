/* Signs and comparison of directions. Directions are the rows of a matrix (r x d), as in a model. */
#ifndef ALD_SOLVERS_SUBSPACE_H
#define ALD_SOLVERS_SUBSPACE_H

#include "base/core/run.h"

/* The sign rule: of each row the first entry whose modulus is within 1e-8 (relative) of the largest is made
 * positive. sign[k] (NULL: not wanted) is -1 for rows that were turned, else 1. */
void ald_fix_signs(int64_t rows, int64_t cols, double *directions, double *sign);

/* How far the span of the rows of a (ra x d) is from lying within that of b (rb x d): the sine of the largest
 * principal angle between them, and `correlation`, tr(Pa Pb) / ra with the projections onto the spans, 1 when
 * the first lies within the second and 0 when they are orthogonal. Rows of each are independent; ra > rb: the
 * sine is 1. */
ald_status ald_subspace_compare(ald_run *run, int64_t d, int64_t ra, const double *a, int64_t rb,
                                const double *b, double *sine, double *correlation);

#endif
