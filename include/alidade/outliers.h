/* Rows that are unlike those a linear model was fitted on. */
#ifndef ALIDADE_OUTLIERS_H
#define ALIDADE_OUTLIERS_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits below which rows of the same kind stay with a probability of 95 and 99 %, if their scores are
 * normal. */
typedef struct ald_outlier_limits {
    size_t size;
    /* By F, for rows that were not part of the fit; NaN: no more rows than components. */
    double t2_95, t2_99;
    /* By a scaled chi-square distribution, from the mean and the variance of Q over the rows of the fit; NaN:
     * the model does not have these. */
    double q_95, q_99;
} ald_outlier_limits;
#define ALD_OUTLIER_LIMITS_INIT ALD_INIT(ald_outlier_limits)

/* For each row of x: Hotelling's T^2, the squared distance of its scores from their mean in the metric of
 * their covariance, and Q, the squared residual of the prepared row after the components. x->rows numbers
 * each; docs/c-interface.md has the formulas. `t2`, `q` and `limits` may be NULL. For every model of pca and
 * pls, and for models of other linear methods that were fitted with outlier_limits=1 or keep statistics. The
 * limits of Q are known if the rows of the fit were in memory, with outlier_limits=1. */
ALD_API ald_status ald_outliers(ald_context *context, const ald_model *model, const ald_matrix *x, double *t2,
                                double *q, ald_outlier_limits *limits, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
