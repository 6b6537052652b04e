/* The sums of all divisions of a set of splits, where they pay (fold_cost.h), for the fits that they can
 * serve. */
#ifndef ALD_CELLS_SUMS_H
#define ALD_CELLS_SUMS_H

#include "judge/cells/folds.h"
#include "judge/splitting/splits.h"

/* Settings that are fitted in every split, for r directions. */
typedef struct ald_sums_fit {
    const ald_settings *settings;
    int64_t r;
} ald_sums_fit;

typedef struct ald_sums {
    int64_t divisions; /* 0: there are none, and rows are fitted */
    ald_folds *of;     /* a division */
} ald_sums;

/* Whether such fits are fast whatever they are made from: from moments, in fewer than 1e8 operations a split.
 */
int ald_sums_is_quick(ald_run *run, const ald_subset *data, const ald_splits *splits,
                      const ald_sums_fit *fit);
/* Sums for the fits that have the row scaling of the first that can be served; on several threads, with the
 * same figures for any number. Where X cannot be summed there are none: the fit of its rows says why. In the
 * run's scratch and in memory of their own: freed by ald_sums_free, also after a failure. */
ald_status ald_sums_make(ald_run *run, const ald_subset *data, const ald_splits *splits,
                         const ald_sums_fit *fits, int64_t count, ald_sums *sums);
void ald_sums_free(ald_sums *sums);

#endif
