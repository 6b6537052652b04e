/* What nca and mlkr are checked with: the prediction of each row by all others, by plain loops. */
#ifndef ALD_TESTS_METHODS_SOFT_CHECK_H
#define ALD_TESTS_METHODS_SOFT_CHECK_H

#include "verify/verifier.h"

/* predicted (n x p->m): the means of p->raw over the other rows, by exp(-|W'(x_i - x_j)|^2), w r x d. */
void soft_predictions(const prepared *p, const double *w, double *predicted);

/* The covariance of the scores is diagonal, descending: the eigenvalues. */
void check_uncorrelated(const ald_model *model, const prepared *p);

#endif
