/* X as an operator: the prepared matrix Z that a method sees, never stored.
 *
 *   Z = F ( A (X - s 1') - 1 m' ) D        rows i, columns j
 *
 * A = diag(row_factor), s = row_shift: each row scaled; m = mean: each column centred; D =
 * diag(inverse_scale): each column scaled; F = diag(row_weight): roots of the sample weights. Any of them may
 * be NULL, which leaves it out.
 *
 * Dense X is prepared block by block in cache and multiplied there, so no product loses digits to a large
 * mean; sparse X stays sparse and the rest enters as corrections of rank two, accurate to about 1e-16 (1 +
 * max |m| / deviation) relative. Matrices are row major. Each product reads X once, whatever the number of
 * columns. */
#ifndef ALD_OPERATOR_OPERATOR_H
#define ALD_OPERATOR_OPERATOR_H

#include "math/linalg/view.h"

#include <alidade/matrix.h>

typedef struct ald_source ald_source;

typedef struct ald_operator {
    ald_matrix x;
    const ald_source *source; /* source.h: the rows come from there, x has their sizes only; NULL: from x */
    const double *row_shift;
    const double *row_factor;
    const double *mean;
    const double *inverse_scale;
    const double *row_weight;
    /* Where x has a part of the rows only (all_rows.h): sums over all of them, or the others by request;
     * or NULL. */
    const struct ald_all_rows *all;
    const struct ald_remote_rows *remote;
} ald_operator;

/* Rows first .. first + count of Z (dense, or CSR of any kind). */
ald_operator ald_operator_slice(const ald_operator *z, int64_t first, int64_t count);

/* What goes in and comes out stands row after row without gaps. */
/* u (n x k) = Z v, v d x k. */
ald_status ald_operator_apply(ald_run *run, const ald_operator *z, ald_view v, ald_area u);
/* u (n x p) = (Z v o Z v) f, the entries of Z v squared; v d x k, f k x p. Z v is not stored whole. */
ald_status ald_operator_apply_squared(ald_run *run, const ald_operator *z, ald_view v, ald_view f,
                                      ald_area u);
/* v (d x k) = Z'u, u n x k. */
ald_status ald_operator_apply_transposed(ald_run *run, const ald_operator *z, ald_view u, ald_area v);
/* w (d x k) = Z'(Z v) in one pass over dense X. */
ald_status ald_operator_normal(ald_run *run, const ald_operator *z, ald_view v, ald_area w);
/* Whether that reads X once. */
int ald_operator_advances_at_once(const ald_run *run, const ald_operator *z);
/* u (n x k) <- Z v - u diag(alpha), then w (d x k) = Z'u, in one pass over dense X: a step of LSQR. */
ald_status ald_operator_advance(ald_run *run, const ald_operator *z, ald_view v, const double *alpha,
                                ald_area u, ald_area w);
/* c (d x d) = Z'Z, both triangles, or the upper one with the diagonal. */
ald_status ald_operator_scatter(ald_run *run, const ald_operator *z, ald_area c);
ald_status ald_operator_scatter_upper(ald_run *run, const ald_operator *z, ald_area c);
/* The same and b (d x k) = Z'h, h n x k, in one pass over dense X. */
ald_status ald_operator_scatter_with(ald_run *run, const ald_operator *z, ald_view h, ald_area c, ald_area b);
/* H (n x k) that has one entry in each row, as indicators of classes have: value_i in column code_i. */
typedef struct ald_codes {
    const int32_t *code;
    const double *value;
    int64_t k;
} ald_codes;
/* ald_operator_scatter_with of such an H, which is not written out where X is on a card. */
ald_status ald_operator_scatter_codes(ald_run *run, const ald_operator *z, const ald_codes *h, ald_area c,
                                      ald_area b);
/* Rows i0 .. i0 + m, columns j0 .. j0 + count of H, written out. */
void ald_codes_write(const ald_codes *h, int64_t i0, int64_t m, int64_t j0, int64_t count, double *out);
/* g (n x n) = Z Z', both triangles. */
ald_status ald_operator_gram(ald_run *run, const ald_operator *z, ald_area g);
/* Rows from i0 on of dense Z, written out (as many as `rows` has; d columns). */
ald_status ald_operator_rows(ald_run *run, const ald_operator *z, int64_t i0, ald_area rows);
/* |Z|_F^2. */
ald_status ald_operator_square_norm(ald_run *run, const ald_operator *z, double *sum);

/* Mean and standard deviation (root mean square about it), or length, of each row of X; either may be NULL.
 */
ald_status ald_row_moments(ald_run *run, const ald_matrix *x, double *mean, double *deviation,
                           double *length);

/* Moments of each column of A (X - s 1'), with weights w (NULL: 1; some are positive). `deviation`, `low` and
 * `high` may be NULL; one pass for the mean, a second one for the standard deviation. `peak` (NULL: not
 * requested) bounds the distance of an entry from the mean, to a factor of two. The operator's mean, scale
 * and row weights are not used. */
typedef struct ald_column_moments {
    double *mean, *deviation, *low, *high, *peak;
} ald_column_moments;
ald_status ald_column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                 ald_column_moments moments);
/* The same of columns whose squares are not numbers, or 0, too (column_sizes.c); `peak` is requested. */
ald_status ald_column_sizes(ald_run *run, const ald_operator *z, const double *weights,
                            ald_column_moments moments);
/* Sizes whose squares can be summed, with room for the number of rows. */
#define ALD_LARGEST_SQUARE 0x1p500
#define ALD_SMALLEST_SQUARE 0x1p-500
/* Whether a peak is a size that everything can be done with: 0, or from 2^-300 to 2^300. */
int ald_peak_is_plain(double peak);

/* The first entry of X that is not finite, or row -1; it fails only where X is on a card. */
ald_status ald_matrix_find_bad(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column);
/* Entries that one pass over the rows reads. */
double ald_operator_entries(const ald_operator *z);
/* Bytes that one pass over X reads. */
double ald_matrix_bytes(const ald_matrix *x);
int64_t ald_matrix_entries(const ald_matrix *x);

/* `advance` by two passes, for a storage that has no better way. */
ald_status ald_advance_in_two(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                              const double *alpha, double *u, double *w);

/* `apply_squared` by products of the storage `own`, or, NULL, of what stores the rows. */
struct ald_storage_ops;
ald_status ald_apply_squared_by(ald_run *run, const struct ald_storage_ops *own, const ald_operator *z,
                                ald_view v, ald_view f, double *u);

#endif
