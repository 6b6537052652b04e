/* Ridge regression with the penalty by leaving out one row, or one group of rows, at a time. */
#ifndef ALD_PREDICT_RIDGE_PATH_H
#define ALD_PREDICT_RIDGE_PATH_H

#include "methods/predict/path.h"

/* Adds the predictor to the model as `ridge`. Responses have a penalty each; classes and labels, whose scores
 * are compared with each other, one for all. */
ald_status ald_ridge_path(ald_run *run, const ald_path *path, ald_model *model);

#endif
