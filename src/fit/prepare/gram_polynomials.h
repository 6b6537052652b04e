/* Polynomials that are orthogonal on equally spaced points. */
#ifndef ALD_PREPARE_GRAM_POLYNOMIALS_H
#define ALD_PREPARE_GRAM_POLYNOMIALS_H

#include "base/core/run.h"

/* values ((degree + 1) x n): P_0 .. P_degree at n points (degree < n), each of length 1. derivatives (of the
 * same shape; NULL: not wanted): the derivative of that order with respect to the number of the point. */
ald_status ald_gram_polynomials(ald_run *run, int64_t n, int64_t degree, int64_t order, double *values,
                                double *derivatives);

#endif
