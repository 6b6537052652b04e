/* Figures of merit of predictions. Undefined ones are NaN. */
#ifndef ALD_EVALUATE_METRICS_H
#define ALD_EVALUATE_METRICS_H

#include <stdint.h>

/* Of column `j` of n x q row-major matrices. */
double ald_metric_rmse(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);
/* 1 - residual / total sum of squares; NaN when the truth does not vary. */
double ald_metric_r2(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);

#endif
