/* Views: where a dense matrix stands and what shape it has. They are passed by value and own nothing.
 *
 *   ald_of(a, m, n)   the m x n matrix at `a`, row after row, to be read
 *   ald_at(a, m, n)   the same, to be written or overwritten
 *   ald_t(a)          a transposed, without moving a number
 *
 * What linalg/linalg.h does with them reads as the formula does: G = V'V is
 *   ald_product(run, ald_t(v), v, ald_at(gram, k, k)).
 *
 * Shapes that do not fit are an error of ours; it is found and names both shapes. */
#ifndef ALD_LINALG_VIEW_H
#define ALD_LINALG_VIEW_H

#include "base/core/run.h"

#include <assert.h>

/* To be read. Entry (i, j) is data[i * stride + j], or data[j * stride + i] when transposed. */
typedef struct ald_view {
    const double *data;
    int64_t rows, cols;
    int64_t stride; /* between stored rows; at least 1, as BLAS wants it for empty matrices too */
    int transposed;
} ald_view;

/* To be written: entry (i, j) is data[i * stride + j]. */
typedef struct ald_area {
    double *data;
    int64_t rows, cols, stride;
} ald_area;

static inline ald_view ald_of(const double *data, int64_t rows, int64_t cols)
{
    return (ald_view){data, rows, cols, cols > 0 ? cols : 1, 0};
}

static inline ald_area ald_at(double *data, int64_t rows, int64_t cols)
{
    return (ald_area){data, rows, cols, cols > 0 ? cols : 1};
}

/* What was written, to be read. */
static inline ald_view ald_read(ald_area a)
{
    return (ald_view){a.data, a.rows, a.cols, a.stride, 0};
}

static inline ald_view ald_t(ald_view a)
{
    return (ald_view){a.data, a.cols, a.rows, a.stride, !a.transposed};
}

static inline double ald_entry(ald_view a, int64_t i, int64_t j)
{
    return a.data[a.transposed ? j * a.stride + i : i * a.stride + j];
}

/* Rows i .. i + rows, columns j .. j + cols. */
static inline ald_view ald_view_block(ald_view a, int64_t i, int64_t j, int64_t rows, int64_t cols)
{
    assert(i >= 0 && j >= 0 && rows >= 0 && cols >= 0 && i + rows <= a.rows && j + cols <= a.cols);
    const int64_t offset = a.transposed ? j * a.stride + i : i * a.stride + j;
    return (ald_view){a.data + offset, rows, cols, a.stride, a.transposed};
}

static inline ald_area ald_area_block(ald_area a, int64_t i, int64_t j, int64_t rows, int64_t cols)
{
    assert(i >= 0 && j >= 0 && rows >= 0 && cols >= 0 && i + rows <= a.rows && j + cols <= a.cols);
    return (ald_area){a.data + i * a.stride + j, rows, cols, a.stride};
}

/* The first so many columns. */
static inline ald_view ald_left(ald_view a, int64_t cols)
{
    return ald_view_block(a, 0, 0, a.rows, cols);
}

/* The error of an operation on matrices that do not fit; it names their shapes. `out` with data NULL: there
 * is none. */
ald_status ald_wrong_shapes(ald_run *run, const char *operation, ald_view a, ald_view b, ald_area out);

/* out = f(a, b): ALD_OK where they fit. */
static inline ald_status ald_shapes_fit(ald_run *run, int fit, const char *operation, ald_view a, ald_view b,
                                        ald_area out)
{
    return !fit ? ald_wrong_shapes(run, operation, a, b, out) : ALD_OK;
}

/* For what LAPACK overwrites: the rows follow each other. */
static inline int ald_is_whole(ald_area a)
{
    return a.stride == a.cols || a.rows <= 1 || a.cols == 0;
}

/* What is done to a matrix entry by entry: no BLAS, one order of summation. */
/* a <- factor a; 0 also where a held no numbers. */
void ald_scale(double factor, ald_area a);
/* out (n x m) = the transpose of the m x n matrix at `a`. */
void ald_transpose(int64_t m, int64_t n, const double *a, double *out);
/* The upper triangle copied to the lower one. */
void ald_mirror(ald_area a);
/* a <- (a + a')/2. */
void ald_symmetrise(ald_area a);
/* Sum of the diagonal of the n x n matrix at `a`. */
double ald_trace(int64_t n, const double *a);
/* a <- a + ridge I. */
void ald_add_ridge(double ridge, ald_area a);
/* a <- I. */
void ald_make_identity(ald_area a);
/* Row i of a times factors[i]. */
void ald_scale_rows(const double *factors, ald_area a);

#endif
