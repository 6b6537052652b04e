#include "judge/evaluate/class_metrics.h"
#include "judge/evaluate/scores.h"

#include <math.h>
#include <stdio.h>

enum { note_size = sizeof((ald_score *)0)->note };

/* "the positive class is yes": the second of two. */
static void note_positive(const ald_judged *j, char *note)
{
    note[0] = '\0';
    if (j->q == 2 && j->y->names && j->y->n_classes > 1 && j->y->names[1])
        snprintf(note, note_size, "the positive class is %.80s", j->y->names[1]);
    else if (j->q == 2)
        snprintf(note, note_size, "the positive class is the second");
    else
        snprintf(note, note_size, "the mean over the classes, each against the rest");
}

static void score_counts(const ald_judged *j, const ald_class_counts *counts, ald_score_list *list)
{
    int64_t present;
    char note[note_size] = "";
    const double balanced = ald_metric_balanced_accuracy(counts, &present);
    if (present < j->q)
        snprintf(note, sizeof note, "over the %lld of %lld classes that these rows have", (long long)present,
                 (long long)j->q);
    ald_score_add(list, "accuracy", "", ald_metric_accuracy(counts), "");
    ald_score_add(list, "balanced_accuracy", "", balanced, note);
    ald_score_add(list, "mean_ovr_accuracy", "", ald_metric_one_vs_rest_accuracy(counts), "");
}

static ald_status score_auc(ald_run *run, const ald_judged *j, ald_score_list *list)
{
    int64_t defined = 0;
    double auc = NAN;
    char note[note_size] = "undefined: there are no scores of the classes, only predictions";
    if (j->scores) {
        ALD_TRY(ald_metric_class_auc(run, j->y->rows, j->y->classes, j->n_scores, j->scores,
                                     !j->probabilities, &defined, &auc));
        note[0] = '\0';
        if (defined == 0)
            snprintf(note, sizeof note, "undefined: all rows are of one class");
        else if (j->n_scores > 2 && defined < j->n_scores)
            snprintf(note, sizeof note, "over the %lld of %lld classes that these rows have",
                     (long long)defined, (long long)j->n_scores);
    }
    ald_score_add(list, "auc", "", auc, note);
    return ALD_OK;
}

static void score_tables(const ald_judged *j, const ald_class_counts *counts, ald_score_list *list)
{
    static const char none[] = "undefined: these rows have none of the positive class",
                      only[] = "undefined: these rows have none but the positive class",
                      one[] = "undefined: all rows are of one class";
    const double found = ald_metric_sensitivity(counts), left = ald_metric_specificity(counts),
                 mcc = ald_metric_mcc(counts);
    char note[note_size];
    note_positive(j, note);
    ald_score_add(list, "sensitivity", "", found, isnan(found) ? none : note);
    ald_score_add(list, "specificity", "", left, isnan(left) ? only : note);
    ald_score_add(list, "mcc", "", mcc, isnan(mcc) ? one : "");
}

static void score_probabilities(const ald_judged *j, ald_score_list *list)
{
    static const char none[] =
        "undefined: the predictor has no probabilities; gaussian, logistic and knn have";
    const int64_t n = j->y->rows, c = j->n_scores;
    const int known = j->scores && j->probabilities;
    const double loss = known ? ald_metric_log_loss(n, j->y->classes, c, j->scores) : (double)NAN,
                 brier = known ? ald_metric_brier(n, j->y->classes, c, j->scores) : (double)NAN;
    ald_score_add(list, "log_loss", "", loss, known ? "" : none);
    ald_score_add(list, "brier", "", brier, known ? "" : none);
}

ald_status ald_score_classes(ald_run *run, const ald_judged *j, ald_score_list *list)
{
    ald_class_counts counts;
    ALD_TRY(ald_class_count(run, j->y->rows, j->y->classes, j->prediction, j->q, &counts));
    score_counts(j, &counts, list);
    ALD_TRY(score_auc(run, j, list));
    score_tables(j, &counts, list);
    score_probabilities(j, list);
    return ALD_OK;
}
