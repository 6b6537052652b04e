/* Paired comparison of rows over the same splits. */
#ifndef ALD_JUDGE_PAIRED_H
#define ALD_JUDGE_PAIRED_H

#include <stdint.h>

/* The two-sided p-value of the corrected resampled t-test of the differences a - b over J splits, with
 * n_test/n_train = `ratio`. NaN for J < 2; 1 where all differences are 0. */
double ald_paired_p_value(int64_t J, const double *a, const double *b, double ratio);

#endif
