/* The mathematics of sdpp from pairs to W, for any rows Z: those of X (sdpp) or of a kernel's coordinates (ksdpp). */
#ifndef ALD_SDPP_SDPP_SOLVE_H
#define ALD_SDPP_SDPP_SOLVE_H

#include "sdpp/sdpp_pairs.h"

typedef struct ald_sdpp_result {
    int64_t r;
    double *w;       /* Z's columns x r: U S of its SVD, in scratch */
    double *lengths; /* r: the eigenvalues of W W' */
} ald_sdpp_result;

/* Reads the settings of ALD_SDPP_PARAMS_OF and, where there, ALD_SDPP_PENALTY_PARAMS; the model records solver,
 * iterations, objective and certificate. */
ald_status ald_sdpp_solve(ald_run *run, const ald_problem *problem, const ald_operator *z, const ald_sdpp_pairs *pairs,
                          ald_model *model, ald_sdpp_result *out);

extern const char *const ald_sdpp_solvers[], *const ald_sdpp_penalties[], *const ald_sdpp_divergences[];

/* `rows`: what Z has the rows of, in words. Penalties are of columns that mean something by themselves. */
#define ALD_SDPP_PARAMS_OF(rows)                                                                                       \
    {                                                                                                                  \
        .name = "solver",                                                                                              \
        .type = ALD_PARAM_CHOICE,                                                                                      \
        .initial = "auto",                                                                                             \
        .choices = ald_sdpp_solvers,                                                                                   \
        .help = "how: conjugate gradient over W, or the convex problem over W W' by an interior point, a first-order " \
                "method or "                                                                                           \
                "DSDP; auto: both where it can be afforded",                                                           \
        .traits = ALD_PARAM_IS_SOLVER,                                                                                 \
    },                                                                                                                 \
        {                                                                                                              \
            .name = "n_starts",                                                                                        \
            .type = ALD_PARAM_INT,                                                                                     \
            .initial = "6",                                                                                            \
            .min = 1,                                                                                                  \
            .max = 10000,                                                                                              \
            .help = "cg: starts, of which the lowest J wins",                                                          \
        },                                                                                                             \
        {                                                                                                              \
            .name = "max_iter",                                                                                        \
            .type = ALD_PARAM_INT,                                                                                     \
            .initial = "1000",                                                                                         \
            .min = 1,                                                                                                  \
            .max = 1e9,                                                                                                \
            .help = "at most this many iterations, of each start",                                                     \
        },                                                                                                             \
        {                                                                                                              \
            .name = "tol",                                                                                             \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "1e-08",                                                                                        \
            .min = 1e-15,                                                                                              \
            .max = 1,                                                                                                  \
            .help = "cg: size of the gradient to stop at, against that near 0",                                        \
        },                                                                                                             \
        {                                                                                                              \
            .name = "pca_dims",                                                                                        \
            .type = ALD_PARAM_INT,                                                                                     \
            .initial = "0",                                                                                            \
            .min = 0,                                                                                                  \
            .max = 1e9,                                                                                                \
            .help = "use only this many principal components of " rows "; 0: all of " rows,                            \
            .simpler = ALD_SIMPLER_SMALLER,                                                                            \
            .traits = ALD_PARAM_ZERO_IS_AUTO,                                                                          \
        },                                                                                                             \
        {                                                                                                              \
            .name = "ridge",                                                                                           \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "0",                                                                                            \
            .min = 0,                                                                                                  \
            .max = ALD_NO_LIMIT,                                                                                       \
            .help = "J gains ridge |W|^2",                                                                             \
            .simpler = ALD_SIMPLER_LARGER,                                                                             \
            .traits = ALD_PARAM_IS_RIDGE,                                                                              \
        },                                                                                                             \
        {                                                                                                              \
            .name = "ridge_rel",                                                                                       \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "0",                                                                                            \
            .min = 0,                                                                                                  \
            .max = ALD_NO_LIMIT,                                                                                       \
            .help = "the same as a part of the ridge at which W is 0; both add",                                       \
            .grid = "0,log:1e-4:1:5",                                                                                  \
            .simpler = ALD_SIMPLER_LARGER,                                                                             \
            .traits = ALD_PARAM_IS_RIDGE_REL,                                                                          \
        },                                                                                                             \
        {                                                                                                              \
            .name = "early_stopping",                                                                                  \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "0",                                                                                            \
            .min = 0,                                                                                                  \
            .max = 0.9,                                                                                                \
            .help = "cg: keep this part of the rows out and stop when the J of their pairs no longer falls",           \
        },                                                                                                             \
        {                                                                                                              \
            .name = "repulsion",                                                                                       \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "0",                                                                                            \
            .min = 0,                                                                                                  \
            .max = ALD_NO_LIMIT,                                                                                       \
            .help = "reward for the variance of the projection",                                                       \
        },                                                                                                             \
        {                                                                                                              \
            .name = "manifold",                                                                                        \
            .type = ALD_PARAM_REAL,                                                                                    \
            .initial = "0",                                                                                            \
            .min = 0,                                                                                                  \
            .max = ALD_NO_LIMIT,                                                                                       \
            .help = "penalty on differences between near rows, with a target or without",                              \
        },                                                                                                             \
    {                                                                                                                  \
        .name = "divergence", .type = ALD_PARAM_CHOICE, .initial = "squared", .choices = ald_sdpp_divergences,         \
        .help = "what is summed over the pairs",                                                                       \
    }
#define ALD_SDPP_PENALTY_PARAMS                                                                                        \
    {                                                                                                                  \
        .name = "penalty",                                                                                             \
        .type = ALD_PARAM_CHOICE,                                                                                      \
        .initial = "none",                                                                                             \
        .choices = ald_sdpp_penalties,                                                                                 \
        .help = "l1: on the entries of W; l21: on its rows, so that whole features drop out",                          \
    },                                                                                                                 \
    {                                                                                                                  \
        .name = "penalty_weight", .type = ALD_PARAM_REAL, .initial = "0.1", .min = 0, .max = ALD_NO_LIMIT,             \
        .help = "of the penalty: what it is at the unpenalised W, as a part of J(0)",                                  \
    }

#endif
