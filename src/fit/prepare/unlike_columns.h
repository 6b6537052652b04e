/* Columns in very different units, told where the method minds. */
#ifndef ALD_PREPARE_UNLIKE_COLUMNS_H
#define ALD_PREPARE_UNLIKE_COLUMNS_H

#include "methods/engines/problem.h"

/* A note where the standard deviation of one column of dense X is more than 100 times that of another, X is
 * not scaled and the scores depend on its units. Looks at a thousand rows at most. */
ald_status ald_note_unlike_columns(ald_run *run, const ald_problem *problem);
/* The same by the standard deviations (d) themselves. */
void ald_note_unlike_deviations(ald_run *run, int64_t d, const double *deviations);

#endif
