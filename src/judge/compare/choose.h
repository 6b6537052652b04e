/* A candidate that chooses among its settings and dims inside the training part. */
#ifndef ALD_COMPARE_CHOOSE_H
#define ALD_COMPARE_CHOOSE_H

#include "judge/cells/cell.h"

typedef struct ald_choosing {
    const ald_candidate *candidate;
    const ald_metric *metric;
    double (*clock)(void);
    const ald_subset *train;
    /* Training and test part with cells without a value, which are filled inside anew; NULL: there are none.
     */
    const ald_subset *gappy, *gappy_test;
    double *const *scores; /* of its one cell, as in ald_cell_plan; NULL: not wanted */
    int race, trial;       /* as in ald_compare_plan, inside */
    const int64_t *groups; /* of its rows, which are kept together inside too; NULL: none */
} ald_choosing;

/* Compares all pairs of settings and dims by candidate->inner on the training rows, takes one by
 * candidate->rule (rule.h), fits it on all of them and judges it on the test part. Result as
 * ald_cells_judge's, one cell, with what was chosen; its fit_seconds are those of the last fit. */
ald_status ald_choose(ald_run *run, const ald_choosing *choosing, const ald_subset *test, ald_cell *cell);

#endif
