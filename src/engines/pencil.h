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
    double *h; /* n x k, rows times the roots of the weights; NULL: one entry per row, as indicators have */
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
    {                                                                                                                  \
        .name = "solver",                                                                                              \
        .type = ALD_PARAM_CHOICE,                                                                                      \
        .initial = "auto",                                                                                             \
        .choices = ald_pencil_solvers,                                                                                 \
        .help = "how: by X'X, by X X', or by LSQR and a small eigenproblem (two-stage)",                               \
        .traits = ALD_PARAM_IS_SOLVER,                                                                                 \
    },                                                                                                                 \
        {                                                                                                              \
            .name = "ridge",                                                                                           \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "0",                                                                                            \
            .min = 0,                                                                                                  \
            .max = ALD_NO_LIMIT,                                                                                       \
            .help = "added to the diagonal of " what,                                                                  \
            .simpler = ALD_SIMPLER_LARGER,                                                                             \
            .traits = ALD_PARAM_IS_RIDGE,                                                                              \
        },                                                                                                             \
        {                                                                                                              \
            .name = "ridge_rel",                                                                                       \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = relative,                                                                                       \
            .min = 0,                                                                                                  \
            .max = ALD_NO_LIMIT,                                                                                       \
            .help = "the same as a part of its largest eigenvalue; both add",                                          \
            .grid = "0,log:1e-4:1:5",                                                                                  \
            .simpler = ALD_SIMPLER_LARGER,                                                                             \
            .traits = ALD_PARAM_IS_RIDGE_REL,                                                                          \
        },                                                                                                             \
        {                                                                                                              \
            .name = "tol",                                                                                             \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "1e-06",                                                                                        \
            .min = 1e-16,                                                                                              \
            .max = 1,                                                                                                  \
            .help = "two-stage: tolerance of LSQR",                                                                    \
        },                                                                                                             \
    {                                                                                                                  \
        .name = "max_iter", .type = ALD_PARAM_INT, .initial = "10000", .min = 1, .max = 1e9,                           \
        .help = "two-stage: at most this many iterations of LSQR",                                                     \
    }

/* Adds components and eigenvalues to the model. */
ald_status ald_pencil_fit(ald_run *run, const ald_problem *problem, const ald_pencil *pencil, ald_model *model);

/* What solver=auto takes for these sizes and why, in a sentence. For ald_pencil_fit and its test. */
const char *ald_pencil_auto(double rows, double cols, double entries, int dense, double k, double ridge, char *reason,
                            size_t reason_size);

#endif
