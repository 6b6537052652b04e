/* X some of whose cells have no value (NaN), for methods that can do with those that are there. */
#ifndef ALD_GAPS_COLUMN_GAPS_H
#define ALD_GAPS_COLUMN_GAPS_H

#include "base/settings/common_params.h"
#include "methods/engines/problem.h"

/* Whether the run's settings let cells be without a value. */
int ald_gaps_allowed(const ald_run *run);
/* Whether X has such cells and they are allowed; refuses what else does not go with them. */
ald_status ald_gaps_find(ald_run *run, const ald_matrix *x, const double *weights, int *gappy);
/* Mean and scale of each column by the cells that are there. */
ald_status ald_gaps_prepare(ald_run *run, ald_column_scale asked, ald_problem *problem);

/* z (rows x r) of the rows whose score is not finite, by the recursion of NIPALS over their cells (a row
 * without any lies in the middle: 0); the others stay. `prepared` is as the map has it. */
ald_status ald_gaps_map(ald_run *run, const ald_model *model, const ald_operator *prepared, double *z);

#endif
