/* Checks shared by the methods that are the top eigenvectors of a symmetric d x d matrix. */
#ifndef ALD_TESTS_METHODS_SPECTRAL_CHECK_H
#define ALD_TESTS_METHODS_SPECTRAL_CHECK_H

#include "verify/verifier.h"

/* A w = lambda B w for the r rows w of `components` and the `eigenvalues` of the model, W'B W = I, and no
 * further eigenvalue lies above the last of them. B NULL: the identity. All to rounding, or to the error that
 * the model estimates (math/solvers/randomized.c has the bounds). */
void check_top_eigenvectors(const ald_model *model, const double *a, const double *b);

#endif
