/* How the rows of a fit lie about a linear model: what Hotelling's T^2 and the residual Q of other rows are
 * measured by. Kept in the model with the setting outlier_limits; else
 * measure_outliers.c finds what it can. */
#ifndef ALD_FITTING_SPREAD_H
#define ALD_FITTING_SPREAD_H

#include "methods/engines/problem.h"

typedef struct ald_spread {
    int64_t r, d;
    const double *mean;      /* r: of the scores */
    const double *precision; /* r x r: the inverse of their covariance, on the span that it has */
    const double *loadings;  /* r x d: the prepared row that scores stand for is their product with it */
    /* rows, rank of the covariance, mean and variance of Q over the rows of the fit; negative: not known */
    const double *residual;
} ald_spread;

/* By the setting: the error where it cannot be had, before anything long is done (`sums`: the rows or their
 * scatter are in memory). */
ald_status ald_check_spread(ald_run *run, int sums);
/* Adds the arrays spread.* to the model of the problem, if the setting asks for them. */
ald_status ald_add_spread(ald_run *run, const ald_problem *problem, ald_model *model);
/* The same from the scatter (d x d, about the mean, not scaled) of rows that are not there. */
ald_status ald_add_spread_of_scatter(ald_run *run, const ald_problem *problem, const double *scatter,
                                     ald_model *model);
/* In scratch, from the scatter of the prepared rows, whose weights are `total` together. */
ald_status ald_spread_of_scatter(ald_run *run, const ald_model *model, const double *scatter, double total,
                                 ald_spread *spread);
/* The scatter (d x d) of columns that are divided by `scale`; NULL: by nothing. */
void ald_prepare_scatter(int64_t d, const double *scatter, const double *scale, double *prepared);
/* Scores t (rows x r) and Q (rows) of prepared rows. */
ald_status ald_residual_rows(ald_run *run, const ald_operator *rows, const ald_model *model,
                             const ald_spread *spread, double *t, double *q);

#endif
