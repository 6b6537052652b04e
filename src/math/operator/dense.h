/* What the files on dense storage share: blocks of Z.
 *
 * A block of rows and columns of Z is prepared in a buffer that fits into the second-level cache and is used
 * there: X is read once and Z is never stored. f32 input is widened in the same step. */
#ifndef ALD_OPERATOR_DENSE_H
#define ALD_OPERATOR_DENSE_H

#include "math/linalg/view.h"
#include "math/operator/storage.h"

enum {
    ald_dense_block_entries = 64 * 1024,
    ald_dense_widest_block = 16 * 1024, /* a buffer has the two added */
    ald_dense_thinnest_part = 64,       /* rows or columns of a thread */
};

/* Rows i0 .. i0 + m, columns j0 .. j0 + c of X, widened, to `out` (m x c). */
void ald_dense_copy(const ald_matrix *x, int64_t i0, int64_t m, int64_t j0, int64_t c, double *out);
/* Rows i0 .. i0 + m of X with their columns side by side: where they stand, or in `buffer` (m x d). So a
 * product sums in the same order whether X is stored by rows, or by columns as R and Fortran store it. */
ald_matrix ald_dense_standing(const ald_matrix *x, int64_t i0, int64_t m, double *buffer);
/* Nothing has to be done to X: Z stands there. */
int ald_dense_is_plain(const ald_operator *z);
/* The same of Z: in `buffer`, or where it stands when nothing has to be done to it. */
ald_view ald_dense_block(const ald_operator *z, int64_t i0, int64_t m, int64_t j0, int64_t c, double *buffer);
/* Rows and columns of a block for a stretch of `cols` columns. */
void ald_dense_block_shape(int64_t rows, int64_t cols, int64_t *m, int64_t *c);

/* Products of one vector (dense_single.c). */
typedef struct ald_single {
    const double *in;    /* t, one for each row of Z; not read with v */
    const double *v;     /* d: t = A v - alpha u instead; NULL: t is given */
    const double *alpha; /* with u */
    double *u;           /* one for each row of Z, becomes t; NULL: none */
    double *room;        /* for the rows that are added at once */
} ald_single;
/* Whether rows of Z only lose their mean, and are then scaled, by columns or as wholes. */
int ald_single_serves(const ald_operator *z);
/* With A the rows i0 .. i0 + m of Z without the scales of its columns: sums (d) += A't. */
void ald_single_add(const ald_operator *z, const ald_single *p, int64_t i0, int64_t m, double *sums);

/* Whether Z'(Z v) is one pass: several rows stay in cache meanwhile. */
int ald_dense_advances_at_once(const ald_operator *z);

/* Products of few columns with rows that only lose their mean and are then scaled by columns: dense_few.c. */
enum { ald_dense_few_most = 5 }; /* beyond, copies that BLAS multiplies take less time */
int ald_dense_few_serves(const ald_run *run, const ald_operator *z, int64_t k);
/* sums (k rows that are `apart` apart) += t'(rows - 1 mean') for t (k columns), with rows as
 * ald_dense_standing has them. */
void ald_dense_few_add(const ald_matrix *rows, const double *mean, const double *t, int64_t k, double *sums,
                       int64_t apart);

/* Members of ald_dense_storage. */
ald_status ald_dense_rows(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, double *rows);
/* The same without a question to the caller: for those who could not pass on the answer. */
void ald_dense_write_rows(const ald_operator *z, int64_t i0, int64_t m, double *rows);
ald_status ald_dense_square_norm(ald_run *run, const ald_operator *z, double *sum);
ald_status ald_dense_row_moments(ald_run *run, const ald_matrix *x, double *mean, double *deviation,
                                 double *length);
ald_status ald_dense_column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                       ald_column_moments moments);
ald_status ald_dense_find_bad(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column);

/* Z'Z by our own threads, where that is faster than the threads of the backend: they divide a product of
 * a few hundred columns badly (dense_scatter.c). */
/* Whether it is faster. */
int ald_dense_scatters(const ald_run *run, const ald_operator *z);
/* Upper triangle of c (d x d) = Z'Z; with k > 0 also b (d x k) = Z'h of h (n x k), in the same pass. */
ald_status ald_dense_scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                             double *b);

#endif
