/* The matrices of rsir in the coordinates in which they are simplest.
 *
 * Coordinates: the columns of X, or where these are more than the rows an orthonormal basis of the row space
 * (from the n x n products of rows), p of them; nothing larger than min(n, d) squared. In them, l labelled
 * rows of n:
 *
 *   Sigma  covariance of the labelled rows                        divisor l
 *   Gamma  covariance of their means within slices                divisor l
 *   S      sum_i D_i (x_i - m)(x_i - m)' / sum D,  m = sum D_i x_i / sum D
 *   Q      X'L X / sum D = sum_ij W_ij (x_i - x_j)(x_i - x_j)' / (2 sum D)
 *
 * over all n rows for S and Q; the common divisor of these two plays no part. T'(Sigma + ridge I) T = I and
 * T'S T = diag(Lt), Gt = T'Gamma T, Qt = T'Q T. Sigma without a ridge where it is singular (eigenvalues below
 * 1e-10 of the largest) gets one of 1e-4 of its largest eigenvalue: unlabelled rows then count also where no
 * labelled row varies. Coordinates in which S is 0 (below 1e-10 of the largest Lt) are dropped. */
#ifndef ALD_RSIR_RSIR_MATRICES_H
#define ALD_RSIR_RSIR_MATRICES_H

#include "math/graph/laplacian.h"
#include "methods/engines/labelled.h"
#include "methods/engines/slices.h"
#include "methods/rsir/rsir_params.h"

typedef struct ald_rsir_matrices {
    /* Coordinates: rows are those of z, n x p; directions in the columns of X are `back` (p x d) times, NULL:
     * as is. */
    ald_operator z;
    int64_t n, d, p;
    double *back;
    /* Whitened: q of them. */
    int64_t q;
    double *t;     /* T', q x p: a row a coordinate */
    double *gamma; /* Gt, q x q */
    double *quad;  /* Qt, q x q */
    double *lt;    /* Lt, q, ascending order not promised */
    double ridge;
} ald_rsir_matrices; /* in scratch */

/* Coordinates, T by Sigma alone, and Gt; Lt and Qt are NULL. */
ald_status ald_rsir_whiten(ald_run *run, const ald_problem *problem, const ald_rsir_settings *settings,
                           const ald_labelled *labelled, const ald_slices *slices, ald_model *model,
                           ald_rsir_matrices *m);
/* S and Q of the graph, and the coordinates turned so that S is diagonal. `degree` (n) is D. */
ald_status ald_rsir_penalise(ald_run *run, const ald_laplacian *laplacian, const double *degree,
                             ald_rsir_matrices *m);

#endif
