/* The methods that compare rows with each other and can be fitted where the rows stay with the ranks that
 * have read them. */
#ifndef ALD_DIVIDED_DIVIDED_METHODS_H
#define ALD_DIVIDED_DIVIDED_METHODS_H

#include "cluster/divided/service.h"
#include "methods/engines/problem.h"

/* Whether the method of the run is one of them. */
int ald_method_divides(const ald_run *run);
/* Refuses settings that are not for divided rows, before anything is read. */
ald_status ald_divided_check(ald_run *run, int64_t columns);
/* Rank 0 lets the method of the run fit the problem, whose rows are those of rank 0, and the others serve
 * it; all ranks call it and end alike. */
ald_status ald_divided_fit(ald_run *run, const ald_divided *rows, const ald_problem *problem,
                           ald_status (*fit)(ald_run *run, const ald_problem *problem, ald_model *model),
                           ald_model *model);

#endif
