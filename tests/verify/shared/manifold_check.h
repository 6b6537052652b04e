/* Neighbours and slices by plain loops, for the verifiers of the methods that use the geometry of the rows.
 */
#ifndef ALD_TESTS_METHODS_MANIFOLD_CHECK_H
#define ALD_TESTS_METHODS_MANIFOLD_CHECK_H

#include "verify/verifier.h"

/* The prepared rows without weights, n x d. */
void plain_rows(const prepared *p, double *x);
double square_between(const double *a, const double *b);
/* floor(10 #{y_j < y_i} / n), or the class. */
int slice_of_row(const prepared *p, int i);
/* The k rows nearest to row i among those with allowed[j] != 0, itself left out, ties to the lower index;
 * fewer if there are no more. Gives how many. */
int nearest_allowed(const double *x, int i, int k, const unsigned char *allowed, int *out);

#endif
