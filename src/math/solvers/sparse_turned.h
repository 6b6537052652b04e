/* The other order of a sparse matrix. Products with k columns reach into the matrix on one side entry by
 * entry: of rows kept row by row (CSR) the side of the columns of X, of columns (CSC) that of its rows. The
 * shorter side stays in cache. */
#ifndef ALD_SOLVERS_SPARSE_TURNED_H
#define ALD_SOLVERS_SPARSE_TURNED_H

#include "math/operator/operator.h"

/* Whether the other order would reach into a side less than half as long. */
int ald_sparse_better_turned(const ald_matrix *x);
/* The same matrix in the other order, in scratch: 16 bytes per entry. */
ald_status ald_sparse_turned(ald_run *run, const ald_matrix *x, ald_matrix *turned);

#endif
