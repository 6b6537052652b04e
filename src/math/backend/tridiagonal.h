/* A symmetric matrix to tridiagonal form by reflections, A = Q T Q', on several threads.
 *
 * LAPACK's dsytrd does half of its work in products with a vector, one after the other, which its threads are
 * too slow to share. Here a thread keeps rows of its own, in its own cache. Step i reflects row i onto its
 * first entry beyond the diagonal by H = I - tau v v'; with p = tau A v and w = p - (tau/2) (p'v) v the rest
 * becomes A - v w' - w v'. That is done to a row together with its product with the next v, so that a row is
 * read once per step. 2 n^3 operations in place of 4/3 n^3, of which 1/threads to each; the bytes are the
 * same for any number of threads. */
#ifndef ALD_BACKEND_TRIDIAGONAL_H
#define ALD_BACKEND_TRIDIAGONAL_H

#include "base/core/run.h"

typedef struct ald_reduction {
    int64_t n;
    double *a; /* n x n: row i holds the reflection i from its entry i + 2 on; entry i + 1 of it is 1 */
    double *diagonal, *beside, *tau; /* n, n - 1, n - 1: T and the factors of the reflections, as of dsytrd */
} ald_reduction;

/* Fills what the reduction points to, of the upper triangle of a matrix, which is left as it is. */
ald_status ald_tridiagonalise(ald_run *run, int parts, const double *upper, const ald_reduction *reduction);

/* Rows of `vectors` (count x n), which belong to T, become those of the matrix: x <- H_0 H_1 .. x, a row by
 * one thread. */
void ald_reduction_turn(int parts, const ald_reduction *reduction, int64_t count, double *vectors);

#endif
