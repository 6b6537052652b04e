/* What nca, mlkr and lspca promise of their scores. */
#ifndef ALD_TESTS_METHODS_SOFT_CHECK_H
#define ALD_TESTS_METHODS_SOFT_CHECK_H

#include "verify/verifier.h"

/* The covariance of the scores is diagonal, descending: the eigenvalues. */
void check_uncorrelated(const ald_model *model, const prepared *p);

#endif
