/* Whitening, for the methods whose matrix is made of explicit whitened rows. With Z the prepared X, n
 * the sum of the weights, p columns kept where l > 1e-10 l_1, and rho = ridge + ridge_rel l_1 (both settings
 * of the method),
 *
 *   Sigma = Z'Z/n = V diag(l) V'
 *   T     = V diag(1 / sqrt(l + rho)),     T'(Sigma + rho I) T = I
 *   U     = Z T,                           U'U/n = diag(s),   s = l / (l + rho)
 *
 * A ridge stands for independent noise of variance rho in every column: the rows with it would have the
 * covariance I, and without it they miss diag(1 - s). The methods put that back where they compare
 * covariances, or else columns of little variance would look as if they followed the target.
 *
 * Cost: for d <= n from the d x d covariance, n d^2 + 4 d^3 operations, then 2 n d p; for d > n from the n
 * x n products of rows, d n^2 + 4 n^3, then 2 n d p, and nothing of size d x d. U takes n x p. */
#ifndef ALD_ENGINES_WHITEN_H
#define ALD_ENGINES_WHITEN_H

#include "methods/engines/problem.h"

typedef struct ald_whitening {
    int64_t n, d, p;
    double *transform; /* T', p x d */
    double *rows;      /* U, n x p, times the roots of the weights; NULL where X is sparse and d <= n */
    double *share;     /* s, p: 1 without a ridge */
} ald_whitening;

/* All in scratch. A singular covariance is a warning unless there is a ridge; fewer than problem->r columns
 * are an error, as is n_components = 0. Adds alidade.resolved.rank, and .ridge if there is one, to the model.
 */
ald_status ald_whiten(ald_run *run, const ald_problem *problem, ald_model *model, ald_whitening *w);

/* The same without a ridge, whatever the method calls by that name. */
ald_status ald_whiten_plain(ald_run *run, const ald_problem *problem, ald_model *model, ald_whitening *w);

/* The linear fit of the single real response by whitened rows, T T'Z'y / n, for a problem made from moments
 * (d <= n): slope (d) per unit of each column, before scaling. Reports nothing. */
ald_status ald_whiten_slope(ald_run *run, const ald_problem *problem, double *slope);

/* m (p x p) = T'D s D T, D the scaling of the columns, of a symmetric s (d x d) of the columns before
 * scaling. */
ald_status ald_whiten_square(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                             const double *s, double *m);

/* Adds the directions b = T eta as components, eta the rows of `vectors` (r x p), and `values` (r) as
 * eigenvalues. */
ald_status ald_add_whitened(ald_run *run, const ald_problem *problem, const ald_whitening *w,
                            const double *values, const double *vectors, ald_model *model);

/* ridge and ridge_rel, of a method that whitens. */
extern const ald_param *const ald_whiten_params[];

#endif
