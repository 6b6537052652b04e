/* The mathematics of sdpp from pairs to W, for any rows Z: those of X (sdpp) or of a kernel's coordinates (ksdpp). */
#ifndef ALD_SDPP_SDPP_SOLVE_H
#define ALD_SDPP_SDPP_SOLVE_H

#include "sdpp/sdpp_pairs.h"

typedef struct ald_sdpp_result {
    int64_t r;
    double *w;       /* Z's columns x r: U S of its SVD, in scratch */
    double *lengths; /* r: the eigenvalues of W W' */
} ald_sdpp_result;

/* Reads the settings of ALD_SDPP_PARAMS_OF and, where there, ALD_SDPP_PENALTY_PARAMS; the model is told solver,
 * iterations, objective, certificate and the like. */
ald_status ald_sdpp_solve(ald_run *run, const ald_problem *problem, const ald_operator *z, const ald_sdpp_pairs *pairs,
                          ald_model *model, ald_sdpp_result *out);

extern const char *const ald_sdpp_solvers[], *const ald_sdpp_penalties[], *const ald_sdpp_divergences[];

/* `rows`: what Z has the rows of, in words. Penalties are of columns that mean something by themselves. */
#define ALD_SDPP_PARAMS_OF(rows)                                                                                         \
    {"solver",                                                                                                           \
     ALD_PARAM_CHOICE,                                                                                                   \
     "auto",                                                                                                             \
     0,                                                                                                                  \
     0,                                                                                                                  \
     ald_sdpp_solvers,                                                                                                   \
     "how: conjugate gradient over W, or the convex problem over W W' by an interior point, a first-order method or "    \
     "DSDP; auto: both where it can be afforded"},                                                                       \
        {"n_starts", ALD_PARAM_INT, "6", 1, 10000, NULL, "cg: starts, of which the lowest J wins"},                      \
        {"max_iter", ALD_PARAM_INT, "1000", 1, 1e9, NULL, "iterations at the most, of each start"},                      \
        {"tol", ALD_PARAM_REAL, "1e-08", 1e-15, 1, NULL, "cg: size of the gradient to stop at, against that near 0"},    \
        {"pca_dims",                                                                                                     \
         ALD_PARAM_INT,                                                                                                  \
         "0",                                                                                                            \
         0,                                                                                                              \
         1e9,                                                                                                            \
         NULL,                                                                                                           \
         "use only this many principal components of " rows "; 0: all of " rows},                                        \
        {"ridge", ALD_PARAM_REAL, "0", 0, 1e300, NULL, "J gains ridge |W|^2"},                                           \
        {"ridge_rel", ALD_PARAM_REAL, "0", 0, 1e300, NULL, "the same as a part of the ridge at which W is 0; both add"}, \
        {"early_stopping",                                                                                               \
         ALD_PARAM_REAL,                                                                                                 \
         "0",                                                                                                            \
         0,                                                                                                              \
         0.9,                                                                                                            \
         NULL,                                                                                                           \
         "cg: keep this part of the rows out and stop when the J of their pairs no longer falls"},                       \
        {"repulsion", ALD_PARAM_REAL, "0", 0, 1e300, NULL, "reward for the variance of the projection"},                 \
        {"manifold",                                                                                                     \
         ALD_PARAM_REAL,                                                                                                 \
         "0",                                                                                                            \
         0,                                                                                                              \
         1e300,                                                                                                          \
         NULL,                                                                                                           \
         "penalty on differences between near rows, with a target or without"},                                          \
    {                                                                                                                    \
        "divergence", ALD_PARAM_CHOICE, "squared", 0, 0, ald_sdpp_divergences, "what is summed over the pairs"           \
    }
#define ALD_SDPP_PENALTY_PARAMS                                                                                        \
    {"penalty",                                                                                                        \
     ALD_PARAM_CHOICE,                                                                                                 \
     "none",                                                                                                           \
     0,                                                                                                                \
     0,                                                                                                                \
     ald_sdpp_penalties,                                                                                               \
     "l1: on the entries of W; l21: on its rows, so that whole features drop out"},                                    \
    {                                                                                                                  \
        "penalty_weight", ALD_PARAM_REAL, "0.1", 0, 1e300, NULL,                                                       \
            "of the penalty: what it is at the unpenalised W, as a part of J(0)"                                       \
    }

#endif
