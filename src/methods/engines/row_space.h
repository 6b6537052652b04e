/* The rows in coordinates of what they span. With Z the prepared X without weights and k its rank,
 *
 *   Z = F V',     V'V = I (d x k),     F'F = diag(lambda) (n x k),
 *
 * so that distances and products of rows are those of F, and a matrix over columns that no row sees beyond
 * their span is of order k. Two routes:
 *
 *   by columns   Z'Z = V diag(lambda) V',  F = Z V                              n d^2 + 4 d^3, d <= n
 *   dual         Z Z' = U diag(lambda) U', F = U lambda^(1/2), V = Z'U lambda^(-1/2)   d n^2 + 4 n^3
 *
 * Sparse X is only multiplied with; F is n x k. */
#ifndef ALD_ENGINES_ROW_SPACE_H
#define ALD_ENGINES_ROW_SPACE_H

#include "methods/engines/problem.h"

typedef struct ald_row_space {
    const ald_operator *z;
    int64_t n, d, k;
    int dual;
    double *values;  /* lambda, k */
    double *vectors; /* V' (k x d), or U' (k x n) by the dual; rows stand without gaps */
} ald_row_space;     /* in scratch */

/* `square`: Z'Z or Z Z' (both triangles, destroyed) where the caller has it, or NULL. An order above
 * ALD_LARGEST_ORDER, columns that are all constant, and fewer than problem->r directions are errors. */
ald_status ald_row_space_find(ald_run *run, const ald_problem *problem, const ald_operator *z, int dual,
                              double *square, ald_row_space *space);
/* rows (n x k) = F. */
ald_status ald_row_space_rows(ald_run *run, const ald_row_space *space, double *rows);
/* w (k x r) <- w Q, Q'Q = I, with Q'(W'F'F W / total)Q = diag(values), descending: the scores are
 * uncorrelated. */
ald_status ald_row_space_turn(ald_run *run, const ald_row_space *space, double total, int64_t r, double *w,
                              double *values);
/* components (r x d) = coordinates' V', coordinates k x r. */
ald_status ald_row_space_back(ald_run *run, const ald_row_space *space, int64_t r, const double *coordinates,
                              double *components);

#endif
