/* Penalised logistic regression with the penalty by five folds. */
#ifndef ALD_PREDICT_LOGISTIC_PATH_H
#define ALD_PREDICT_LOGISTIC_PATH_H

#include "methods/predict/path.h"

/* Adds the predictor to the model as `logistic`. Where the iterations would take too long (many rows, columns
 * and classes or labels at once), the scores of ridge_path.h instead. */
ald_status ald_logistic_path(ald_run *run, const ald_path *path, ald_model *model);

#endif
