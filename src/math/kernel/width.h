/* The width of a kernel when none is given: the median distance of pairs of rows. */
#ifndef ALD_KERNEL_WIDTH_H
#define ALD_KERNEL_WIDTH_H

#include "math/kernel/landmarks.h"

/* The median of |a_i - a_j| over i < j of the rows of `points` (n x q), n >= 2; of 2000 rows drawn with
 * `seed` if there are more. For an even number of distances, the mean of the middle two. If more than half of
 * the pairs are equal rows, the median of the others; 0 only if all rows are equal. Time and memory of at
 * most 2 million distances. */
ald_status ald_median_distance(ald_run *run, int64_t n, int64_t q, const double *points, uint64_t seed,
                               double *median);
/* The same of rows with weights (n, positive; NULL: 1), as if row i were there weights[i] times: a pair
 * counts the product of its weights, and the copies of one row among each other w (w - 1) / 2 times, with the
 * distance 0. */
ald_status ald_weighted_median_distance(ald_run *run, int64_t n, int64_t q, const double *points,
                                        const double *weights, uint64_t seed, double *median);

/* As ald_median_distance, of the rows of z (as ald_kernel_rows made it), in the distance of the kernel: |.|_1
 * for laplacian. `squares` (NULL: not wanted): room for n x n, which becomes the squares of the distances of
 * all rows; n at most ALD_MEDIAN_ROWS. */
ald_status ald_kernel_median(ald_run *run, const ald_kernel *kernel, const ald_operator *z, uint64_t seed,
                             double *squares, double *median);

#endif
