#include "cells/metric.h"

#include <alidade/compare.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const ald_metric response_metrics[] = {{"rmse", 0, 0, 0.0, INFINITY},
                                              {"r2", 1, 1, -INFINITY, 1.0},
                                              {"mae", 0, 2, 0.0, INFINITY}},
                        class_metrics[] = {{"accuracy", 1, 0, 0.0, 1.0},
                                           {"balanced_accuracy", 1, 1, 0.0, 1.0},
                                           {"mean_ovr_accuracy", 1, 2, 0.0, 1.0}},
                        label_metrics[] = {{"accuracy", 1, 0, 0.0, 1.0},
                                           {"macro_auc", 1, 1, 0.0, 1.0},
                                           {"micro_auc", 1, 2, 0.0, 1.0},
                                           {"macro_f1", 1, 3, 0.0, 1.0},
                                           {"micro_f1", 1, 4, 0.0, 1.0}};

typedef struct kind_metrics {
    const ald_metric *list;
    int count, usual;
    const char *of;
} kind_metrics;

static const kind_metrics kinds[] = {[ALD_TARGET_NONE] = {NULL, 0, 0, "no target"},
                                     [ALD_TARGET_CLASSES] = {class_metrics, 3, 0, "classes"},
                                     [ALD_TARGET_REAL] = {response_metrics, 3, 0, "numbers"},
                                     [ALD_TARGET_LABELS] = {label_metrics, 5, 1, "labels"}};
enum { kind_count = sizeof kinds / sizeof *kinds };

const ald_metric *ald_metric_list(ald_target_kind kind, int *count)
{
    *count = kinds[kind].count;
    return kinds[kind].list;
}

static const ald_metric *find(const kind_metrics *k, const char *name)
{
    for (int i = 0; i < k->count; i++)
        if (strcmp(k->list[i].name, name) == 0) return &k->list[i];
    return NULL;
}

ald_status ald_metric_find(ald_run *run, ald_target_kind kind, const char *name, const ald_metric **metric)
{
    const kind_metrics *k = &kinds[kind];
    char list[128] = "";
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
    return metric->larger_is_better ? a > b : a < b;
}

int ald_metric_larger_is_better(const char *name)
{
    for (int k = 0; name && k < kind_count; k++) {
        const ald_metric *metric = find(&kinds[k], name);
        if (metric) return metric->larger_is_better;
    }
    return -1;
}
