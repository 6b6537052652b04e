/* Sparse X. */
#ifndef ALD_PREPARING_ENCODE_SPARSE_H
#define ALD_PREPARING_ENCODE_SPARSE_H

#include "preparing/preparation.h"

/* dataset->x, from the CSR arrays of the table. */
ald_status ald_prepare_sparse(ald_run *run, ald_preparation *p);

#endif
