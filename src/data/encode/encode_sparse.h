/* Sparse X. */
#ifndef ALD_ENCODE_ENCODE_SPARSE_H
#define ALD_ENCODE_ENCODE_SPARSE_H

#include "data/encode/preparation.h"

/* dataset->x, from the CSR arrays of the table. */
ald_status ald_prepare_sparse(ald_run *run, ald_preparation *p);

#endif
