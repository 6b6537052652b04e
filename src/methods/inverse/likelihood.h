/* The likelihood of a model of normal rows, for the tests of how many directions are enough. */
#ifndef ALD_INVERSE_LIKELIHOOD_H
#define ALD_INVERSE_LIKELIHOOD_H

#include "methods/engines/whiten.h"

/* For no direction, for those of the model, and for all there are: the log-likelihood without the constant
 * -(n d / 2)(1 + ln 2 pi), and the number of parameters. */
typedef struct ald_likelihood {
    struct {
        double loglik, parameters;
    } none, found, all;
} ald_likelihood;

/* Adds the array `likelihood` (3 x 2: none, found, all; with the constant) and alidade.resolved.loglik, from
 * which ald_dimension makes its tests; nothing where one of them is no number, as for a singular Sigma. */
ald_status ald_add_likelihood(ald_run *run, const ald_problem *problem, const ald_likelihood *likelihood,
                              ald_model *model);

/* ln|Sigma|; NaN where Sigma is singular. Without a ridge. */
double ald_whiten_log_det(const ald_whitening *w);

#endif
