/* What predictors share whose scores are b0 + B'z: rows about their mean, and the two arrays of the model,
 * `predictor/coefficients` (B, r x q) and `predictor/intercept` (b0, q). */
#ifndef ALD_PREDICT_AFFINE_H
#define ALD_PREDICT_AFFINE_H

#include "math/operator/operator.h"
#include "methods/predict/predictor.h"

/* Columns about their (weighted) means; all in scratch. */
typedef struct ald_centred {
    double *mean;      /* cols */
    double *deviation; /* cols; 1 where a column does not vary */
    double *
        values; /* n x cols: centred, times the roots of the weights; not divided by the standard deviation */
} ald_centred;

/* The centred columns of z (r) or of y (q); the centred form is only copied. */
ald_status ald_centre_z(ald_run *run, const ald_predictor_data *data, ald_centred *centred);
ald_status ald_centre_y(ald_run *run, const ald_predictor_data *data, ald_centred *centred);

/* Stores scores offset + B'(z - mean); `offset` (q) is changed. */
ald_status ald_affine_store(ald_run *run, const ald_predictor_data *data, const double *mean, const double *b,
                            double *offset, ald_model *model);
/* As in ald_predictor. */
ald_status ald_affine_apply(ald_run *run, const ald_model *model, int64_t n, int64_t r, int64_t q,
                            const double *z, double *scores);
/* The scores b0 + B'z of the rows of an operator, before any link. */
ald_status ald_affine_apply_to(ald_run *run, const ald_model *model, const ald_operator *rows, int64_t q,
                               double *scores);
int64_t ald_affine_outputs(const ald_model *model, int64_t r);

/* gaussian.c: whether scores are so large that those near the best are compared with it. */
int ald_gaussian_compares(int64_t q, const double *intercept);

/* A penalised linear predictor on many columns, the penalty chosen by cross-validation of the rows it learns
 * from: what its forms (ridge_path.c, logistic.c) are given and share.
 *
 * Columns are brought to mean 0 and deviation 1 once, by all rows, so that units do not matter; then all
 * penalties share one decomposition Z = U diag(s) V' of the rows (times the roots of their weights), found
 * from Z'Z, or from Z Z' where there are fewer rows than columns. */

typedef struct ald_path {
    const ald_predictor_data *data; /* plain rows, of which z is not used; r is the number of columns */
    const ald_operator *rows;       /* their columns as a method sees them, without weights */
    /* n: rows of the same number are left out together; NULL: every row by itself. The number is that of the
     * first such row. */
    const int64_t *groups;
    const double *scatter; /* r x r: the sums of squares and products of the columns about their means, if
                              known; NULL: to be computed */
} ald_path;

/* In scratch. Directions with s^2 below 1e-11 of the largest are not in it. */
typedef struct ald_path_span {
    ald_operator z;           /* the rows at mean 0 and deviation 1, times the roots of their weights */
    double *mean, *deviation; /* r: of the columns as a method sees them; 1 where one does not vary */
    int64_t k;
    double *squares; /* k: s^2, falling */
    double *v;       /* r x k */
} ald_path_span;

ald_status ald_path_decompose(ald_run *run, const ald_path *path, ald_path_span *span);
/* Stores scores offset + inner' V'(row - mean) / deviation; inner is k x q, `offset` (q) is changed. */
ald_status ald_path_store(ald_run *run, const ald_path *path, const ald_path_span *span, const double *inner,
                          double *offset, ald_model *model);
/* How many groups there are. */
int64_t ald_path_groups(const ald_path *path);

/* Ridge regression with the penalty by leaving out one row, or one group of rows, at a time (ridge_path.c).
 */
/* Adds the predictor to the model as `ridge`. Responses have a penalty each; classes and labels, whose scores
 * are compared with each other, one for all. */
ald_status ald_ridge_path(ald_run *run, const ald_path *path, ald_model *model);

/* Penalised logistic regression with the penalty by five folds (logistic.c). */
/* Adds the predictor to the model as `logistic`. Where the iterations would take too long (many rows, columns
 * and classes or labels at once), the scores of ridge_path.c instead. */
ald_status ald_logistic_path(ald_run *run, const ald_path *path, ald_model *model);

#endif
