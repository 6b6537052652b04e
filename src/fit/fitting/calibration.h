/* The errors of a model on rows that it was not fitted on. */
#ifndef ALD_FITTING_CALIBRATION_H
#define ALD_FITTING_CALIBRATION_H

#include "base/core/model.h"

#include <alidade/intervals.h>

typedef struct ald_calibration {
    int64_t rows, columns; /* columns: one per response or label; 1 for classes */
    const double *errors;  /* rows x columns, each column rising */
} ald_calibration;

/* Where the names of its arrays begin. */
#define ALD_CALIBRATION "calibration/"

/* The errors of rows that have a target, by the scores (y->rows x the scores of the shape) that were
 * predicted for them; the number of these rows in `rows`. `errors` has room for all. */
ald_status ald_calibration_measure(ald_run *run, const ald_prediction_shape *shape, const ald_target *y,
                                   const double *scores, double *errors, int64_t *rows);
/* Puts the errors into the model, which has none yet; they are sorted in place. At most ALD_MOST_ERRORS rows
 * are kept, evenly from the sorted ones. */
ald_status ald_calibration_store(ald_run *run, ald_calibration *errors, double *values, ald_model *model);
/* rows 0: the model has none. */
ald_status ald_calibration_load(ald_run *run, const ald_model *model, ald_calibration *calibration);
/* e(k) of each column for a level: what errors exceed with the probability 1 - level. */
ald_status ald_calibration_at(ald_run *run, const ald_model *model, double level, const double **at);
/* For an update: the errors of the old model, and its errors on the new rows, go into the new one. Without
 * errors in the old one nothing is done. */
ald_status ald_calibration_continue(ald_run *run, const ald_model *old, const ald_matrix *x,
                                    const ald_target *y, ald_model *model);

#endif
