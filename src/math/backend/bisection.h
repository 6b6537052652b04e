/* The largest eigenvalues of a symmetric tridiagonal matrix, by bisection: the number of negative terms of
 * q_i = (d_i - x) - e_(i-1)^2 / q_(i-1) is the number of eigenvalues below x. Many x at once, in the lanes of
 * wide vectors, in which a division takes as long as by itself. */
#ifndef ALD_BACKEND_BISECTION_H
#define ALD_BACKEND_BISECTION_H

#include <stdint.h>

/* values: the `wanted` largest, ascending, to rounding of the largest of all. `squares` is n numbers of room.
 * 0: the matrix falls into parts that have nothing to do with each other, or is not finite, or of extreme
 * size; nothing is found then. */
int ald_bisect(int64_t n, const double *diagonal, const double *beside, int64_t wanted, double *squares,
               double *values);

#endif
