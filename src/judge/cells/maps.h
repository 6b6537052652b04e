/* Fits of a split that several settings share: those that differ in nothing but the predictor. The scores of
 * training and test rows are kept, so that the map is fitted once for all of them.
 *
 * Scores take (n + m) r numbers; all go where they would take more than ALD_MAP_BYTES together. What is
 * fitted from sums (folds.h) is not kept: it costs little, and predictors want it in different forms. */
#ifndef ALD_CELLS_MAPS_H
#define ALD_CELLS_MAPS_H

#include "judge/cells/folds.h"
#include "judge/cells/judging.h"

typedef struct ald_kept_scores {
    const ald_settings *like; /* the map is that of these settings, */
    int64_t dims;             /* with as many components as asked for */
    const double *from;
    ald_projection projection;
    struct ald_kept_scores *next;
} ald_kept_scores;

/* Those of one split; begun, it is ended, also after a failure. */
typedef struct ald_maps {
    ald_run run; /* its scratch holds what is kept; context NULL: not begun */
    const ald_sums_fit *fits;
    int64_t count;
    ald_kept_scores *kept;
    double bytes;
} ald_maps;

/* `fits` are all that are tried on the split, and are kept. */
void ald_maps_begin(ald_run *run, const ald_sums_fit *fits, int64_t count, ald_maps *maps);
void ald_maps_end(ald_maps *maps);
/* Whether the scores by that many dims are there. */
int ald_maps_find(const ald_maps *maps, const ald_judging *j, int64_t dims, ald_projection *p);
/* Keeps them where others will ask for them. Negative for want of memory only. */
ald_status ald_maps_keep(ald_run *run, ald_maps *maps, const ald_judging *j, int64_t dims,
                         const ald_projection *p);

#endif
