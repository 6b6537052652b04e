/* A kernel on the targets as L = c I + F F', for the methods that seek dependence on it (supervised PCA).
 *
 *   linear           L = Y Y'                            F = Y centred (classes: dummies, labels: 0/1), m = q
 *   delta            L_ij = 1 if the classes are equal   F = dummies; linear on them, as X centres anyway
 *   delta+identity   the same with c = 1
 *   identity         L = I                               c = 1, no F: the target is not looked at
 *   rbf              L_ij = exp(-|y_i - y_j|^2 / (2 s^2))   s = response_width
 *   polynomial       L_ij = (y_i'y_j + response_coef0)^response_degree, Y not centred, classes 0/1
 *   given            L as the caller gave it, symmetric, F = U E^(1/2) of its eigenvalues above 1e-12 of the
 *                    first; 10 n^3. One below -1e-8 of the first is an error
 *   auto             delta+identity for classes, rbf for real responses, linear for several labels
 *
 * rbf and polynomial never form n x n. By incomplete Cholesky to 1e-12 of its trace where that needs few
 * columns (a few dozen for one response). Several responses may need thousands, and then L as it is, by
 * products with it from blocks of rows: n^2 (q + d) operations, up to n = 30000 and d = 2000 with a solver
 * that can (direct, auto). Beyond, Cholesky ends at 512 MB with a warning: with E = L - F F' left out,
 * eigenvalues of Z'L Z are short by at most tr(E) lambda_1(Z'Z).
 *
 * The rows of F are multiplied by the roots of the weights, so that whole-number weights are repeated rows
 * (for rbf at a given width: the median distance is that of the rows of positive weight, each counted
 * once). */
#ifndef ALD_ENGINES_RESPONSE_KERNEL_H
#define ALD_ENGINES_RESPONSE_KERNEL_H

#include "math/solvers/lanczos.h"
#include "methods/engines/problem.h"

typedef struct ald_response_kernel {
    int factored;     /* set by the caller: F is needed, products with L will not do */
    const char *name; /* what auto stood for */
    int identity;     /* c */
    double *f;        /* n x m in scratch, or NULL */
    int64_t m;
    ald_symmetric_fn multiply; /* products with L where there is no F (c = 0), or NULL */
    void *self;
} ald_response_kernel;

/* Reads response_kernel, response_width and random_state; tells the model what they came to. */
ald_status ald_response_kernel_make(ald_run *run, const ald_problem *problem, ald_model *model,
                                    ald_response_kernel *kernel);

/* The same for a method with its own list of kernels: `name` is one of those above, not auto. */
ald_status ald_response_kernel_named(ald_run *run, const ald_problem *problem, ald_model *model,
                                     const char *name, ald_response_kernel *kernel);

/* Whether sums over the rows serve: refuses rbf, also where auto stands for it, polynomial and given. */
ald_status ald_response_kernel_check_moments(ald_run *run, ald_target_kind kind);

/* What response_width = 0 stands for: the median distance of the rows of y (n x q) that have a target and
 * count. */
ald_status ald_response_median(ald_run *run, const ald_problem *problem, int64_t q, const double *y,
                               double *width);

/* response_kernel, and what shapes it; the latter alone. */
extern const ald_param *const ald_response_kernel_params[];
extern const ald_param *const ald_response_shape_params[];

#endif
