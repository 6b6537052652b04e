/* Z'Z of dense Z by our own threads, where that is faster than the threads of the backend: they divide a
 * product of a few hundred columns badly. */
#ifndef ALD_OPERATOR_DENSE_SCATTER_H
#define ALD_OPERATOR_DENSE_SCATTER_H

#include "math/operator/operator.h"

/* Whether it is done here. */
int ald_dense_scatters(const ald_run *run, const ald_operator *z);
/* Upper triangle of c (d x d) = Z'Z; with k > 0 also b (d x k) = Z'h of h (n x k), in the same pass. */
ald_status ald_dense_scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                             double *b);

#endif
