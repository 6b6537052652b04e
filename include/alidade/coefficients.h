/* The whole of a model as one formula of the columns, and columns whose names are places on a scale. */
#ifndef ALIDADE_COEFFICIENTS_H
#define ALIDADE_COEFFICIENTS_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many responses, labels or classes the formula of ald_coefficients gives; 0 where there is no formula:
 * the map or the predictor is not linear, or there is none. */
ALD_API int64_t ald_coefficients_count(const ald_model *model);
/* The prediction of a row x is x values + intercept: values features x count, row major, intercept count. Of
 * classes and labels it is the score (ald_predict_scores), and the class of the largest is predicted; of
 * gaussian and logistic what the probabilities are made of, softmax of it for classes, 1 / (1 + exp(-it)) for
 * labels. Linear maps with the predictor linear, ridge, one-vs-rest, gaussian or logistic. *prepared (NULL:
 * not wanted) is 1 where x is not the row itself but what steps that are not linear (`rows` with snv or msc,
 * `row_scale`) leave of it, else 0. */
ALD_API ald_status ald_coefficients(ald_context *context, const ald_model *model, double *values,
                                    double *intercept, int *prepared, ald_error *error);

/* Names of columns that are numbers with the same text before and after them, "850nm" or "t=3.5": 1, the
 * numbers, what stands before them ("t") and behind them ("nm"), each cut to `size` bytes. 0 where one of
 * three or more names is none, or where the numbers do not rise or fall throughout. */
ALD_API int ald_column_positions(const char *const *names, int64_t count, double *positions, char *title,
                                 char *unit, size_t size);

#ifdef __cplusplus
}
#endif
#endif
