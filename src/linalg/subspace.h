/* Signs and comparison of directions. Directions are the rows of a matrix (r x d), as in a model. */
#ifndef ALD_LINALG_SUBSPACE_H
#define ALD_LINALG_SUBSPACE_H

#include "core/run.h"

/* The sign rule: of each row the first entry whose modulus is within 1e-8 (relative) of the largest is made positive.
 * sign[k] (NULL: not wanted) is -1 for rows that were turned, else 1. */
void ald_fix_signs(int64_t rows, int64_t cols, double *directions, double *sign);

/* Sine of the largest principal angle between the spans of the rows of a (ra x d) and b (rb x d), ra <= rb: how far
 * the first is from lying within the second. */
ald_status ald_subspace_sine(ald_run *run, int64_t d, int64_t ra, const double *a, int64_t rb, const double *b,
                             double *sine);

#endif
