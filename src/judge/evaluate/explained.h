/* Shares of X and of a target that the first scores of a projection explain. */
#ifndef ALD_EVALUATE_EXPLAINED_H
#define ALD_EVALUATE_EXPLAINED_H

#include "math/operator/all_rows.h"

/* q (n x r) from z (n x r): centred columns with Q'WQ = I, those of the first k spanning the same as the
 * first k of z; W = diag(w), NULL: all 1. A column that the ones before it give (to 1e-12) is set to 0. q may
 * be z. */
void ald_weighted_basis(int64_t n, int64_t r, const double *z, const double *w, double *q);

/* The mean of each of m columns of y (n x m). */
void ald_weighted_means(int64_t n, int64_t m, const double *y, const double *w, double *mean);

/* Both for the rows of z, which may be divided (operator/all_rows.h): n = z->x.rows. */
ald_status ald_divided_basis(ald_run *run, const ald_operator *z, int64_t r, const double *scores,
                             const double *w, double *q);
ald_status ald_divided_means(ald_run *run, const ald_operator *z, int64_t m, const double *y, const double *w,
                             double *mean);

/* share[k]: part of the weighted squares of y (n x m) about its means that q[:, 0 .. k] explains. NaN: y does
 * not vary.
 */
ald_status ald_explained_columns(ald_run *run, int64_t n, int64_t r, const double *q, const double *w,
                                 int64_t m, const double *y, double *share);
/* The same for the rows of an operator, which has no mean and no row weights yet. */
ald_status ald_explained_rows(ald_run *run, const ald_operator *x, int64_t r, const double *q,
                              const double *w, double *share);

#endif
