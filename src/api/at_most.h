/* Letting the method work: with exactly n_components, or with as many of them as there are. */
#ifndef ALD_API_AT_MOST_H
#define ALD_API_AT_MOST_H

#include "engines/problem.h"

/* A method that has fewer components than were asked for says how many there are (ald_too_many_components).
 * That is an error, or, with components_rule=at-most, the number for a second fit. The model is then as after
 * a first one. */
ald_status ald_fit_method(ald_run *run, const ald_problem *problem, ald_model *model);

#endif
