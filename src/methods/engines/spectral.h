/* The leading eigenvectors of Z'L Z with W'W = I, L = c I + F F': what pca (L = I), spca, plssb and bair
 * have in common. With
 *
 *   Psi = Z'[c I  F] = [c Z'  B],   B = Z'F (d x m),   Z'L Z = Psi Psi',
 *
 * its eigenvectors are those of Psi'Psi mapped by Psi. With e the entries of X that a pass reads (e = n d
 * when dense):
 *
 *   direct    c Z'Z + B B' (d x d)
 *             c n d^2 (sparse: c 4 e d) + 4 e m + m d^2 + 4/3 d^3 operations, memory d^2 + d m. Where L is
 *             only known by its products: Z'(L Z), n d^2 and a product with d columns, memory 2 n d + 2 d^2.
 *   dual      Psi'Psi, of order c n + m
 *             c = 0: B'B, 4 e m + d m^2 + 4/3 m^3, memory m^2 + d m
 *             c = 1: from Z Z' alone, d n^2 (sparse: 4 e n) + 2 n m (n + m) + 4/3 (n + m)^3, memory (n + m)^2
 *   lanczos   block Lanczos on the smaller of the two as an operator
 *             c (one or two passes over X) + 4 d m per step and column, memory O(min(d, c n + m) r); nothing
 *             square is formed
 *   randomized  the same operator from a random sample of its range (math/solvers/randomized.c): a fixed
 *             number of passes, iterated_power + 4, and an error that is estimated; for those who ask for it
 *   auto      the cheapest of the others by these counts; the squares only up to an order of 5000. How many
 *             steps Lanczos takes depends on the spectrum, so an expensive square is preceded by a trial:
 *             Lanczos down to rounding, given up as soon as it will not take fewer operations than the
 *             square.
 *
 * Rows that come in passes over a file: lanczos; of Psi Psi' where they are divided (operator/all_rows.h). */
#ifndef ALD_ENGINES_SPECTRAL_H
#define ALD_ENGINES_SPECTRAL_H

#include "math/solvers/lanczos.h"
#include "methods/engines/problem.h"

typedef struct ald_spectral {
    const ald_operator *z; /* n x d */
    int identity;          /* c, 0 or 1 */
    const double *f; /* n x m, its rows times the roots of the weights as those of Z are; NULL with m = 0 */
    int64_t m;
    ald_symmetric_fn
        multiply; /* products with L itself in place of c, F and m, by the direct route only; or NULL */
    void *self;
    int64_t r; /* eigenpairs wanted: at most d, and at most n (c = 1) or m (c = 0) */
    /* Results, in scratch. */
    const char *solver;
    double *values;     /* r, descending */
    double *components; /* r x d, unit rows; rows of eigenvalue 0 may be anything */
    double total;       /* the trace of Z'LZ */
    double noise;       /* an eigenvalue up to this is rounding */
} ald_spectral;

/* Reads the settings of ald_spectral_params, and tells the model what was done: solver, its reason,
 * iterations (NULL: not reported). */
ald_status ald_spectral_solve(ald_run *run, ald_spectral *s, ald_model *model);

/* What rounding alone can make of a value that is 0: max(n, d) eps times the first, or `noise`. And how many
 * of the values are more. */
double ald_spectral_rounding(const ald_spectral *s);
int64_t ald_spectral_rank(const ald_spectral *s);

/* Adds components and eigenvalues: as many as problem->r, or as many as count where that is 0. Fewer is an
 * error that gives `limit` as the reason. */
ald_status ald_spectral_add(ald_run *run, const ald_problem *problem, const ald_spectral *s,
                            const char *limit, ald_model *model);

/* The error when every eigenvalue is 0 and X does not vary at all. */
ald_status ald_spectral_constant(ald_run *run);

/* solver, and the parameters of Lanczos and of the randomized solver. */
extern const ald_param *const ald_spectral_params[];

/* spectral_square.c: the r largest eigenvalues of a (order x order, upper triangle read, destroyed) and their
 * vectors as rows, and about how many operations that takes. `level`: it is known that they do not stand
 * apart from the others. */
ald_status ald_square_top(ald_run *run, int64_t order, double *a, int64_t r, int level, double *values,
                          double *rows);
double ald_square_operations(double order, int64_t r);
/* Whether the r largest do not stand apart from the others, as those of factors do, judged by the products of
 * some rows of dense Z with each other: a few hundredths of the time. The last of the r is then not far above
 * the average of the others. */
ald_status ald_rows_are_level(ald_run *run, const ald_operator *z, int64_t r, int *level);
/* A trial of Lanczos stands in for a decomposition, so it is as accurate. */
#define ALD_SPECTRAL_TRIAL_TOL 1e-13

#endif
