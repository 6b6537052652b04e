/* All figures of a prediction, by the kind of its target, as named scores. */
#ifndef ALD_EVALUATE_SCORES_H
#define ALD_EVALUATE_SCORES_H

#include "core/run.h"

#include <alidade/evaluate.h>

/* `count` goes on where there is no more room. */
typedef struct ald_score_list {
    ald_score *scores;
    int capacity, count;
} ald_score_list;

/* Prediction beside truth, both checked: classes (q is their number): y->classes and codes; else y->rows x q
 * numbers. `truth` is not used for classes. */
ald_status ald_score_all(ald_run *run, const ald_target *y, int64_t q, const double *truth,
                         const double *prediction, ald_score_list *list);

#endif
