/* Checks a model against A w = lambda S w with A = Z'HH'Z and S = Z'Z, recomputed by plain loops from H (n x
 * k). */
#ifndef ALD_TESTS_METHODS_PENCIL_CHECK_H
#define ALD_TESTS_METHODS_PENCIL_CHECK_H

#include "verify/verifier.h"

/* Components are `unit` times those with W'S W = I. */
void check_pencil(const ald_model *model, const prepared *p, int64_t k, const double *h, double unit);

#endif
