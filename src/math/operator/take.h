/* Some rows of a matrix, a target or an operator, copied into scratch; names are shared. A row of weight 0 is
 * no row at all: what is fitted is fitted on the rows that count. */
#ifndef ALD_OPERATOR_TAKE_H
#define ALD_OPERATOR_TAKE_H

#include "math/operator/operator.h"

/* Rows rows[0 .. n), in that order. Dense becomes row major f64, sparse becomes CSR f64 with 64-bit indices.
 */
ald_status ald_matrix_take(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n,
                           ald_matrix *out);
/* These rows, which rise, and the same columns of a square matrix. */
ald_status ald_matrix_take_square(ald_run *run, const ald_matrix *m, const int64_t *rows, int64_t n,
                                  ald_matrix *out);
/* The same rows of a target, with their weights. */
ald_status ald_target_take(ald_run *run, const ald_target *y, const int64_t *rows, int64_t n,
                           ald_target *taken);
/* The same of X with all that belongs to its rows; X is in memory. */
ald_status ald_operator_take(ald_run *run, const ald_operator *z, const int64_t *rows, int64_t n,
                             ald_operator *out);

/* The rows of positive weight, of n; `rows` is NULL where all are, or where there are no weights. */
ald_status ald_rows_that_count(ald_run *run, int64_t n, const double *weights, const int64_t **rows,
                               int64_t *count);

/* The target as numbers, n x q row major in scratch: responses, or 0/1 dummies of classes, or labels. */
ald_status ald_target_numbers(ald_run *run, const ald_target *target, double **y, int64_t *q);

#endif
