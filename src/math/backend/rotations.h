/* Products of many plane rotations, kept until they are needed.
 *
 * An iteration that makes a matrix diagonal does it by sweeps of rotations of neighbours,
 *
 *   Q = G_1 G_2 .. G_N,    G = | c  s |   in rows and columns i, i + 1, in each sweep i from high to low,
 *                              |-s  c |
 *
 * and wants some columns of Q: Q e_k = G_1 (G_2 .. (G_N e_k)). They are found from the last rotation to the
 * first, eight columns at a time, which stay in the first cache while all rotations pass by: 6 operations for
 * each of the about n^2 rotations and each column that is wanted, and no others. */
#ifndef ALD_BACKEND_ROTATIONS_H
#define ALD_BACKEND_ROTATIONS_H

#include "base/core/run.h"

typedef struct ald_sweep {
    const struct ald_sweep *before;
    int64_t first, count; /* turns i = first .. first + count - 1 of rows i and i + 1 */
    double *turns;        /* cosine and sine of turn `first`, then of the next */
} ald_sweep;

/* A sweep after *newest, which it becomes; its turns are to be filled. */
ald_status ald_sweep_add(ald_run *run, const ald_sweep **newest, int64_t first, int64_t count,
                         double **turns);

/* Columns k[0] .. k[count - 1] of Q (n x n) as the rows of `vectors` (count x n). */
ald_status ald_sweeps_unfold(ald_run *run, const ald_sweep *newest, int64_t n, int64_t count,
                             const int64_t *k, double *vectors);

#endif
