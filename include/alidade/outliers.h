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
    /* By F, for rows that were not fitted on; NaN: no more rows than components. */
    double t2_95, t2_99;
    /* By a chi-square variable times a factor, from the mean and the variance of Q over the rows of the fit;
     * NaN: the model does not have these. */
    double q_95, q_99;
} ald_outlier_limits;
#define ALD_OUTLIER_LIMITS_INIT ALD_INIT(ald_outlier_limits)

/* Of each row of x: Hotelling's T^2, the squared distance of its scores from their mean in units of their
 * covariance, and Q, the square of what the components leave of the prepared row. x->rows numbers each;
 * docs/c-interface.md has the formulas. `t2`, `q` and `limits` may be NULL. For every model of pca and pls,
 * and those of other linear methods that were fitted with outlier_limits=1 or keep statistics. The limits of
 * Q are known where the rows of the fit were in memory, with outlier_limits=1. */
ALD_API ald_status ald_outliers(ald_context *context, const ald_model *model, const ald_matrix *x, double *t2,
                                double *q, ald_outlier_limits *limits, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
