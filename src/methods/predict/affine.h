/* What predictors share whose scores are b0 + B'z: rows about their mean, and the two arrays of the model,
 * `predictor/coefficients` (B, r x q) and `predictor/intercept` (b0, q). */
#ifndef ALD_PREDICT_AFFINE_H
#define ALD_PREDICT_AFFINE_H

#include "methods/predict/predictor.h"

/* Columns about their (weighted) means; all in scratch. */
typedef struct ald_centred {
    double *mean;      /* cols */
    double *deviation; /* cols; 1 where a column does not vary */
    double *
        values; /* n x cols: centred, times the roots of the weights; not divided by the standard deviation */
} ald_centred;

/* Of z (r columns) or of y (q); the centred form is only copied. */
ald_status ald_centre_z(ald_run *run, const ald_predictor_data *data, ald_centred *centred);
ald_status ald_centre_y(ald_run *run, const ald_predictor_data *data, ald_centred *centred);

/* Stores scores offset + B'(z - mean); `offset` (q) is changed. */
ald_status ald_affine_store(ald_run *run, const ald_predictor_data *data, const double *mean, const double *b,
                            double *offset, ald_model *model);
/* As in ald_predictor. */
ald_status ald_affine_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                            const double *z, double *scores);
int64_t ald_affine_outputs(const ald_model *model, int64_t r);

#endif
