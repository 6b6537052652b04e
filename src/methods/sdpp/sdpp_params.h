/* The parameters of sdpp and its kernel form, and their values. */
#ifndef ALD_SDPP_SDPP_PARAMS_H
#define ALD_SDPP_SDPP_PARAMS_H

#include "base/settings/method.h"
#include "math/optimize/divergence.h"

/* Enumerators in the order of the choices. */
typedef enum ald_sdpp_solver {
    ALD_SDPP_AUTO,
    ALD_SDPP_CG,
    ALD_SDPP_FIRST_ORDER,
} ald_sdpp_solver;
typedef enum ald_sdpp_penalty { ALD_SDPP_NO_PENALTY, ALD_SDPP_L1, ALD_SDPP_L21 } ald_sdpp_penalty;

typedef struct ald_sdpp_settings {
    ald_sdpp_solver solver;
    const char *solver_name; /* for messages */
    int64_t n_starts, max_iter;
    double tol;
    int64_t pca_dims; /* 0: all */
    double ridge, ridge_rel;
    double early_stopping; /* part of the rows kept out; 0: none */
    int chooses_ridge; /* where there are many columns: nothing was given that keeps W from fitting noise */
    double repulsion, manifold;
    const ald_divergence *divergence;
    ald_sdpp_penalty penalty; /* none where the method has no such parameter */
    double penalty_weight;
    int response_rbf; /* distances of targets are those of a kernel's feature space; not without that
                         parameter */
    double response_width;
    uint64_t seed;
} ald_sdpp_settings;

/* Asked for once per fit, and handed on. */
ald_sdpp_settings ald_sdpp_settings_of(const ald_run *run);

/* What every form of sdpp has; ald_graph_params come behind. */
extern const ald_param *const ald_sdpp_params[];
/* Penalties are of columns that mean something by themselves. */
extern const ald_param *const ald_sdpp_penalty_params[];
/* Distances of targets by a kernel. */
extern const ald_param *const ald_sdpp_response_params[];

#endif
