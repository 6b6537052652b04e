/* The metrics by name: which belong to a kind of target, in the order of ald_score_predictions, and which way
 * is up. */
#include "judge/cells/cell.h"

#include "base/settings/options.h"

#include <alidade/compare.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const ald_metric response_metrics[] = {
    {"rmse", "root mean squared error", 0, 0, 0.0, INFINITY, 0, 0, ALD_POOL_MEAN},
    {"r2", "share of the variance explained", 1, 1, -INFINITY, 1.0, 0, 0, ALD_POOL_MEAN},
    {"mae", "mean absolute error", 0, 2, 0.0, INFINITY, 0, 0, ALD_POOL_MEAN},
    {"rmsecv", "root mean squared error of all test rows together", 0, 3, 0.0, INFINITY, 0, 0, ALD_POOL_ROOT},
    {"bias", "mean of prediction minus truth", 0, 4, -INFINITY, INFINITY, 0, 1, ALD_POOL_BIAS},
    {"sep", "standard error of prediction, bias removed", 0, 5, 0.0, INFINITY, 0, 0, ALD_POOL_SEP},
    {"rpd", "standard deviation of the truth divided by sep", 1, 6, 0.0, INFINITY, 0, 0, ALD_POOL_RPD},
    {"q2", "share explained over all test rows, about the training mean", 1, 7, -INFINITY, 1.0, 0, 0,
     ALD_POOL_SHARE},
};
static const ald_metric time_metrics[] = {
    {"concordance",
     "share of the pairs with a known order of deaths that the predicted risks order correctly", 1, 0, 0.0,
     1.0, 0, 0, ALD_POOL_MEAN},
};
static const ald_metric class_metrics[] = {
    {"accuracy", "share of rows predicted correctly", 1, 0, 0.0, 1.0, 0, 0, ALD_POOL_MEAN},
    {"balanced_accuracy", "mean over the classes of the share predicted correctly", 1, 1, 0.0, 1.0, 0, 0,
     ALD_POOL_MEAN},
    {"mean_ovr_accuracy", "mean over the classes of the accuracy of one against the rest", 1, 2, 0.0, 1.0, 0,
     0, ALD_POOL_MEAN},
    {"auc", "area under the receiver operating curve; for more classes the mean, each against the rest", 1, 3,
     0.0, 1.0, 1, 0, ALD_POOL_MEAN},
    {"sensitivity", "share of the positive class that is found", 1, 4, 0.0, 1.0, 0, 0, ALD_POOL_MEAN},
    {"specificity", "share of the other class that is predicted as such", 1, 5, 0.0, 1.0, 0, 0,
     ALD_POOL_MEAN},
    {"mcc", "Matthews correlation coefficient", 1, 6, -1.0, 1.0, 0, 0, ALD_POOL_MEAN},
    {"log_loss", "mean negative log probability of the true class", 0, 7, 0.0, INFINITY, 2, 0, ALD_POOL_MEAN},
    {"brier", "mean squared error of the probabilities", 0, 8, 0.0, 2.0, 2, 0, ALD_POOL_MEAN},
};
static const ald_metric label_metrics[] = {
    {"accuracy", "share of single labels predicted correctly", 1, 0, 0.0, 1.0, 0, 0, ALD_POOL_MEAN},
    {"macro_auc", "mean over the labels of the area under the receiver operating curve", 1, 1, 0.0, 1.0, 0, 0,
     ALD_POOL_MEAN},
    {"micro_auc", "the same for all labels in one list", 1, 2, 0.0, 1.0, 0, 0, ALD_POOL_MEAN},
    {"macro_f1", "mean over the labels of F1", 1, 3, 0.0, 1.0, 0, 0, ALD_POOL_MEAN},
    {"micro_f1", "F1 of all labels in one list", 1, 4, 0.0, 1.0, 0, 0, ALD_POOL_MEAN},
};

typedef struct kind_metrics {
    const ald_metric *list;
    int count, usual;
    ald_target_kind target;
    const char *of;
} kind_metrics;

