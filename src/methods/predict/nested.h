/* The predictors that belong to the first components of a nested projection, kept beside the one for all of
 * them: what a fit with fewer components would have. */
#ifndef ALD_PREDICT_NESTED_H
#define ALD_PREDICT_NESTED_H

#include "methods/predict/predictor.h"

/* Of an affine predictor (predictor/coefficients, predictor/intercept) that the model has: adds the vector
 * `predictor/nested`, for k = 1 .. r - 1 one after the other the k x q coefficients and the q intercepts.
 * Adds nothing where that takes long, or much room. */
ald_status ald_predictor_fit_nested(ald_run *run, const ald_predictor_options *options,
                                    const ald_predictor_data *data, ald_model *model);
/* Those of k < r components; 0 if the model does not keep them. */
int ald_predictor_nested(const ald_model *model, int64_t k, int64_t *q, const double **coefficients,
                         const double **intercept);

#endif
