/* The methods that are one generalized eigenproblem,
 *
 *   Z'H H'Z w = lambda (Z'Z + ridge I) w,     W'(Z'Z + ridge I) W = I,
 *
 * and differ in H (n x k) only. Solved in two stages (Sun, Ceran and Ye 2010):
 *
 *   W1 = argmin |Z W1 - H|^2 + ridge |W1|^2         directly, in the dual or by LSQR: the expensive stage
 *   M  = W1'Z'H = V L V'                            k x k
 *   W  = W1 V L^(-1/2)                              for L above 1e-10 of the first
 *
 * All routes give the same W. An H with more columns than X is made shorter first, so the second stage is of
 * order min(k, d).
 *
 * Equal lambda leave the directions free within what they span; with no more rows than columns and no ridge
 * all are 1. They are then turned so that they are orthogonal, the shortest first: those to which the
 * directions of a ridge tend as it approaches 0, since lambda falls by ridge |w|^2. */
#ifndef ALD_ENGINES_PENCIL_H
#define ALD_ENGINES_PENCIL_H

#include "base/core/run.h"
#include "methods/engines/problem.h"

/* In the order of the choices of solver. */
typedef enum ald_pencil_solver {
    ALD_PENCIL_AUTO,
    ALD_PENCIL_DIRECT,
    ALD_PENCIL_DUAL,
    ALD_PENCIL_TWO_STAGE,
} ald_pencil_solver;

/* How long directions are. */
typedef enum ald_pencil_length {
    ALD_PENCIL_WHITE = 0, /* W'(Z'Z + ridge I) W = unit^2 I */
    ALD_PENCIL_FITTED,    /* W = W1 V: the scores are the fitted H, turned so that they are uncorrelated */
} ald_pencil_length;

typedef struct ald_pencil {
    /* q x k; NULL: none. Else H = h mix of h n x q, and H'H = I over all rows: H is not written out where it
     * need not be. */
    const double *mix;
    int64_t q;
    double *h; /* n x k, rows times the roots of the weights; NULL: one entry per row, as indicators have */
    const int32_t *column;
    const double *value; /* both n: H_ij = value_i where j = column_i, else 0 */
    int64_t k;
    double ridge_unit; /* what the setting ridge is of: 1 for Z'Z, n where the definition divides by n */
    double unit;       /* W is multiplied by this: 1, or sqrt n where the definition divides by n */
    ald_pencil_length length;
    const char *limit; /* why there are no more directions than there are, for the message */
} ald_pencil;

/* H of classes: a column 1_c / sqrt(n_c) each, as indicators; fills k, column and value (in scratch). */
ald_status ald_pencil_of_classes(ald_run *run, const ald_problem *problem, ald_pencil *pencil);
/* Adds components and eigenvalues to the model. */
ald_status ald_pencil_fit(ald_run *run, const ald_problem *problem, const ald_pencil *pencil,
                          ald_model *model);

/* What the tables of these methods have in common; they differ in the targets that they take. */
#define ALD_PENCIL_METHOD(targets)                                                                           \
    .capabilities = (targets) | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS | ALD_CAN_STREAM | ALD_CAN_DISTRIBUTE |     \
                    ALD_CAN_MAP_NEW_ROWS | ALD_IS_NESTED | ALD_IS_LINEAR,                                    \
    .shares_products = 1, .own_rule = ALD_ALL_THERE_ARE, .turning = ALD_TURNED_ROWS,                         \
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS | ALD_BY_TARGET, .inverse = ALD_INVERTS_SCATTER, .scale_free = 1

/* What the cost of a route depends on. */
typedef struct ald_pencil_sizes {
    double rows, cols, entries, k, ridge;
    int dense;
} ald_pencil_sizes;
/* What solver=auto chooses for these sizes and why, in a sentence. For ald_pencil_fit and its test. */
ald_pencil_solver ald_pencil_auto(const ald_pencil_sizes *sizes, char *reason, size_t reason_size);

/* solver, ridge, ridge_rel, tol and max_iter. A method whose ridge is added to another multiple of Z'Z, or
 * has another default, has an entry of its own of that name. */
extern const ald_param *const ald_pencil_params[];

/* The generalized eigenproblem of two dense symmetric matrices, B positive semidefinite (generalized.c):
 *
 *   A w = lambda (B + rho I) w,     W'(B + rho I) W = I,     rho = ridge + ridge_rel lambda_1(B)
 *
 * for the r largest lambda, of any sign. Where A = Z'H H'Z and B = Z'Z, the pencil above needs no square of
 * that order. */
typedef struct ald_generalized {
    int64_t k, r;            /* order; eigenpairs wanted, at most k */
    double *a;               /* k x k, both triangles; destroyed */
    double *b;               /* the same; NULL: the identity, without a ridge */
    double ridge, ridge_rel; /* both >= 0 */
    const char *singular;    /* the message where B + rho I is singular */
    /* Results, in scratch. */
    double rho;
    double *values; /* r, descending */
    double *w;      /* k x r */
} ald_generalized;

ald_status ald_generalized_solve(ald_run *run, ald_generalized *g);

#endif
