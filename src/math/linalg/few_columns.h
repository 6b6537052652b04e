/* Products of many rows with few columns, which BLAS would copy the rows for: each row is read once, where it
 * stands, and what is summed stays in registers. A result is summed over the entries of its row from the
 * first to the last, so it does not depend on the rows beside it. */
#ifndef ALD_LINALG_FEW_COLUMNS_H
#define ALD_LINALG_FEW_COLUMNS_H

#include "math/linalg/view.h"

#include <alidade/matrix.h>

enum { ald_few_lanes = 8, ald_few_most = 24 }; /* columns of a vector, and in all */

/* Whether they may stand for products of the backend, whose bytes may be those of the processor. */
int ald_few_serve(const ald_run *run);

/* Columns v (d x k, k <= ald_few_most), and what is taken off each row before. */
typedef struct ald_few {
    int64_t d, k;
    int vectors;          /* of ald_few_lanes columns, with zeros at the end; 0: along long rows */
    int centred;          /* there is a mean */
    const double *offset; /* vectors x ald_few_lanes: what sums begin with */
    const double *v;      /* d x (centred + vectors) x ald_few_lanes */
} ald_few;

/* In scratch; row j of v is multiplied by scale[j]. scale (d), mean (d) and offset (k) may be NULL. */
ald_status ald_few_pack(ald_run *run, ald_view v, const double *scale, const double *mean,
                        const double *offset, ald_few *few);
/* out (m x k) = 1 offset' + (X - 1 mean') v, of rows i .. i + m of dense X whose columns stand side by side.
 */
void ald_few_multiply(const ald_few *few, const ald_matrix *x, int64_t i, int64_t m, double *out);

/* The same, to the last bit, of X whose rows stand side by side; `sums` is room for ald_few_tile_room. */
enum { ald_few_tile_rows = 256, ald_few_tile_room = 4 * ald_few_lanes * ald_few_tile_rows };
void ald_few_multiply_columns(const ald_few *few, const ald_matrix *x, int64_t i, int64_t m, double *sums,
                              double *out);

/* A symmetric matrix and k columns v that stand along its rows, `apart` numbers apart. For the entries
 * j .. end of rows i .. i + ald_few_rows, which lie before j, and columns w like v:
 *
 *   w_i += sum over j of a_ij v_j,     w_j += sum over i of a_ij v_i. */
enum { ald_few_rows = 4, ald_few_along = 4 };
typedef struct ald_few_symmetric {
    int64_t n, k, apart; /* k <= ald_few_along */
    const double *a, *v;
} ald_few_symmetric;
void ald_few_both(const ald_few_symmetric *s, int64_t i, int64_t j, int64_t end, double *w);

/* Upper triangle of c (rows `ldc` apart) += B'B, for B of m rows `stride` apart with d columns. The first
 * says whether that is faster than BLAS's way: a fit of pca on one thread took 0.74 of the time for 28
 * columns, 0.8 for 73 and 125, and longer for less than a vector. */
int ald_few_gram_serves(int64_t d);
void ald_few_gram(int64_t m, int64_t d, const double *b, int64_t stride, double *c, int64_t ldc);

#endif
