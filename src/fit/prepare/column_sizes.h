/* Columns of a size whose squares are no numbers, or 0: beyond 2^500 or below 2^-500. A power of two brings a
 * column to any size without rounding, so statistics are had at another size and taken back; columns of an
 * ordinary size are not touched. */
#ifndef ALD_PREPARE_COLUMN_SIZES_H
#define ALD_PREPARE_COLUMN_SIZES_H

#include "methods/engines/problem.h"

/* Statistics of such columns anew, at a size at which they are right. `moments` has those of all columns,
 * with peaks.
 */
ald_status ald_sizes_measure(ald_run *run, const ald_problem *problem, ald_column_moments *moments);
/* With scale=none. Columns beyond 2^300 or below 2^-300 are divided by a power of two where the method does
 * not mind, which the model keeps as their scale; elsewhere columns too large to be squared are an error, and
 * so are columns that are all too small. */
ald_status ald_sizes_settle(ald_run *run, const double *peak, ald_problem *problem);

#endif
