/* Rows of an operator that are divided among ranks. Each rank has some of them: arrays as long as the rows (n
 * x k) are divided, n being this rank's rows, and arrays as long as the columns (d x k) are on all ranks. Z v
 * covers this rank's rows; Z'u, Z'Z v and |Z|^2 are summed over the rows of all ranks. Code that sums over
 * rows itself (norms, counts, means, Gram matrices of n x k) passes its sum to ald_shared_sum. Without ranks
 * nothing changes and every call returns at once; so does a missing operator (NULL).
 *
 *  1. All ranks make the same calls in the same order (ranks/communicator.h).
 *  2. v of Z v is that of rank 0 on all ranks; the products see to it. So what a rank computes for columns
 *     may differ between ranks, in rounding or in the signs of eigenvectors; the final model is that of
 *     rank 0.
 *  3. Two kinds of numbers must come from rank 0, by ald_shared_hear: those that decide which calls follow,
 *     and those that multiply rows outside of a product. */
#ifndef ALD_OPERATOR_SHARED_ROWS_H
#define ALD_OPERATOR_SHARED_ROWS_H

#include "math/operator/operator.h"

/* How ranks do it; a source (linalg/source.h) has it. */
typedef struct ald_shared_rows {
    int64_t rows;  /* of all ranks */
    double weight; /* of all rows: the sum of the squares of row_weight, or their number */
    ald_status (*agree)(ald_run *run, ald_status status);
    ald_status (*sum)(ald_run *run, double *values, int64_t count);
    ald_status (*largest)(ald_run *run, double *values, int64_t count);
    ald_status (*hear)(ald_run *run, void *bytes, int64_t size);
    ald_status (*gather)(ald_run *run, const double *own, int64_t count, double **all, int64_t *first);
} ald_shared_rows;

/* Whether there are rows elsewhere. */
int ald_is_shared(const ald_operator *z);
/* Rows of all ranks: what stands for n where it is a number and no length of an array. */
int64_t ald_shared_rows_of(const ald_operator *z);
/* The sum of the squares of row_weight over the rows of all ranks, their number where there is none. */
double ald_shared_weight(const ald_operator *z);

/* A failure of one rank is one of all. */
ald_status ald_shared_agree(ald_run *run, const ald_operator *z, ald_status status);
/* Turns a sum over this rank's rows into the sum over all rows. */
ald_status ald_shared_sum(ald_run *run, const ald_operator *z, double *values, int64_t count);
/* Turns the largest value over this rank's rows into the largest over all rows. */
ald_status ald_shared_largest(ald_run *run, const ald_operator *z, double *values, int64_t count);
/* The bytes of rank 0 become those of all. */
ald_status ald_shared_hear(ald_run *run, const ald_operator *z, void *bytes, int64_t size);
/* The same for yes or no. */
ald_status ald_shared_decide(ald_run *run, const ald_operator *z, int *decision);
/* The numbers of all rows, `count` of them from this rank; its first one is all[*first]. Where nobody shares
 * them `own` itself. In scratch. */
ald_status ald_shared_gather(ald_run *run, const ald_operator *z, const double *own, int64_t count,
                             const double **all, int64_t *first);

#endif
