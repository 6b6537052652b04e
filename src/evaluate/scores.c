#include "evaluate/scores.h"

#include "evaluate/metrics.h"

#include <math.h>
#include <stdio.h>

static void add_score(ald_score_list *list, const char *name, const char *of, double value, const char *note)
{
    if (list->count < list->capacity) {
        ald_score *score = &list->scores[list->count];
        snprintf(score->name, sizeof score->name, "%s", name);
        snprintf(score->of, sizeof score->of, "%s", of);
        snprintf(score->note, sizeof score->note, "%s", note);
        score->value = value;
    }
    list->count++;
}

/* The name of response or label j, "y3" where it has none. */
static const char *column_name(const ald_target *y, int64_t j, char *number, size_t size)
{
    if (y->names && y->names[j]) return y->names[j];
    snprintf(number, size, "y%lld", (long long)j + 1);
    return number;
}

typedef struct response_metric {
    const char *name;
    double (*of_column)(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);
    const char *undefined; /* why it may be NaN */
} response_metric;

static const response_metric response_metrics[] = {
    {"rmse", ald_metric_rmse, ""},
    {"r2", ald_metric_r2, "undefined: the response does not vary in these rows"},
    {"mae", ald_metric_mae, ""},
};
enum { response_metric_count = sizeof response_metrics / sizeof *response_metrics };

static double mean_metric(const response_metric *m, int64_t n, int64_t q, const double *truth,
                          const double *prediction)
{
    double sum = 0.0;
    for (int64_t j = 0; j < q; j++) sum += m->of_column(n, q, j, truth, prediction);
    return sum / (double)q;
}

/* The mean over the responses first, then each. */
static void score_responses(ald_score_list *list, const ald_target *y, int64_t q, const double *truth,
                            const double *prediction)
{
    char number[32];
    for (int k = 0; k < response_metric_count; k++) {
        const response_metric *m = &response_metrics[k];
        const double value = mean_metric(m, y->rows, q, truth, prediction);
        add_score(list, m->name, "", value, isnan(value) ? m->undefined : "");
    }
    for (int64_t j = 0; q > 1 && j < q; j++)
        for (int k = 0; k < response_metric_count; k++) {
            const response_metric *m = &response_metrics[k];
            const double value = m->of_column(y->rows, q, j, truth, prediction);
            add_score(list, m->name, column_name(y, j, number, sizeof number), value,
                      isnan(value) ? m->undefined : "");
        }
}

static ald_status score_classes(ald_run *run, ald_score_list *list, const ald_target *y, int64_t c,
                                const double *prediction)
{
    ald_class_counts counts;
    int64_t present;
    char note[sizeof list->scores->note] = "";
    ALD_TRY(ald_class_count(run, y->rows, y->classes, prediction, c, &counts));
    const double balanced = ald_metric_balanced_accuracy(&counts, &present);
    if (present < c)
        snprintf(note, sizeof note, "over the %lld of %lld classes that these rows have", (long long)present,
                 (long long)c);
    add_score(list, "accuracy", "", ald_metric_accuracy(&counts), "");
    add_score(list, "balanced_accuracy", "", balanced, note);
    add_score(list, "mean_ovr_accuracy", "", ald_metric_one_vs_rest_accuracy(&counts), "");
    return ALD_OK;
}

/* The share of single labels predicted right. */
static double label_accuracy(const ald_binary *all)
{
    int64_t right = 0;
    for (int64_t i = 0; i < all->n; i++) right += (all->truth[i] > 0.5) == (all->scores[i] > 0.5);
    return (double)right / (double)all->n;
}

/* The mean of those that are defined, with a note on the others. */
static void add_macro(ald_score_list *list, const char *name, int64_t q, const double *values,
                      const char *why)
{
    char note[sizeof list->scores->note] = "";
    double sum = 0.0;
    int64_t defined = 0;
    for (int64_t j = 0; j < q; j++) {
        if (isnan(values[j])) continue;
        sum += values[j];
        defined++;
    }
    if (defined == 0)
        snprintf(note, sizeof note, "undefined: every label %s", why);
    else if (defined < q)
        snprintf(note, sizeof note, "over %lld of %lld labels; in the others the label %s",
                 (long long)defined, (long long)q, why);
    add_score(list, name, "", defined ? sum / (double)defined : (double)NAN, note);
}

static ald_status score_labels(ald_run *run, ald_score_list *list, const ald_target *y, int64_t q,
                               const double *truth, const double *prediction)
{
    static const char constant[] = "is all 0 or all 1", unused[] = "is all 0 and never predicted";
    const ald_binary all = {y->rows * q, 1, truth, prediction};
    double *auc, *f1, micro_auc;
    char number[32];
    ALD_TRY(ALD_SCRATCH(run, {&auc, q, 1}, {&f1, q, 1}));
    ALD_TRY(ald_metric_auc(run, &all, &micro_auc));
    const double micro_f1 = ald_metric_f1(&all);
    for (int64_t j = 0; j < q; j++) {
        const ald_binary one = {y->rows, q, truth + j, prediction + j};
        ALD_TRY(ald_metric_auc(run, &one, &auc[j]));
        f1[j] = ald_metric_f1(&one);
    }
    add_score(list, "accuracy", "", label_accuracy(&all), "");
    add_macro(list, "macro_auc", q, auc, constant);
    add_score(list, "micro_auc", "", micro_auc,
              isnan(micro_auc) ? "undefined: all labels are 0 or all are 1" : "");
    add_macro(list, "macro_f1", q, f1, unused);
    add_score(list, "micro_f1", "", micro_f1,
              isnan(micro_f1) ? "undefined: all labels are 0, none predicted" : "");
    for (int64_t j = 0; j < q; j++) {
        const char *of = column_name(y, j, number, sizeof number);
        add_score(list, "auc", of, auc[j], isnan(auc[j]) ? "undefined: the label is all 0 or all 1" : "");
        add_score(list, "f1", of, f1[j],
                  isnan(f1[j]) ? "undefined: the label is all 0, never predicted" : "");
    }
    return ALD_OK;
}

ald_status ald_score_all(ald_run *run, const ald_target *y, int64_t q, const double *truth,
                         const double *prediction, ald_score_list *list)
{
    if (y->kind == ALD_TARGET_CLASSES) return score_classes(run, list, y, q, prediction);
    if (y->kind == ALD_TARGET_LABELS) return score_labels(run, list, y, q, truth, prediction);
    score_responses(list, y, q, truth, prediction);
    return ALD_OK;
}
