/* Which figures belong to which kind of target, in the order in which they are listed, and the notes on those
 * that are undefined. */
#include "judge/evaluate/scores.h"

#include "judge/evaluate/metrics.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <stdio.h>

void ald_score_add(ald_score_list *list, const char *name, const char *of, double value, const char *note)
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

static const char constant[] = "undefined: the response does not vary in these rows";
static const response_metric response_metrics[] = {
    {"rmse", ald_metric_rmse, ""},
    {"r2", ald_metric_r2, constant},
    {"mae", ald_metric_mae, ""},
    {"rmsecv", ald_metric_rmse, ""},
    {"bias", ald_metric_bias, ""},
    {"sep", ald_metric_sep, "undefined: there is one row only"},
    {"rpd", ald_metric_rpd, "undefined: the response or the errors do not vary in these rows"},
};
enum { response_metric_count = sizeof response_metrics / sizeof *response_metrics, pooled_metric = 3 };

/* The mean over the responses; rmsecv is of all of them together. */
static double mean_metric(int number, const ald_judged *judged)
{
    const int64_t n = judged->y->rows, q = judged->q;
    double sum = 0.0;
    if (number == pooled_metric) return ald_metric_rmse_all(n, q, judged->truth, judged->prediction);
    for (int64_t j = 0; j < q; j++)
        sum += response_metrics[number].of_column(n, q, j, judged->truth, judged->prediction);
    return sum / (double)q;
}

static void add_response(ald_score_list *list, int number, const char *of, double value)
{
    const response_metric *m = &response_metrics[number];
    ald_score_add(list, m->name, of, value, isnan(value) ? m->undefined : "");
}

/* Of responses first to last - 1. */
static void add_q2(ald_score_list *list, const ald_judged *judged, const char *of, int64_t first,
                   int64_t last)
{
    static const char own[] = "about the mean of these rows: that of the training rows is not known";
    const double value = ald_metric_q2(judged->y->rows, judged->q, first, last, judged->truth,
                                       judged->prediction, judged->means);
    const char *defined = judged->means ? "" : own;
    ald_score_add(list, "q2", of, value, isnan(value) ? constant : defined);
}

/* The mean over the responses first, then each. */
static void score_responses(ald_score_list *list, const ald_judged *judged)
{
    const int64_t n = judged->y->rows, q = judged->q;
    char number[32];
    for (int k = 0; k < response_metric_count; k++) add_response(list, k, "", mean_metric(k, judged));
    add_q2(list, judged, "", 0, q);
    for (int64_t j = 0; q > 1 && j < q; j++) {
        const char *of = column_name(judged->y, j, number, sizeof number);
        for (int k = 0; k < response_metric_count; k++)
            add_response(list, k, of,
                         response_metrics[k].of_column(n, q, j, judged->truth, judged->prediction));
        add_q2(list, judged, of, j, j + 1);
    }
}

/* The share of single labels predicted correctly. */
static double label_accuracy(const ald_binary *all)
{
    int64_t right = 0;
    for (int64_t i = 0; i < all->n; i++) right += (all->truth[i] > 0.5) == ald_decide_label(all->scores[i]);
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
    ald_score_add(list, name, "", defined ? sum / (double)defined : (double)NAN, note);
}

static ald_status score_labels(ald_run *run, const ald_judged *judged, ald_score_list *list)
{
    static const char alike[] = "is all 0 or all 1", unused[] = "is all 0 and never predicted";
    const ald_target *y = judged->y;
    const int64_t q = judged->q;
    const double *truth = judged->truth, *prediction = judged->prediction;
    const ald_binary all = {y->rows * q, 1, truth, prediction};
    double *auc, *f1;
    double micro_auc;
    char number[32];
    ALD_TRY(ALD_SCRATCH(run, {&auc, q, 1}, {&f1, q, 1}));
    ALD_TRY(ald_metric_auc(run, &all, &micro_auc));
    const double micro_f1 = ald_metric_f1(&all);
    for (int64_t j = 0; j < q; j++) {
        const ald_binary one = {y->rows, q, truth + j, prediction + j};
        ALD_TRY(ald_metric_auc(run, &one, &auc[j]));
        f1[j] = ald_metric_f1(&one);
    }
    ald_score_add(list, "accuracy", "", label_accuracy(&all), "");
    add_macro(list, "macro_auc", q, auc, alike);
    ald_score_add(list, "micro_auc", "", micro_auc,
                  isnan(micro_auc) ? "undefined: all labels are 0 or all are 1" : "");
    add_macro(list, "macro_f1", q, f1, unused);
    ald_score_add(list, "micro_f1", "", micro_f1,
                  isnan(micro_f1) ? "undefined: all labels are 0, none predicted" : "");
    for (int64_t j = 0; j < q; j++) {
        const char *of = column_name(y, j, number, sizeof number);
        ald_score_add(list, "auc", of, auc[j], isnan(auc[j]) ? "undefined: the label is all 0 or all 1" : "");
        ald_score_add(list, "f1", of, f1[j],
                      isnan(f1[j]) ? "undefined: the label is all 0, never predicted" : "");
    }
    return ALD_OK;
}

ald_status ald_score_all(ald_run *run, const ald_judged *judged, ald_score_list *list)
{
    if (judged->y->kind == ALD_TARGET_CLASSES) return ald_score_classes(run, judged, list);
    if (judged->y->kind == ALD_TARGET_LABELS) return score_labels(run, judged, list);
    score_responses(list, judged);
    return ALD_OK;
}
