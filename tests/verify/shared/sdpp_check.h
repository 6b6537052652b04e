/* What the verifiers of sdpp and ksdpp share: the neighbours and the distances that they should have. */
#ifndef ALD_TESTS_METHODS_SDPP_CHECK_H
#define ALD_TESTS_METHODS_SDPP_CHECK_H

#include "verify/verifier.h"

enum { sdpp_neighbours = 10 }; /* the default for n below 100 */

/* The nearest of row i of x (n x d) among the rows of positive weight, ties to the lower index. */
void sdpp_nearest(const prepared *p, const double *x, int i, int *out);
/* delta^2 of rows i and j. */
double sdpp_wanted_square(const prepared *p, int i, int j);

#endif
