/* Predictions of rows by fits that did not have them. Every cell writes its own test rows, so that several
 * can at once; the means are taken afterwards, in the order of the splits, so that they do not depend on who
 * was first. */
#ifndef ALD_COMPARE_OUT_OF_FOLD_H
#define ALD_COMPARE_OUT_OF_FOLD_H

#include "judge/compare/comparison.h"

/* Room for the cells, once rows and splits of the comparison are known. */
ald_status ald_out_of_fold_begin(ald_run *run, const ald_subset *data, ald_comparison *comparison);
/* Where the predictions of `count` rows of the comparison in one split go, for ald_cell_plan; NULL: not
 * wanted. */
ald_status ald_out_of_fold_places(ald_run *run, const ald_comparison *comparison, int row, int count,
                                  int64_t split, double ***places);
/* Means over the splits; the room of the cells is freed. */
ald_status ald_out_of_fold_finish(ald_run *run, ald_comparison *comparison);

#endif
