/* Rows that are unlike those a linear model was fitted on. */
#ifndef ALIDADE_OUTLIERS_H
#define ALIDADE_OUTLIERS_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What rows of the same kind stay below with a chance of 95 and 99 %, if their scores are normal. */
typedef struct ald_outlier_limits {
    size_t size;
    double t2_95, t2_99; /* by F, for rows that were not fitted on; NaN: no more rows than components */
    double q_95,
        q_99; /* by a chi-square variable times a factor with the mean and variance of the rows of the fit */
} ald_outlier_limits;
#define ALD_OUTLIER_LIMITS_INIT ALD_INIT(ald_outlier_limits)

/* Of each row of x: Hotelling's T^2, the squared distance of its scores from their mean in units of their
 * covariance, and Q, the square of what the components leave of the prepared row. x->rows numbers each;
 * docs/c-interface.md has the formulas. `t2`, `q` and `limits` may be NULL. For models fitted with
 * outlier_limits=1. */
ALD_API ald_status ald_outliers(ald_context *context, const ald_model *model, const ald_matrix *x, double *t2,
                                double *q, ald_outlier_limits *limits, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
