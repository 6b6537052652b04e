/* What the files on sparse storage share. */
#ifndef ALD_OPERATOR_SPARSE_H
#define ALD_OPERATOR_SPARSE_H

#include "math/operator/storage.h"

/* A sparse matrix is a list of slices, rows of CSR or columns of CSC. */
/* Handed out as int64_t indices and f64 values; other types are converted into a buffer. */
typedef struct ald_slice {
    int64_t count;
    const int64_t *indices;
    const double *values;
} ald_slice;

typedef struct ald_slice_buffer {
    int64_t *indices;
    double *values;
} ald_slice_buffer;

int64_t ald_slice_count(const ald_matrix *x);
/* Where slice s begins among the entries; with s = ald_slice_count, where they end. */
int64_t ald_slice_begin(const ald_matrix *x, int64_t s);
/* Room for the longest slice, one buffer per thread; in scratch. */
ald_status ald_slice_buffer_new(ald_run *run, const ald_matrix *x, ald_slice_buffer *buffer);
ald_slice ald_slice_at(const ald_matrix *x, int64_t s, const ald_slice_buffer *buffer);
/* The first slice of a part: parts have about equal numbers of entries, however uneven the slices are. */
int64_t ald_slices_first(const ald_matrix *x, int parts, int part);

/* g, h and f of row i (sparse.c). */
static inline double ald_row_factor(const ald_operator *z, int64_t i)
{
    return (z->row_factor ? z->row_factor[i] : 1.0) * (z->row_weight ? z->row_weight[i] : 1.0);
}

static inline double ald_row_shift(const ald_operator *z, int64_t i)
{
    return z->row_shift ? ald_row_factor(z, i) * z->row_shift[i] : 0.0;
}

static inline double ald_row_weight(const ald_operator *z, int64_t i)
{
    return z->row_weight ? z->row_weight[i] : 1.0;
}

typedef void (*ald_entry_fn)(void *work, int64_t row, int64_t column, double value);

/* Calls `visit` for each stored entry, slice by slice. */
ald_status ald_sparse_visit(ald_run *run, const ald_matrix *x, ald_entry_fn visit, void *work);

/* sums (d x k) += Z'u of a Z of CSR storage that is neither shifted nor centred nor scaled by columns. */
ald_status ald_sparse_add_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k,
                                     double *sums);

/* sparse_outer.c: Z Z'u for X stored by columns (CSC), in one pass over X, and the other order. */
/* w (n x k) = Z (Z'u), u n x k; X is CSC. Memory: n x k numbers and, per thread, as many again, k made a
 * multiple of eight. */
ald_status ald_sparse_outer(ald_run *run, const ald_operator *z, ald_view u, ald_area w);

/* The other order of a sparse matrix. Products with k columns reach into the matrix on one side entry by
 * entry: of rows kept row by row (CSR) the side of the columns of X, of columns (CSC) that of its rows. The
 * shorter side stays in cache. */

/* Whether the other order would reach into a side less than half as long. */
int ald_sparse_better_turned(const ald_matrix *x);
/* The same matrix by rows (CSR) or by columns (CSC), with 64-bit indices and values, in scratch: 16 bytes per
 * entry. */
ald_status ald_sparse_ordered(ald_run *run, const ald_matrix *x, int by_rows, ald_matrix *ordered);

/* What is asked of a storage (storage.h), for rows on a card too. */
ald_status ald_sparse_gram(ald_run *run, const ald_operator *z, double *g);
ald_status ald_sparse_square_norm(ald_run *run, const ald_operator *z, double *sum);
ald_status ald_sparse_row_moments(ald_run *run, const ald_matrix *x, double *mean, double *deviation,
                                  double *length);
ald_status ald_sparse_find_bad(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column);
#define ALD_SPARSE_LACKS "rows of a sparse matrix are not written out"

ald_status ald_sparse_column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                        ald_column_moments moments);

#endif
