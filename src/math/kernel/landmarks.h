/* Rows to compare others with: all training rows, or some of them, or centres of groups. And the comparison,
 * block by block.
 *
 * Dense landmarks are kept as rows; for kernels that do not change when all rows are moved, a mean that is
 * far from 0 is taken off both sides first, so that |a - b|^2 = |a|^2 + |b|^2 - 2 a'b does not lose the
 * digits of a large mean. Sparse ones stay sparse (CSR), which needs rows without a shift. */
#ifndef ALD_KERNEL_LANDMARKS_H
#define ALD_KERNEL_LANDMARKS_H

#include "math/kernel/kernel.h"
#include "math/operator/operator.h"

typedef struct ald_landmarks {
    int64_t m, d;
    const double *prepared; /* m x d as a model has them; NULL: sparse, or a precomputed kernel */
    const double *rows;     /* the same less `centre` */
    double *centre;         /* d, or NULL */
    ald_matrix sparse;      /* CSR, f64, 64 bits; used where `prepared` is NULL */
    double *squares;        /* m: |row|^2 */
} ald_landmarks;

/* Rows i of z (`which`, m of them; NULL: all) as landmarks; z as ald_kernel_rows made it. */
ald_status ald_landmarks_take(ald_run *run, const ald_kernel *kernel, const ald_operator *z, int64_t m,
                              const int64_t *which, ald_landmarks *l);
/* Given as rows (m x d; referred to) or as a CSR matrix. */
ald_status ald_landmarks_of_rows(ald_run *run, const ald_kernel *kernel, int64_t m, int64_t d,
                                 const double *prepared, ald_landmarks *l);
ald_status ald_landmarks_of_csr(ald_run *run, const ald_matrix *csr, ald_landmarks *l);

/* Makes z fit for the functions below: sparse rows as CSR, no centring but what scaling shifts (`shift`, or
 * NULL), and not even that where the kernel does not see it and rows are sparse. Laplacian needs dense rows.
 */
ald_status ald_kernel_rows(ald_run *run, const ald_kernel *kernel, const double *shift, ald_operator *z);

/* k (count x columns, rows `stride` apart) = kernel of rows i0 .. of z with landmarks j0 .. j0 + columns. */
typedef struct ald_kernel_block {
    const ald_kernel *kernel;
    const ald_operator *z;
    const ald_landmarks *l;
    int64_t i0, count, j0, columns;
    double *k;
    int64_t stride;
} ald_kernel_block;
ald_status ald_kernel_block_make(ald_run *run, const ald_kernel_block *block);

/* Rows of a block that keep its temporaries small. */
int64_t ald_kernel_block_rows(int64_t d, int64_t m);

/* K (m x m), both triangles, of the landmarks with themselves; z are the same rows. Half of it is computed.
 */
ald_status ald_kernel_square(ald_run *run, const ald_kernel *kernel, const ald_operator *z,
                             const ald_landmarks *l, double *k);

/* out (rows of z x c.cols) = (K - 1 mean') c, K the kernel of z with the landmarks, tile by tile (tiles.h).
 * The first says whether this serves such rows. */
int ald_landmarks_apply_serves(const ald_run *run, const ald_kernel *kernel, const ald_landmarks *l,
                               const ald_operator *z, int64_t r);
ald_status ald_landmarks_apply(ald_run *run, const ald_kernel *kernel, const ald_landmarks *l,
                               const ald_operator *z, const double *mean, ald_view c, double *out);

/* Takes the centre of the landmarks off the rows of z as well. */
ald_status ald_landmarks_shift(ald_run *run, const ald_landmarks *l, ald_operator *z);

/* The landmarks as an operator, to compare them with themselves. */
ald_operator ald_landmarks_operator(const ald_landmarks *l);

#endif
