/* Intervals and sets that contain the target of a new row with a chosen probability, whatever the
 * distribution of the data. A model makes them from its errors on rows that it was not fitted on, which it
 * keeps once it is calibrated. docs/predictors.md has the formulas. */
#ifndef ALIDADE_INTERVALS_H
#define ALIDADE_INTERVALS_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_calibration_options {
    size_t size;
    /* 2 or more: x and y are the rows that the model was fitted on; it is refitted without each of so many
     * parts of them, and each part is predicted by the fit without it. 0: the model has not seen these
     * rows, and predicts them itself. */
    int64_t folds;
    const int64_t *groups; /* one number per row: rows with the same number are in one part; NULL: none */
    uint64_t seed;         /* of the parts */
} ald_calibration_options;
#define ALD_CALIBRATION_OPTIONS_INIT ALD_INIT(ald_calibration_options)

/* A copy of the model that keeps its errors on the rows of x (at most 10,000 of them). The model needs a
 * predictor. `options` NULL: rows that it has not seen. */
ALD_API ald_status ald_calibrate(ald_context *context, const ald_model *model, const ald_matrix *x,
                                 const ald_target *y, const ald_calibration_options *options,
                                 ald_model **calibrated, ald_error *error);
/* How many errors the model keeps per response; 0: it is not calibrated. */
ALD_API int64_t ald_model_calibration_count(const ald_model *model);

/* For models that predict numbers: the interval of each response, x->rows x columns each, row major. An
 * error where the model is not calibrated, or keeps too few errors for the level (0 < level < 1). */
ALD_API ald_status ald_predict_intervals(ald_context *context, const ald_model *model, const ald_matrix *x,
                                         double level, double *low, double *high, ald_error *error);
/* For classes, x->rows x classes: 1 where the class is in the set of the row. A set may have several classes,
 * or none, where no class fits the row as well as it fits others. For labels, x->rows x labels: 1 where 0 is
 * in the set, plus 2 where 1 is. */
ALD_API ald_status ald_predict_sets(ald_context *context, const ald_model *model, const ald_matrix *x,
                                    double level, unsigned char *sets, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
