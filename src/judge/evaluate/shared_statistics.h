/* Means and standard deviations of columns whose rows several ranks share. */
#ifndef ALD_EVALUATE_SHARED_STATISTICS_H
#define ALD_EVALUATE_SHARED_STATISTICS_H

#include "math/operator/shared_rows.h"

/* As ald_column_statistics, over the rows of all ranks; `deviation` may be NULL. Alone (`shared` NULL) it is
 * that. */
ald_status ald_shared_statistics(ald_run *run, const ald_shared_rows *shared, const ald_operator *z,
                                 const double *w, double *mean, double *deviation);

#endif
