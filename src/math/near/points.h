/* Rows as points, for searches: where they are and how far apart.
 *
 * Two points are compared twice. Roughly, by |b|^2 - 2 a'b in single or double precision of blocks of centred
 * rows brought to a size near 1; then, for pairs that may count, exactly, by differences in double of the
 * rows as given:
 *
 *   dense    sum_j ((x_aj - x_bj) s_j)^2
 *   sparse   the same over the entries that either row has, and what the row shifts make of the others. */
#ifndef ALD_NEAR_POINTS_H
#define ALD_NEAR_POINTS_H

#include "math/operator/operator.h"

/* Some or all rows of Z. */
typedef struct ald_rows {
    const ald_operator *z;
    const int64_t *which; /* `count` row numbers; NULL: all rows */
    int64_t count;        /* not read when `which` is NULL */
} ald_rows;

typedef struct ald_points {
    int64_t n, d;
    const int64_t *which; /* row of Z of each point; NULL: the same number */
    ald_operator rows;    /* Z without mean, scale and weights */
    const double *scale;  /* d, or NULL */
    int sparse;
    /* Dense: what the rough comparison subtracts and multiplies by. Sparse: unit only. */
    const double *centre; /* d */
    double unit;          /* a power of two: points times unit are at most about 1 in each coordinate */
    double reach;         /* largest |x - centre| s of a coordinate; sparse: largest norm */
    double blur;          /* what rounding in double may have moved a centred point by */
    /* Sparse: row i is values - shift[i] in every column, times the scale. */
    const int64_t *pointers, *indices;
    const double *values;
    const double *shift;  /* per point, or NULL */
    double scale_squares; /* sum of the squares of the scale over all columns */
} ald_points;

/* The row of Z that point i is. */
static inline int64_t ald_points_row(const ald_points *points, int64_t i)
{
    return points->which ? points->which[i] : i;
}

/* A number into an array of working precision, double or single. */
static inline void ald_put(void *array, int is_double, int64_t at, double value)
{
    if (is_double)
        ((double *)array)[at] = value;
    else
        ((float *)array)[at] = (float)value;
}

/* Reads the rows once. */
ald_status ald_points_new(ald_run *run, const ald_rows *rows, ald_points *points);
/* Makes two sets comparable: the centre of the first and a unit that suits both. */
ald_status ald_points_join(ald_run *run, ald_points *first, ald_points *second);

/* Dense rows i0 .. i0 + m: where they stand, if they stand as plain doubles, or written to `buffer` (m x d).
 * Stride d in the latter case. Allocates nothing, so parts of parallel work may call it. */
const double *ald_points_rows(const ald_points *points, int64_t i0, int64_t m, double *buffer,
                              int64_t *stride);
/* The row about the centre, scaled, in double or in single (d numbers); its squared length, in four sums. */
double ald_points_rough(const ald_points *points, const double *row, int is_double, void *out);
/* Exact squared distance of two dense rows from ald_points_rows. */
double ald_square_dense(int64_t d, const double *scale, const double *a, const double *b);
/* Row i0 where it stands, the others `stride` bytes apart, in double or in `single` precision; NULL: they
 * have to be written out. */
const char *ald_points_standing(const ald_points *points, int64_t i0, int64_t *stride, int *single);
/* The same as ald_square_dense of four pairs, a[i] and b[i], in double or in `single`, to the same bytes. */
void ald_squares_of_four(int64_t d, const double *scale, int single, const void *const *a,
                         const void *const *b, double *squares);
/* Exact squared distance between sparse point i of `a` and j of `b`. */
double ald_square_sparse(const ald_points *a, int64_t i, const ald_points *b, int64_t j);

#endif
