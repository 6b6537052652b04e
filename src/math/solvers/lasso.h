/* b = argmin b'G b / 2 - c'b + mu |b|_1 (lasso.c). */
#ifndef ALD_SOLVERS_LASSO_H
#define ALD_SOLVERS_LASSO_H

#include "base/core/run.h"

/* From b (k) and left (k) = c - G b, which are kept up; until no coefficient moves the fit by more than the
 * part `tol` of the largest. */
ald_status ald_lasso_descend(ald_run *run, int64_t k, const double *gram, double mu, double tol, double *b,
                             double *left);

#endif
