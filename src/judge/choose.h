/* A candidate that chooses among its settings and dims inside the training part. */
#ifndef ALD_JUDGE_CHOOSE_H
#define ALD_JUDGE_CHOOSE_H

#include "judge/cell.h"

/* Splits the training part by candidate->inner, takes the pair of settings and dims with the best mean of the metric
 * (of equals the fewest dims, then the first settings), fits it on the whole training part and judges it on the test
 * part. `groups` (of the training rows, NULL: none) are kept together inside too. Result as ald_cells_judge's, one
 * cell, with what was chosen. */
ald_status ald_choose(ald_run *run, const ald_candidate *candidate, const ald_metric *metric, double (*clock)(void),
                      const ald_subset *train, const int64_t *groups, const ald_subset *test, ald_cell *cell);

#endif
