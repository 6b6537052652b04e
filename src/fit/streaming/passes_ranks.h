/* Passes on several ranks: how they share the rows of an operator. */
#ifndef ALD_STREAMING_PASSES_RANKS_H
#define ALD_STREAMING_PASSES_RANKS_H

#include "base/core/model.h"
#include "fit/streaming/collect.h"
#include "math/operator/all_rows.h"
#include "methods/engines/problem.h"

/* The predictor that is asked for, on rank 0, from the scores of the rows of all ranks: their moments are put
 * together there. */
ald_status ald_passes_learn(ald_run *run, const ald_problem *problem, ald_model *model);
/* Rows and weight of all ranks, of which the collection has the own ones, and how to sum over them. */
ald_status ald_passes_share(ald_run *run, const ald_collection *c, ald_all_rows *shared);

#endif
