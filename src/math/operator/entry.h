/* Single entries of a matrix of any storage, for places that need few of them, and copies of some of its
 * rows. */
#ifndef ALD_OPERATOR_ENTRY_H
#define ALD_OPERATOR_ENTRY_H

#include "math/operator/operator.h"

#include <alidade/matrix.h>

/* 1 if the entry is stored: always in a dense matrix. */
int ald_matrix_has(const ald_matrix *m, int64_t row, int64_t column);
/* Its value, 0 where nothing is stored. */
double ald_matrix_at(const ald_matrix *m, int64_t row, int64_t column);
/* 1 if every row is the same. */
int ald_matrix_is_constant(const ald_matrix *m);
/* The value at a place of `values`, and entry i of `pointers` or `indices`, whatever their types. */
static inline double ald_matrix_value(const ald_matrix *m, int64_t place)
{
    return m->type == ALD_F64 ? ((const double *)m->values)[place]
                              : (double)((const float *)m->values)[place];
}

static inline int64_t ald_matrix_index(const ald_matrix *m, const void *list, int64_t i)
{
    return m->index_bits == 64 ? ((const int64_t *)list)[i] : (int64_t)((const int32_t *)list)[i];
}

/* A number that is the same for equal matrices whatever their storage, and for others hardly ever: to know a
 * matrix again. */
uint64_t ald_matrix_fingerprint(const ald_matrix *m);
/* The same for an operator and all that prepares its rows, but the weights; continues `print`. */
uint64_t ald_operator_print(uint64_t print, const ald_operator *z);
/* The same of every row, wherever in the matrix it stands: prints[0 .. rows). */
void ald_matrix_row_fingerprints(const ald_run *run, const ald_matrix *m, uint64_t *prints);

/* Some rows of a matrix, a target or an operator, copied into scratch; names are shared. A row of weight 0 is
 * no row at all: what is fitted is fitted on the rows that count. */
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

/* The target as numbers, n x q row major in scratch: responses, or 0/1 dummies of classes, or labels;
 * deviance residuals of times with events (survival.h). */
ald_status ald_target_numbers(ald_run *run, const ald_target *target, double **y, int64_t *q);

#endif
