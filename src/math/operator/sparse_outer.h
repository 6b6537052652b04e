/* Z Z'u for X stored by columns (CSC), in one pass over X. */
#ifndef ALD_OPERATOR_SPARSE_OUTER_H
#define ALD_OPERATOR_SPARSE_OUTER_H

#include "math/operator/operator.h"

/* w (n x k) = Z (Z'u), u n x k; X is CSC. Memory: n x k numbers and, per thread, as many again, k made a
 * multiple of eight. */
ald_status ald_sparse_outer(ald_run *run, const ald_operator *z, ald_view u, ald_area w);

#endif
