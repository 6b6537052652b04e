/* Eigenvalues by plain loops, to check the library's with. */
#ifndef ALD_TESTS_EIGEN_H
#define ALD_TESTS_EIGEN_H

#include <stdint.h>

/* The symmetric a (n x n, destroyed): all eigenvalues, descending, and unit eigenvectors as the rows of
 * `vectors`. */
void support_eigen(int64_t n, double *a, double *values, double *vectors);

#endif
