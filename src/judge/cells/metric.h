/* The metrics by name: which belong to a kind of target, in the order of ald_score_predictions, and which way
 * is up. */
#ifndef ALD_CELLS_METRIC_H
#define ALD_CELLS_METRIC_H

#include "base/core/run.h"

#include <alidade/matrix.h>

enum { ALD_MOST_METRICS = 9 };

typedef enum ald_metric_pool {
    ALD_POOL_MEAN = 0, /* their mean */
    ALD_POOL_ROOT,     /* of all rows together (judge/pooled.h): the root of the mean square, */
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

/* The list of a kind, and its length. The first is not the usual one: that is ald_metric_find(run, kind,
 * NULL). */
const ald_metric *ald_metric_list(ald_target_kind kind, int *count);
/* NULL: the usual one. Another name is an error that lists the known ones. */
ald_status ald_metric_find(ald_run *run, ald_target_kind kind, const char *name, const ald_metric **metric);
/* Whether value a is better than b; NaN is worse than anything. */
int ald_metric_better(const ald_metric *metric, double a, double b);
/* The value that is worse than `value` by `slack`. */
double ald_metric_worse_by(const ald_metric *metric, double value, double slack);

#endif
