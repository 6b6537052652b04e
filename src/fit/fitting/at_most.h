/* Letting the method work: with exactly n_components, or with as many of them as there are. */
#ifndef ALD_FITTING_AT_MOST_H
#define ALD_FITTING_AT_MOST_H

#include "methods/engines/problem.h"

/* The most components that the method of the settings can have of such data, by the bounds in its table: the
 * rank of the data may allow fewer. */
int64_t ald_most_components(const ald_settings *settings, int64_t rows, int64_t cols, const ald_target *y);

/* A method that has fewer components than were asked for says how many there are (ald_too_many_components).
 * That is an error, or, with components_rule=at-most, the number for a second fit: the first asks for no more
 * than ald_most_components. The model is as after a first one. */
ald_status ald_fit_method(ald_run *run, const ald_problem *problem, ald_model *model);

#endif
