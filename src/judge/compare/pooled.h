/* Figures of the test rows of all splits together, from those of the splits. */
#ifndef ALD_COMPARE_POOLED_H
#define ALD_COMPARE_POOLED_H

#include "judge/compare/comparison.h"

/* Keeps of the true responses what the figures need: their sums in each test part. Once there are splits. */
ald_status ald_pooled_truth(ald_run *run, const ald_subset *data, ald_comparison *comparison);
/* The figure of row `row`, over the splits that were fitted; `count` receives how many. NaN where it is not
 * defined, and of figures that are means over the splits. */
double ald_pooled_figure(const ald_comparison *comparison, const ald_metric *metric, int row, int64_t *count);

#endif
