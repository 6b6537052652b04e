/* Sums over the rows of a tall matrix y (n x q, row after row), and what is done to all its entries, by the
 * threads of the run: targets of a million rows take longer than X that is on a card.
 *
 * Rows are cut into slabs of a fixed size, each of which is summed by itself, and the sums of the slabs are
 * added in their order: results do not depend on the number of threads. */
#ifndef ALD_LINALG_TALL_H
#define ALD_LINALG_TALL_H

#include "math/linalg/view.h"

/* Calls fn(work, slab, begin, end) for all slabs of n rows; `work_of_row` are the operations of a row. */
enum { ALD_SLAB_ROWS = 2048 };
typedef void (*ald_slab_fn)(void *work, int64_t slab, int64_t begin, int64_t end);
ald_status ald_slabs(ald_run *run, int64_t n, double work_of_row, ald_slab_fn fn, void *work);

/* out (q) = sum_i w_i y_ij (weights n, NULL: 1), sum_i y_ij^2, max_i |y_ij|. */
ald_status ald_tall_sums(ald_run *run, int64_t n, int64_t q, const double *y, const double *weights,
                         double *out);
ald_status ald_tall_squares(ald_run *run, int64_t n, int64_t q, const double *y, double *out);
ald_status ald_tall_largest(ald_run *run, int64_t n, int64_t q, const double *y, double *out);
/* out (m x q) = V'Y of columns of V (n x m, rows `stride` apart), and Y - V c in place of Y, c m x q. */
ald_status ald_tall_cross(ald_run *run, ald_view v, int64_t q, const double *y, double *out);
ald_status ald_tall_subtract(ald_run *run, ald_view v, int64_t q, const double *c, double *y);
/* out (n x p) = Y m, m q x p; it may be y where p = q <= 64. */
ald_status ald_tall_turn(ald_run *run, int64_t n, int64_t q, const double *y, int64_t p, const double *m,
                         double *out);
/* y_ij <- sqrt(w_i) (y_ij - shift_j), and y_ij / size_j where size_j > 0. */
ald_status ald_tall_centre(ald_run *run, int64_t n, int64_t q, const double *shift, const double *weights,
                           double *y);
ald_status ald_tall_divide(ald_run *run, int64_t n, int64_t q, const double *size, double *y);

#endif
