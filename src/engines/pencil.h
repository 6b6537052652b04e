/* The methods that are one generalized eigenproblem,
 *
 *   Z'H H'Z w = lambda (Z'Z + ridge I) w,     W'(Z'Z + ridge I) W = I,
 *
 * and differ in H (n x k) only. Solved in two stages (Sun, Ceran and Ye 2010): W1 = argmin |Z W1 - H|^2 + ridge |W1|^2,
 * which is the expensive one and is done directly, in the dual or by LSQR; then M = W1'Z'H = V L V' (k x k) and W = W1
 * V L^(-1/2), keeping L above 1e-10 of the first. All routes give the same W. An H with more columns than X is made
 * shorter first (shorten.h), so the second stage is of order min(k, d). */
#ifndef ALD_ENGINES_PENCIL_H
#define ALD_ENGINES_PENCIL_H

#include "engines/problem.h"

typedef struct ald_pencil {
    double *h; /* n x k, rows times the roots of the weights; NULL: one entry a row, as indicators have */
    const int32_t *column;
    const double *value; /* both n: see ald_columns */
    int64_t k;
    double ridge;      /* in Z'Z */
    double ridge_rel;  /* as a part of the largest eigenvalue of Z'Z, added */
    double unit;       /* W is multiplied by this: 1, or sqrt n where the definition divides by n */
    const char *limit; /* why there are no more directions than there are, for the message */
} ald_pencil;

extern const char *const ald_pencil_solvers[];

/* The parameters all of them have; `what` is the matrix that ridge is added to, `relative` the text of the default of
 * ridge_rel. */
#define ALD_PENCIL_PARAMS(what) ALD_PENCIL_PARAMS_RIDGE(what, "0")
#define ALD_PENCIL_PARAMS_RIDGE(what, relative)                                                                        \
    {"solver",                                                                                                         \
     ALD_PARAM_CHOICE,                                                                                                 \
     "auto",                                                                                                           \
     0,                                                                                                                \
     0,                                                                                                                \
     ald_pencil_solvers,                                                                                               \
     "how: by X'X, by X X', or by LSQR and a small eigenproblem (two-stage)"},                                         \
        {"ridge", ALD_PARAM_REAL, "0", 0, 1e300, NULL, "added to the diagonal of " what},                              \
        {"ridge_rel",                                                                                                  \
         ALD_PARAM_REAL,                                                                                               \
         relative,                                                                                                     \
         0,                                                                                                            \
         1e300,                                                                                                        \
         NULL,                                                                                                         \
         "the same as a part of its largest eigenvalue; both add"},                                                    \
        {"tol", ALD_PARAM_REAL, "1e-06", 1e-16, 1, NULL, "two-stage: tolerance of LSQR"},                              \
    {                                                                                                                  \
        "max_iter", ALD_PARAM_INT, "10000", 1, 1e9, NULL, "two-stage: iterations of LSQR at the most"                  \
    }

/* Adds components and eigenvalues to the model. */
ald_status ald_pencil_fit(ald_run *run, const ald_problem *problem, const ald_pencil *pencil, ald_model *model);

/* What solver=auto takes for these sizes and why, in a sentence. For ald_pencil_fit and its test. */
const char *ald_pencil_auto(double rows, double cols, double entries, int dense, double k, double ridge, char *reason,
                            size_t reason_size);

#endif