#define LIST(metrics) metrics, (int)(sizeof metrics / sizeof *metrics)
static const kind_metrics kinds[] = {
    [ALD_METRICS_NONE] = {NULL, 0, 0, ALD_TARGET_NONE, "no target"},
    [ALD_METRICS_CLASSES] = {LIST(class_metrics), 0, ALD_TARGET_CLASSES, "classes"},
    [ALD_METRICS_REAL] = {LIST(response_metrics), 0, ALD_TARGET_REAL, "numbers"},
    [ALD_METRICS_TIMES] = {LIST(time_metrics), 0, ALD_TARGET_REAL, "times with events"},
    [ALD_METRICS_LABELS] = {LIST(label_metrics), 1, ALD_TARGET_LABELS, "labels"},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

int ald_metric_at(int number, ald_metric_facts *facts)
{
    int kind = 0, at = number;
    if (!facts || number < 0 || facts->size < sizeof facts->size) return 0;
    for (; kind < kind_count && at >= kinds[kind].count; kind++) at -= kinds[kind].count;
    if (kind == kind_count) return 0;
    const ald_metric *m = &kinds[kind].list[at];
    const ald_metric_facts whole = {
        .size = sizeof whole,
        .name = m->name,
        .title = m->title,
        .kind = kinds[kind].target,
        .larger_is_better = m->by_size ? -1 : m->larger_is_better,
        .needs_scores = m->needs_scores,
        .pooled = m->pool != ALD_POOL_MEAN,
        .least = m->least,
        .most = m->most,
    };
    ALD_OPTIONS_WRITE(ald_metric_facts, &whole, facts);
    return 1;
}

ald_metric_kind ald_metrics_of(const ald_target *y)
{
    static const ald_metric_kind of[] = {
        [ALD_TARGET_NONE] = ALD_METRICS_NONE,
        [ALD_TARGET_CLASSES] = ALD_METRICS_CLASSES,
        [ALD_TARGET_REAL] = ALD_METRICS_REAL,
        [ALD_TARGET_LABELS] = ALD_METRICS_LABELS,
    };
    return y->events ? ALD_METRICS_TIMES : of[y->kind];
}

const ald_metric *ald_metric_list(ald_metric_kind kind, int *count)
{
    *count = kinds[kind].count;
    return kinds[kind].list;
}

/* log-loss is log_loss. */
static int is_called(const char *name, const char *given)
{
    for (; *name; name++, given++)
        if (*name != *given && !(*name == '_' && *given == '-')) return 0;
    return !*given;
}

static const ald_metric *find(const kind_metrics *k, const char *name)
{
    for (int i = 0; i < k->count; i++)
        if (is_called(k->list[i].name, name)) return &k->list[i];
    return NULL;
}

ald_status ald_metric_find(ald_run *run, ald_metric_kind kind, const char *name, const ald_metric **metric)
{
    const kind_metrics *k = &kinds[kind];
    char list[200] = "";
    if (k->count == 0)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "there is no target to judge by: name its columns (`target`)");
    *metric = name ? find(k, name) : &k->list[k->usual];
    if (*metric) return ALD_OK;
    for (int i = 0; i < k->count; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", k->list[i].name);
    }
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no metric '%.60s' for %s: use one of %s", name,
                    k->of, list);
}

int ald_metric_better(const ald_metric *metric, double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(b) && !isnan(a);
    if (metric->by_size) return fabs(a) < fabs(b);
    return metric->larger_is_better ? a > b : a < b;
}

double ald_metric_worse_by(const ald_metric *metric, double value, double slack)
{
    if (metric->by_size) return fabs(value) + slack;
    return metric->larger_is_better ? value - slack : value + slack;
}

int ald_metric_larger_is_better(const char *name)
{
    for (int k = 0; name && k < kind_count; k++) {
        const ald_metric *metric = find(&kinds[k], name);
        if (metric) return metric->larger_is_better;
    }
    return -1;
}
