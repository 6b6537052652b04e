/* A penalised linear predictor on many columns, the penalty chosen by cross-validation of the rows it learns
 * from: what its forms (ridge_path.h, logistic_path.h) are given and share.
 *
 * Columns are brought to mean 0 and deviation 1 once, by all rows, so that units do not matter; then all
 * penalties share one decomposition Z = U diag(s) V' of the rows (times the roots of their weights), found
 * from Z'Z, or from Z Z' where there are fewer rows than columns. */
#ifndef ALD_PREDICT_PATH_H
#define ALD_PREDICT_PATH_H

#include "methods/predict/affine.h"

typedef struct ald_path {
    const ald_predictor_data *data; /* plain rows; r is the number of columns */
    /* n: rows of the same number are left out together; NULL: every row by itself. The number is that of the
     * first such row. */
    const int64_t *groups;
    const double *scatter; /* r x r: the sums of squares and products of the columns about their means, where
                              somebody has them; NULL: to be found */
} ald_path;

/* In scratch. Directions with s^2 below 1e-11 of the largest are not in it. */
typedef struct ald_path_span {
    ald_centred z; /* of the columns; values: divided by the deviations too */
    int64_t k;
    double *squares; /* k: s^2, falling */
    double *vt;      /* k x r */
} ald_path_span;

ald_status ald_path_decompose(ald_run *run, const ald_path *path, ald_path_span *span);
/* Stores scores offset + inner' V'(z - mean) / deviation; inner is k x q, `offset` (q) is changed. */
ald_status ald_path_store(ald_run *run, const ald_path *path, const ald_path_span *span, const double *inner,
                          double *offset, ald_model *model);
/* How many groups there are. */
int64_t ald_path_groups(const ald_path *path);

#endif
