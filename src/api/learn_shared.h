/* The predictor of rows that several ranks share. */
#ifndef ALD_API_LEARN_SHARED_H
#define ALD_API_LEARN_SHARED_H

#include "engines/problem.h"

/* Adds the predictor that is asked for to the model of rank 0, from the scores z (n x r) of the own rows: the
 * moments of the scores are put together there. */
ald_status ald_learn_shared(ald_run *run, const ald_problem *problem, int64_t r, const double *z,
                            ald_model *model);

#endif
