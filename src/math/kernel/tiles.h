/* Kernel values of many dense rows with many others, tile by tile: each tile is made by one thread in its own
 * cache and used there. How rows are cut into tiles depends on the sizes alone, so that what is made of them
 * does not depend on the number of threads. */
#ifndef ALD_KERNEL_TILES_H
#define ALD_KERNEL_TILES_H

#include "math/kernel/kernel.h"
#include "math/operator/operator.h"

/* Rows without gaps and their square lengths. */
typedef struct ald_kernel_side {
    int64_t count;
    const double *rows; /* count x d */
    const double *squares;
} ald_kernel_side;

/* Rows of the one side with rows of the other; a side with itself where both are the same rows. */
typedef struct ald_kernel_pairs {
    const ald_kernel *kernel; /* not precomputed */
    int64_t d;
    ald_kernel_side a, b;
} ald_kernel_pairs;

/* k (n x n), both triangles, of side a with itself; half of it is computed. */
ald_status ald_tiles_square(ald_run *run, const ald_kernel_pairs *pairs, double *k);

/* out (a.count x c.cols) = (K - 1 mean') c, K the kernel of the sides; mean (b.count) may be NULL. K is
 * never whole in memory. Takes scratch of out's size for each 384 rows of b. */
ald_status ald_tiles_apply(ald_run *run, const ald_kernel_pairs *pairs, const double *mean, ald_view c,
                           double *out);

/* How many of `count` rows a tile has at most. */
int64_t ald_tile_size(int64_t count);

/* Rows i0 .. i0 + count of dense z, written out by all threads, and their square lengths. Either may be
 * NULL; `rows` only for z that is plain (operator/dense.h). */
ald_status ald_tiles_rows(ald_run *run, const ald_operator *z, int64_t i0, int64_t count, double *rows,
                          double *squares);

/* mean (d) += the mean of the rows. */
ald_status ald_tiles_mean(ald_run *run, ald_view rows, double *mean);

#endif
