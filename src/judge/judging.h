/* What the kinds of candidates share: from scores z of training and test rows to a cell. */
#ifndef ALD_JUDGE_JUDGING_H
#define ALD_JUDGE_JUDGING_H

#include "judge/cell.h"

typedef struct ald_judging {
    const ald_cell_plan *plan;
    const ald_subset *train, *test;
    const ald_settings *settings; /* the plan's, with the predictor that stands for none */
} ald_judging;

/* Seconds by the plan's clock, 0 without one. */
double ald_judging_clock(const ald_judging *j);
/* What a cell has before anything is known. */
ald_cell ald_cell_blank(const ald_judging *j, int64_t dims);

/* Rows and their scores, both row major with `stride` numbers a row, of which the first r count. */
typedef struct ald_scored_rows {
    const double *train, *test;
    int64_t stride, r;
} ald_scored_rows;
/* Fits the predictor on the training rows and fills in the metrics of the test rows; adds its times to the cell. What
 * fails goes into the cell; negative for want of memory only. */
ald_status ald_judge_scores(ald_run *run, const ald_judging *j, const ald_scored_rows *z, ald_cell *cell);
/* The metrics of predictions (as ald_predict gives them) of the test rows. */
ald_status ald_judge_prediction(ald_run *run, const ald_judging *j, const double *prediction, ald_cell *cell);

/* baseline.c: the candidates that are no methods, one cell each. */
ald_status ald_judge_constant(ald_run *run, const ald_judging *j, ald_cell *cell);
ald_status ald_judge_features(ald_run *run, const ald_judging *j, ald_cell *cell);

#endif
