/* A symmetric matrix to tridiagonal form on several threads, and the largest eigenvalues of such a form by
 * bisection of many points at once. tridiagonal.c has the mathematics and says when it pays. */
#ifndef ALD_BACKEND_TRIDIAGONAL_H
#define ALD_BACKEND_TRIDIAGONAL_H

#include "base/core/run.h"

#include <stdint.h>

typedef struct ald_reduction {
    int64_t n;
    double *a; /* n x n: row i holds the reflection i from its entry i + 2 on; entry i + 1 of it is 1 */
    double *diagonal, *beside, *tau; /* n, n - 1, n - 1: T and the factors of the reflections, as of dsytrd */
} ald_reduction;

/* A matrix that is tridiagonal already, as those of Lanczos are, is its own form: whether this one is, by its
 * upper triangle; and if it is, r->diagonal and r->beside are filled, and r->a stays NULL. */
int ald_is_tridiagonal(int64_t n, const double *upper);
int ald_take_tridiagonal(const double *upper, ald_reduction *r);

/* Fills what the reduction points to, from the upper triangle of a matrix, which is left as it is. */
ald_status ald_tridiagonalise(ald_run *run, int parts, const double *upper, const ald_reduction *reduction);

/* Rows of `vectors` (count x n), which belong to T, become those of the matrix: x <- H_0 H_1 .. x, a row by
 * one thread. */
void ald_reduction_turn(int parts, const ald_reduction *reduction, int64_t count, double *vectors);

/* values: the `wanted` largest eigenvalues, ascending, to rounding of the largest of all. `squares` is n
 * numbers of room. 0: the matrix falls into parts that have nothing to do with each other, or is not finite,
 * or of extreme size; nothing is found then. */
int ald_bisect(int64_t n, const double *diagonal, const double *beside, int64_t wanted, double *squares,
               double *values);

#endif
