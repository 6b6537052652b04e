/* Coordinates in which a problem over pairs of rows is well conditioned: F = Z M, an exact congruence of P.
 *
 * With C = sum w (z_i - z_j)(z_i - z_j)' / sum w over the pairs, M'C M = I: the differences of the rows of F
 * have the scatter I. Directions in which no pair differs, eigenvalues of C below 1e-10 of the largest, are
 * dropped.
 *
 * - n > d, d up to 2000: M (d x p) from the eigenvectors of C; Z stays where it is.
 * - n <= d, n up to 2000: the rows are first written in the basis of the row space (from Z Z', n x n), which
 * F (n x p) replaces; M maps back through Z'.
 * - otherwise M is diagonal, 1 / the standard deviation of each column, so that nothing square is stored.
 *
 * The columns of M are orthogonal in all three: M'M = diag(lengths). */
#ifndef ALD_OPTIMIZE_BASIS_H
#define ALD_OPTIMIZE_BASIS_H

#include "math/graph/pairs.h"
#include "math/operator/operator.h"

typedef struct ald_basis {
    const ald_operator *z; /* n x d, the rows as they are given */
    int64_t n, d, p;
    int whitened;           /* M'C M = I */
    const double *matrix;   /* M, d x p; NULL: diagonal, or rows are stored */
    const double *diagonal; /* d, p = d */
    const double *rows;     /* F, n x p, where n <= d; Z is then not read until the end */
    const double *back;     /* n x p with M = Z' back, beside `rows` */
    const double *lengths;  /* p: the diagonal of M'M */
} ald_basis;

/* `dims` > 0: only the leading principal components of Z, that many, are used. */
ald_status ald_basis_of_pairs(ald_run *run, const ald_operator *z, const ald_pairs *pairs, int64_t dims,
                              ald_basis *basis);
/* The same from C (d x d, destroyed), up to d = 2000, for rows that are elsewhere; `dims` > 0: with Z'Z (d x
 * d, destroyed), else NULL. */
ald_status ald_basis_of_scatter(ald_run *run, const ald_operator *z, double *scatter, double *normal,
                                int64_t dims, ald_basis *basis);
/* The diagonal one from the deviations of the columns of Z (d), for rows that are elsewhere. */
ald_status ald_basis_of_deviations(ald_run *run, const ald_operator *z, const double *deviation,
                                   ald_basis *basis);
/* M = I: the columns of Z themselves; with `dims` > 0 that many leading principal directions of Z, each of
 * length 1. */
ald_status ald_basis_plain(ald_run *run, const ald_operator *z, int64_t dims, ald_basis *basis);
/* Plain coordinates to M = c I, c such that the widest column of F deviates by 1 to 2: then W is as long as
 * the distances it is to make, whatever the units of X. */
ald_status ald_basis_in_unit(ald_run *run, ald_basis *basis);
/* w (p x k) <- C w: nothing is left of it along directions in which no pair differs, and little along those
 * in which pairs differ little. */
ald_status ald_basis_scatter_times(ald_run *run, const ald_basis *basis, const ald_pairs *pairs, int64_t k,
                                   double *w);

/* u (n x k) = F v, v p x k. */
ald_status ald_basis_apply(ald_run *run, const ald_basis *basis, const double *v, int64_t k, double *u);
/* v (p x k) = F'u. */
ald_status ald_basis_apply_transposed(ald_run *run, const ald_basis *basis, const double *u, int64_t k,
                                      double *v);
/* w (d x k) = M v: directions in the coordinates of Z. */
ald_status ald_basis_directions(ald_run *run, const ald_basis *basis, const double *v, int64_t k, double *w);
/* F itself, n x p, in scratch (or where it is). */
ald_status ald_basis_rows(ald_run *run, const ald_basis *basis, const double **rows);

#endif
