/* All figures of a prediction, by the kind of its target, as named scores. */
#ifndef ALD_EVALUATE_SCORES_H
#define ALD_EVALUATE_SCORES_H

#include "base/core/run.h"

#include <alidade/evaluate.h>

/* `count` also counts those for which there is no room. */
typedef struct ald_score_list {
    ald_score *scores;
    int capacity, count;
    int one_part; /* of no cross-validation: without figures of several test parts */
} ald_score_list;

/* Predictions beside the truth, all of it checked. */
typedef struct ald_judged {
    const ald_target *y;
    int64_t q;                /* classes, responses or labels */
    const double *truth;      /* y->rows x q; not used for classes */
    const double *prediction; /* codes of classes, or y->rows x q */
    const double *scores;     /* classes: y->rows x n_scores; NULL: not known */
    int64_t n_scores;
    int probabilities;   /* that is what the scores are */
    const double *means; /* q: of the responses, in the rows that were learned from; NULL: not known */
} ald_judged;
ald_status ald_score_all(ald_run *run, const ald_judged *judged, ald_score_list *list);

/* One figure; the room may be full. */
void ald_score_add(ald_score_list *list, const char *name, const char *of, double value, const char *note);
/* class_scores.c: all of the classes. */
ald_status ald_score_classes(ald_run *run, const ald_judged *judged, ald_score_list *list);

/* A list of yes or no with scores: entry i is yes where truth[i * stride] > 0.5, and predicted as
 * ald_decide_label(scores[i * stride]). */
typedef struct ald_binary {
    int64_t n, stride;
    const double *truth, *scores;
} ald_binary;
ald_status ald_metric_auc(ald_run *run, const ald_binary *list, double *auc);

#endif
