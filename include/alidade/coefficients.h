/* A whole model as one linear formula in the columns, and columns whose names are positions on a scale. */
#ifndef ALIDADE_COEFFICIENTS_H
#define ALIDADE_COEFFICIENTS_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of responses, labels or classes for which ald_coefficients gives a formula; 0 if there is none:
 * the map or the predictor is not linear, or is absent. */
ALD_API int64_t ald_coefficients_count(const ald_model *model);
/* The prediction for a row x is x values + intercept; `values` is features x count, row major, `intercept`
 * has count entries. For classes and labels this is the score (ald_predict_scores), and the class with the
 * largest is predicted; for gaussian and logistic it is the logit from which the probabilities follow,
 * softmax for classes, 1 / (1 + exp(-logit)) for labels. For linear maps with the predictor linear, ridge,
 * one-vs-rest, gaussian or logistic. *prepared (may be NULL) is 1 if x stands not for the raw row but for the
 * result of nonlinear steps (`rows` with snv or msc, `row_scale`), otherwise 0. */
ALD_API ald_status ald_coefficients(ald_context *context, const ald_model *model, double *values,
                                    double *intercept, int *prepared, ald_error *error);

/* Column names that are numbers with the same text before and after them, such as "850nm" or "t=3.5". Returns
 * 1 and writes the numbers, the text before them ("t") and after them ("nm"), each cut to `size` bytes.
 * Returns 0 if there are fewer than three names, if one is not of this form, or if the numbers are not
 * monotonic. */
ALD_API int ald_column_positions(const char *const *names, int64_t count, double *positions, char *title,
                                 char *unit, size_t size);

#ifdef __cplusplus
}
#endif
#endif
