/* What the kinds of candidates share: from scores z of training and test rows to a cell. */
#ifndef ALD_CELLS_JUDGING_H
#define ALD_CELLS_JUDGING_H

#include "judge/cells/cell.h"
#include "methods/predict/predictor.h"

typedef struct ald_judging {
    const ald_cell_plan *plan;
    const ald_subset *train, *test; /* train NULL: to be had from the plan's fold */
    const ald_settings *settings;   /* the plan's, with the predictor that stands for none */
} ald_judging;

/* Seconds by the plan's clock, 0 without one. */
double ald_judging_clock(const ald_judging *j);
/* What a cell has before anything is known. */
ald_cell ald_cell_blank(const ald_judging *j, int64_t dims);

/* What a fit has left for the predictors. */
typedef struct ald_projection {
    double *train, *test;      /* scores; train NULL: there is only `summed` */
    ald_predictor_data summed; /* z NULL: there is none */
    int64_t r;
    double fit_seconds, apply_seconds;
    ald_status status;
    ald_error error;
} ald_projection;

/* The target of the training rows. */
const ald_target *ald_judging_target(const ald_judging *j);
/* The training rows, from the fold where they have not been copied yet. */
ald_status ald_judging_train(ald_run *run, const ald_judging *j, const ald_subset **train);

/* Rows and their scores, both row major with `stride` numbers per row, of which the first r count. */
typedef struct ald_scored_rows {
    const double *train, *test;
    const struct ald_operator *test_rows; /* instead of `test`, with `penalised`: asked by products */
    int64_t stride, r;
    const ald_predictor_data
        *summed; /* instead of `train`: the same as sums, `stride` wide; NULL: by the rows */
    /* Instead of the predictor of the settings: this one, which learns from `path`; NULL: none. */
    ald_status (*penalised)(ald_run *run, const struct ald_path *path, ald_model *model);
    const struct ald_path *path;
} ald_scored_rows;
/* Fits the predictor on the training rows and fills in the metrics of the test rows; adds its times to the
 * cell. What fails goes into the cell; negative for want of memory only. */
ald_status ald_judge_scores(ald_run *run, const ald_judging *j, const ald_scored_rows *z, ald_cell *cell);
/* Predictions of the test rows, as ald_predict gives them, and what stands behind them. */
typedef struct ald_answer {
    const double *prediction, *scores;
    int64_t n_scores; /* per row */
    int probabilities;
} ald_answer;
/* Their metrics. */
ald_status ald_judge_prediction(ald_run *run, const ald_judging *j, const ald_answer *answer, ald_cell *cell);
/* Shares of the classes (q of them), or means of the q columns, of rows that have a target, by their weights.
 */
void ald_target_means(const ald_target *y, int64_t q, double *means);

/* baseline.c: the candidates that are no methods, one cell each. */
ald_status ald_judge_constant(ald_run *run, const ald_judging *j, ald_cell *cell);
ald_status ald_judge_features(ald_run *run, const ald_judging *j, ald_cell *cell);

#endif
