/* Directions in the space of the features, of models and as they are known. */
#ifndef ALD_MEASURING_DIRECTIONS_H
#define ALD_MEASURING_DIRECTIONS_H

#include "base/core/model.h"

#include <alidade/matrix.h>

/* Rows components / scale, r x d in scratch; an error for a model without a linear map. */
ald_status ald_own_directions(ald_run *run, const ald_model *model, int64_t r, int64_t d, double **own);
/* Rows of the known directions, k x d in scratch: checked, 1 to d of them. */
ald_status ald_known_directions(ald_run *run, const ald_matrix *m, int64_t d, double **known);
/* An error where two models are not of as many features. */
ald_status ald_check_same_features(ald_run *run, const ald_model *model, const ald_model *other);

#endif
