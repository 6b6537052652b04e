/* Directions in the space of the features, of models and as they are known, and gaps between eigenvalues. */
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

/* The spectrum of the convex optimum, or the eigenvalues, or NULL. */
const double *ald_model_spectrum(const ald_model *model, int64_t *count);
/* From value k (from 0) to k + 1 of n, which there is. */
void ald_gap_after(int64_t n, const double *values, int64_t k, double *gap, double *ratio);

#endif
