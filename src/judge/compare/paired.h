/* Paired comparison of rows over the same splits. */
#ifndef ALD_COMPARE_PAIRED_H
#define ALD_COMPARE_PAIRED_H

#include <stdint.h>

/* The two-sided p-value of the corrected resampled t-test of the differences a - b over J splits, with
 * n_test/n_train = `ratio`. NaN for J < 2; 1 where all differences are 0. */
double ald_paired_p_value(int64_t J, const double *a, const double *b, double ratio);
/* The interval of the mean difference a - b that goes with that test: it holds 0 where the p-value is above
 * `level`. NaN for J < 2. */
typedef struct ald_paired_difference {
    double mean, low, high;
} ald_paired_difference;
ald_paired_difference ald_paired_interval(int64_t J, const double *a, const double *b, double ratio,
                                          double level);

#endif
