/* What the files on sparse storage share. */
#ifndef ALD_LINALG_SPARSE_H
#define ALD_LINALG_SPARSE_H

#include "linalg/storage.h"

typedef void (*ald_entry_fn)(void *work, int64_t row, int64_t column, double value);

/* Calls `visit` for each stored entry, slice by slice. */
ald_status ald_sparse_visit(ald_run *run, const ald_matrix *x, ald_entry_fn visit, void *work);

/* sums (d x k) += Z'u of a Z of CSR storage that is neither shifted nor centred nor scaled by columns. */
ald_status ald_sparse_add_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k,
                                     double *sums);

ald_status ald_sparse_column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                        ald_column_moments moments);

#endif
