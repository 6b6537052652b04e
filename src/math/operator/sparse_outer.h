/* Z Z'u for X stored by columns (CSC), in one pass over X. */
#ifndef ALD_OPERATOR_SPARSE_OUTER_H
#define ALD_OPERATOR_SPARSE_OUTER_H

#include "math/operator/operator.h"

/* w (n x k) = Z (Z'u), u n x k; X is CSC. Memory: n x k numbers and, per thread, as many again, k made a
 * multiple of eight. */
ald_status ald_sparse_outer(ald_run *run, const ald_operator *z, ald_view u, ald_area w);

/* The other order of a sparse matrix. Products with k columns reach into the matrix on one side entry by
 * entry: of rows kept row by row (CSR) the side of the columns of X, of columns (CSC) that of its rows. The
 * shorter side stays in cache. */

/* Whether the other order would reach into a side less than half as long. */
int ald_sparse_better_turned(const ald_matrix *x);
/* The same matrix in the other order, in scratch: 16 bytes per entry. */
ald_status ald_sparse_turned(ald_run *run, const ald_matrix *x, ald_matrix *turned);

#endif
