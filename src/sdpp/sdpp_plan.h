/* About how long the stages of a fit of sdpp take beside each other, for the progress. */
#ifndef ALD_SDPP_SDPP_PLAN_H
#define ALD_SDPP_SDPP_PLAN_H

#include "engines/problem.h"
#include "sdpp/sdpp_params.h"

void ald_sdpp_plan(const ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings);

#endif
