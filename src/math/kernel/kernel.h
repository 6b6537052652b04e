/* Kernel functions of two prepared rows a and b (length d):
 *
 *   linear       a'b
 *   rbf          exp(-|a - b|^2 / (2 s^2)),  s = width
 *   laplacian    exp(-|a - b|_1 / s)
 *   polynomial   (a'b + coef0)^degree
 *   cosine       a'b / (|a| |b|), 0 where a row is 0
 *   precomputed  the entry of X itself: X is the kernel matrix
 *
 * and, for widths, two distances in the same place: |a - b|^2 and |a - b|_1^2. All but the ones of |.|_1 come
 * from inner products, which are made for whole blocks of rows at once; `ald_kernel_finish` turns a row of
 * them into a row of kernel values. */
#ifndef ALD_KERNEL_KERNEL_H
#define ALD_KERNEL_KERNEL_H

#include "base/core/run.h"

#include <stdint.h>

typedef enum ald_kernel_kind {
    ALD_KERNEL_LINEAR,
    ALD_KERNEL_RBF,
    ALD_KERNEL_LAPLACIAN,
    ALD_KERNEL_POLYNOMIAL,
    ALD_KERNEL_COSINE,
    ALD_KERNEL_PRECOMPUTED,
    ALD_SQUARE_DISTANCE,
    ALD_SQUARE_CITY_DISTANCE,
} ald_kernel_kind;

typedef struct ald_kernel {
    ald_kernel_kind kind;
    double width, coef0;
    int64_t degree;
} ald_kernel;

/* "linear" .. "precomputed", in the order of the kinds; ends with NULL. */
extern const char *const ald_kernel_names[];
/* 0 if there is none of that name. */
int ald_kernel_find(const char *name, ald_kernel_kind *kind);

/* A row of m inner products with rows of square lengths b2 becomes kernel values; a2 is the square length of
 * the row itself. For the kinds of |.|_1: a row of these distances. */
void ald_kernel_finish(const ald_kernel *kernel, double a2, int64_t m, const double *b2, double *row);
/* Squares of m distances become kernel values; 0: the kernel is none of them. */
int ald_kernel_of_squares(const ald_kernel *kernel, int64_t m, double *row);
/* row[j] = |a - b_j|_1, the b_j are the rows of b (m x d). */
void ald_city_distances(int64_t d, const double *a, int64_t m, const double *b, double *row);
int ald_kernel_is_city(const ald_kernel *kernel);
/* k(a + c, b + c) = k(a, b). */
int ald_kernel_is_shift_invariant(const ald_kernel *kernel);
/* k(a, a) from |a|^2. */
double ald_kernel_diagonal(const ald_kernel *kernel, double a2);

/* x_i <- exp(x_i) for x_i <= 0, to about one unit in the last place; NaN stays. */
void ald_many_exp(int64_t n, double *x);

#endif
