/* About what a unit costs in one split, for the order of the work and the time that is left. */
#ifndef ALD_COMPARE_UNIT_COST_H
#define ALD_COMPARE_UNIT_COST_H

#include "judge/compare/comparing.h"

/* In operations, above 0. Only a beginning: what was done of a unit tells better (progress/pace.h). */
double ald_unit_cost(const ald_comparing *c, const ald_unit *unit);
/* Whether its fits take next to no time (cells/fold_cost.h). */
int ald_unit_is_quick(const ald_comparing *c, const ald_unit *unit);

#endif
