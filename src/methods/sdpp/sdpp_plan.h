/* About how long the stages of a fit of sdpp take beside each other, for the progress. */
#ifndef ALD_SDPP_SDPP_PLAN_H
#define ALD_SDPP_SDPP_PLAN_H

#include "methods/engines/problem.h"
#include "methods/sdpp/sdpp_params.h"

/* `columns`: those of the rows that are projected, d or, by a kernel, about n. */
void ald_sdpp_plan(const ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                   int64_t columns);

#endif
