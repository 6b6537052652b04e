/* Large symmetric matrices, whole in memory. */
#ifndef ALD_KERNEL_SYMMETRIC_H
#define ALD_KERNEL_SYMMETRIC_H

#include "base/core/run.h"

/* The lower triangle of a (n x n) from its upper one, by all threads. */
ald_status ald_symmetric_mirror(ald_run *run, int64_t n, double *a);
/* out (n x k) = a v, v n x k. Few threads are held up by memory: they read the upper triangle only, each
 * entry for both of its places. */
ald_status ald_symmetric_apply(ald_run *run, int64_t n, const double *a, const double *v, int64_t k,
                               double *out);

#endif
