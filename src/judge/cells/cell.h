/* One fit, judged: settings fitted on a training part for several numbers of directions, scored on a test
 * part. Any two subsets will do, so an evaluation inside a training part is the same call one level down. */
#ifndef ALD_CELLS_CELL_H
#define ALD_CELLS_CELL_H

#include "judge/cells/metric.h"
#include "judge/splitting/subset.h"

#include <alidade/compare.h>

/* What comes of it, for one number of directions. */
typedef struct ald_cell {
    ald_status status; /* negative: no metrics, `message` says why; positive: with a warning */
    char message[256]; /* of the status, or why the chosen metric is NaN; "" if neither */
    double
        metrics[ALD_MOST_METRICS]; /* as listed by ald_metric_list for the kind of target; NaN: undefined */
    double fit_seconds,
        apply_seconds; /* map and predictor; NaN: not timed. A fit for all dims counts whole in each */
    int setting;       /* what was taken, where there is a choice; else as asked for */
    int64_t dims;
    double *scores; /* where predictions of the test rows go, as the plan says; NULL: not wanted */
} ald_cell;

typedef struct ald_cell_plan {
    ald_candidate_kind kind;
    const ald_settings *settings;
    const int64_t *dims; /* rising; baselines: one entry, 0 */
    int n_dims;
    const ald_metric *metric; /* the one whose absence `message` explains */
    int only_metric;          /* nobody asks for the others: those that take time are left out */
    double (*clock)(void);    /* NULL: not timed */
    /* For each of dims: room for the predictions of the test rows, n_test x outputs (ald_target_outputs),
     * which stays as it was where there are none. NULL: not wanted. */
    double *const *scores;
    const int64_t
        *groups; /* a number per training row: rows of the same number belong together; NULL: none */
    struct ald_fold
        *fold; /* folds.h: the training part by its sums, which are used where they serve; or NULL */
} ald_cell_plan;

/* Fills cells[0 .. n_dims). The run's context is used as it is: give it one thread where several run at once.
 * Negative only for want of memory or cancellation; anything else is in the cells. `train` may be NULL where
 * there is a fold. */
ald_status ald_cells_judge(ald_run *run, const ald_cell_plan *plan, const ald_subset *train,
                           const ald_subset *test, ald_cell *cells);

/* Columns of predictions with their scores: the responses, the classes or the labels. */
int64_t ald_target_outputs(const ald_target *y);

/* Sets a cell to a failure. */
void ald_cell_fail(ald_cell *cell, ald_status status, const char *message);

#endif
