/* What nca and mlkr have in common: each row is predicted by all others, the near ones most.
 *
 *   z_i  = W'x_i
 *   p_ij = exp(-|z_i - z_j|^2) / sum over l != i of exp(-|z_i - z_l|^2),     p_ii = 0
 *   t_i  = sum_j p_ij y_j                                                    y: responses, or 0/1 of classes
 *
 *   share:      largest   f = mean of y_i't_i - ridge |W|^2
 *   otherwise:  least     f = mean of |y_i - t_i|^2
 *
 * With a_i = y_i / n where -f is minimised, and 2 (y_i - t_i) / n otherwise, the derivative by |z_i - z_j|^2
 * is
 *
 *   G_ij = p_ij a_i'(y_j - t_i),
 *
 * and by the scores and W
 *
 *   dZ = 2 (diag((G + G')1) - G - G') Z,     dW = X'dZ.
 *
 * Blocks of rows of P and G are made from products of matrices with few columns, used and forgotten; what
 * they add to G'Z is summed in stretches that depend on n alone, so that results do not depend on the number
 * of threads. */
#ifndef ALD_DISTANCES_SOFT_NEIGHBOURS_H
#define ALD_DISTANCES_SOFT_NEIGHBOURS_H

#include "methods/engines/row_space.h"

typedef struct ald_soft {
    const ald_problem *problem;
    int share;
    double ridge;
    double tol;
    int64_t max_iter;
    /* Found by ald_soft_begin; in scratch. */
    ald_row_space space;
    int64_t n, k, r, q;
    double *rows; /* F, n x k */
    double *y;    /* n x q */
    double *best; /* k x r: the best end of all descents so far */
    double value; /* of what is minimised, there */
    double slope;
    int64_t iterations;
    const char *start;
    int stuck; /* the best end is a start that is given and shows no way down */
} ald_soft;

/* Coordinates of the rows and the target as numbers; `turns` descents will follow. */
ald_status ald_soft_begin(ald_run *run, int64_t turns, ald_soft *s);
/* w (k x r): the leading eigenvectors of X'X over the deviation of the first score. */
void ald_soft_pca(const ald_soft *s, double *w);
/* w (k x r): the directions that the caller gave, as far as the rows see them. */
ald_status ald_soft_given(ald_run *run, const ald_soft *s, double *w);
/* L-BFGS from w (k x r, which it changes), number `turn` of `turns`, from 0; kept where it ends lower than
 * those before. `name` of the start is kept by reference. */
ald_status ald_soft_descend(ald_run *run, ald_soft *s, double *w, int64_t turn, int64_t turns,
                            const char *name);
/* Components of the best end, turned so that the covariance of the scores is diagonal, descending;
 * `eigenvalues` are these variances. */
ald_status ald_soft_add(ald_run *run, const ald_soft *s, ald_model *model);

#endif
