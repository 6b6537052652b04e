/* The Hilbert-Schmidt independence criterion of rows and targets, and whether it is more than chance.
 *
 *   hsic = tr(K H L H) / (n - 1)^2,   tr(K H L H) = sum of T o (K T),   T = H F
 *
 * K is the rbf kernel of the rows and L = F F' that of the targets, which is never formed. Under the
 * hypothesis that targets do not depend on rows, the rows of T may be put in any order:
 *
 *   p = (1 + number of orders with a criterion at least as large) / (1 + number of orders tried)
 *
 * K is not stored. Up to 2000 rows its blocks are made again for each group of orders (8 million entries of
 * T at a time); above, K = G G' by incomplete Cholesky to 1e-6 of its trace, the criterion is |G'T|^2, and
 * only if that takes more than 1000 columns blocks are swept as for few rows: n^2 per group. */
#ifndef ALD_KERNEL_HSIC_H
#define ALD_KERNEL_HSIC_H

#include "math/operator/operator.h"

typedef struct ald_hsic_task {
    ald_operator rows; /* n x d, dense or sparse, not centred */
    const double *f;   /* n x m */
    int64_t m;
    double width; /* of the kernel of rows, > 0 */
    int64_t permutations;
    uint64_t seed;
    /* Results. */
    double value;
    double p_value; /* 1 without permutations */
} ald_hsic_task;

ald_status ald_hsic_run(ald_run *run, ald_hsic_task *task);

#endif
