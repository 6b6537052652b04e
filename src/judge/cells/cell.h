/* One fit, judged: settings fitted on a training part for several numbers of directions, scored on a test
 * part. Any two subsets will do, so an evaluation inside a training part is the same call one level down. */
#ifndef ALD_CELLS_CELL_H
#define ALD_CELLS_CELL_H

#include "base/core/run.h"
#include "judge/splitting/subset.h"

#include <alidade/compare.h>
#include <alidade/matrix.h>

enum { ALD_MOST_METRICS = 9 };

typedef enum ald_metric_pool {
    ALD_POOL_MEAN = 0, /* their mean */
    ALD_POOL_ROOT,     /* of all rows together (compare/summary.c): the root of the mean square, */
    ALD_POOL_BIAS,     /* the mean error, */
    ALD_POOL_SEP,      /* the standard deviation of the errors, */
    ALD_POOL_RPD,      /* that of the truth over it, */
    ALD_POOL_SHARE,    /* 1 - missed / total */
} ald_metric_pool;

typedef struct ald_metric {
    const char *name, *title;
    int larger_is_better;
    int number;           /* in its list */
    double least, most;   /* what it can be */
    int needs_scores;     /* as in ald_metric_facts */
    int by_size;          /* the nearer to 0 the better */
    ald_metric_pool pool; /* how the figures of several test parts become one */
} ald_metric;

/* By what a target is judged: the kind of the target, but times with events have a list of their own. */
typedef enum ald_metric_kind {
    ALD_METRICS_NONE,
    ALD_METRICS_CLASSES,
    ALD_METRICS_REAL,
    ALD_METRICS_TIMES,
    ALD_METRICS_LABELS,
} ald_metric_kind;
ald_metric_kind ald_metrics_of(const ald_target *y);

/* The list of a kind, and its length. The first is not the usual one: that is ald_metric_find(run, kind,
 * NULL). */
const ald_metric *ald_metric_list(ald_metric_kind kind, int *count);
/* NULL: the usual one. Another name is an error that lists the known ones. */
ald_status ald_metric_find(ald_run *run, ald_metric_kind kind, const char *name, const ald_metric **metric);
/* Whether value a is better than b; NaN is worse than anything. */
int ald_metric_better(const ald_metric *metric, double a, double b);
/* The value that is worse than `value` by `slack`. */
double ald_metric_worse_by(const ald_metric *metric, double value, double slack);

/* What comes of it, for one number of directions. */
typedef struct ald_cell {
    ald_status status;                /* negative: no metrics, `message` says why; positive: with a warning */
    char message[256];                /* of the status, or why the chosen metric is NaN; "" if neither */
    double metrics[ALD_MOST_METRICS]; /* as ald_metric_list lists them for the target; NaN: undefined */
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
    int only_metric;          /* of the others, those that take time are left out */
    double (*clock)(void);    /* NULL: not timed */
    /* For each of dims: room for the predictions of the test rows, n_test x outputs (ald_target_outputs),
     * which stays as it was where there are none. NULL: not wanted. */
    double *const *scores;
    const int64_t
        *groups; /* a number per training row: rows of the same number belong together; NULL: none */
    struct ald_fold
        *fold; /* folds.h: the training part by its sums, which are used where they serve; or NULL */
    struct ald_maps *maps;           /* maps.h: what fits with other predictors share; or NULL */
    struct ald_rotations *rotations; /* rotation.h: where wide rows are turned, for all fits; or NULL */
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
