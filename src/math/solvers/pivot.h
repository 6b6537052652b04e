/* How near to singular a scatter is. */
#ifndef ALD_SOLVERS_PIVOT_H
#define ALD_SOLVERS_PIVOT_H

#include "base/core/run.h"

/* The smallest squared pivot of the Cholesky factor of the symmetric a (d x d) scaled to a unit diagonal: the
 * part of some column's square that the columns before it leave unexplained. 0: it cannot be factored.
 * Columns that do not vary do not count. d^3/3 operations. */
ald_status ald_smallest_pivot(ald_run *run, int64_t d, const double *a, double *pivot);

#endif
