/* Gaps of eigenvalues, one by one. */
#ifndef ALD_MEASURING_MEASURE_EIGENGAP_H
#define ALD_MEASURING_MEASURE_EIGENGAP_H

#include <alidade/model.h>

/* The spectrum of the convex optimum, or the eigenvalues, or NULL. */
const double *ald_model_spectrum(const ald_model *model, int64_t *count);
/* From value k (from 0) to k + 1 of n, which there is. */
void ald_gap_after(int64_t n, const double *values, int64_t k, double *gap, double *ratio);

#endif
