/* Limits of Q that a model does not keep. */
#ifndef ALD_MEASURING_MEASURE_OUTLIERS_H
#define ALD_MEASURING_MEASURE_OUTLIERS_H

#include <alidade/outliers.h>

/* Limits of Q that are not known (NaN) become those by the mean and the variance of q, the Q of n rows of the
 * fit, as the fit itself would have found them. Fewer than two rows leave them as they are. */
void ald_limits_by_rows(int64_t n, const double *q, ald_outlier_limits *limits);

#endif
