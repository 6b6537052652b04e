/* An H with more columns than X, made shorter without changing the pencil it is for.
 *
 * With B = Z'H (d x k, k > d) and B' = Q R (Q k x d with orthonormal columns), H Q (n x d) has Z'(HQ) = R'
 * and R'R = B B': the pencil of pencil.h is the same, and its second stage is of order d, not k. Cost: passes
 * over X with k columns in all, 2 k d^2 for Q and, for a stored H, 2 n k d; memory k d + n d, and n 256 while
 * it goes. */
#ifndef ALD_ENGINES_SHORTEN_H
#define ALD_ENGINES_SHORTEN_H

#include "math/operator/operator.h"

/* H (n x k), stored or as the one entry per row that indicators of classes have. */
typedef struct ald_columns {
    int64_t k;
    const double *h;       /* n x k, or NULL: */
    const int32_t *column; /* n */
    const double *value;   /* n: H_ij = value_i where j = column_i, else 0 */
} ald_columns;

/* *h (n x *k, in scratch): H written out, or H Q where it has more columns than Z. */
ald_status ald_columns_shorten(ald_run *run, const ald_operator *z, const ald_columns *columns,
                               const double **h, int64_t *k);
/* |H|_F^2. */
ald_status ald_columns_square(ald_run *run, const ald_operator *z, const ald_columns *columns, double *sum);

#endif
