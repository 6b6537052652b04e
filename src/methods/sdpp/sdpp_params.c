/* The parameters of sdpp and ksdpp, and their values in one struct. */
#include "methods/sdpp/sdpp_params.h"

#include "base/settings/common_params.h"
#include "base/settings/settings.h"

static const char *const solvers[] = {"auto", "cg", "first-order", NULL};
static const char *const divergences[] = {"squared", "kl", "itakura-saito", NULL};
static const char *const penalties[] = {"none", "l1", "l21", NULL};
static const char *const response_kernels[] = {"linear", "rbf", NULL};
enum { response_linear, response_rbf };

static const ald_param solver_param = ALD_SOLVER_PARAM(
    solvers,
    "how W is found: by conjugate gradient, or as the convex problem over W W' by a first-order method; "
    "auto: both where that is affordable");
static const ald_param n_starts_param =
    ALD_INT_PARAM("n_starts", "6", 1, 10000, "cg: number of starts; the one with the lowest J is kept");
static const ald_param max_iter_param =
    ALD_MAX_ITER_PARAM("1000", "at most this many iterations, of each start");
static const ald_param tol_param = ALD_TOL_PARAM(
    "1e-08", 1e-15, "cg: stop when the gradient is this small, relative to its size near W = 0");
static const ald_param pca_dims_param =
    ALD_INT_PARAM("pca_dims", "0", 0, 1e9, "use only this many principal components of X; 0: all of X",
                  .simpler = ALD_SIMPLER_SMALLER, .traits = ALD_PARAM_ZERO_IS_AUTO);
static const ald_param ridge_param = ALD_RIDGE_PARAM(
    "0", 0, "penalty on the length of the directions: ridge |W|^2 is added to the criterion J");
static const ald_param ridge_rel_param = ALD_RIDGE_REL_PARAM_THAT(
    ALD_PARAM_CHOSEN_UNLESS_GIVEN, "0",
    "the same as a part of the ridge at which W is 0; the two are added. Not given, nor ridge, pca_dims, "
    "early_stopping, manifold or penalty: chosen where columns are 0.8 of the rows or more (sdpp)");
static const ald_param early_stopping_param = ALD_REAL_PARAM(
    "early_stopping", "0", 0, 0.9,
    "cg: leave this part of the rows out, and stop when their J no longer falls; 0: fit all rows");
static const ald_param repulsion_param =
    ALD_REAL_PARAM("repulsion", "0", 0, ALD_NO_LIMIT, "reward for the variance of the projection");
static const ald_param manifold_param =
    ALD_REAL_PARAM("manifold", "0", 0, ALD_NO_LIMIT,
                   "penalty on differences between neighbouring rows, with a target or without");
static const ald_param divergence_param =
    ALD_CHOICE_PARAM("divergence", "squared", divergences, "how the misfit of a pair is measured");
static const ald_param penalty_param =
    ALD_CHOICE_PARAM("penalty", "none", penalties,
                     "l1: single entries of W become 0; l21: whole rows of W, so that features drop out");
static const ald_param penalty_weight_param =
    ALD_REAL_PARAM("penalty_weight", "0.1", 0, ALD_NO_LIMIT,
                   "weight of the penalty: its value at the W without a penalty, as a part of J(0)");
static const ald_param response_kernel_param =
    ALD_CHOICE_PARAM("response_kernel", "linear", response_kernels,
                     "distances between targets: as they are, or as a kernel sees them");
static const ald_param response_width_param = ALD_REAL_PARAM(
    "response_width", "0", 0, ALD_NO_LIMIT, "rbf: width s in the units of the target; 0: the median distance",
    .simpler = ALD_SIMPLER_LARGER, .traits = ALD_PARAM_IS_RESPONSE_WIDTH | ALD_PARAM_ZERO_IS_AUTO);

const ald_param *const ald_sdpp_params[] = {
    &solver_param,    &n_starts_param, &max_iter_param,   &tol_param,
    &pca_dims_param,  &ridge_param,    &ridge_rel_param,  &early_stopping_param,
    &repulsion_param, &manifold_param, &divergence_param, NULL,
};
const ald_param *const ald_sdpp_penalty_params[] = {
    &penalty_param,
    &penalty_weight_param,
    NULL,
};
const ald_param *const ald_sdpp_response_params[] = {
    &response_kernel_param,
    &response_width_param,
    NULL,
};

/* Whether anything that keeps W small or smooth was given, be it 0. */
static int is_regularised(const ald_run *run, const ald_sdpp_settings *s)
{
    return ald_setting_given(run, &ridge_param) || ald_setting_given(run, &ridge_rel_param) ||
           ald_setting_given(run, &pca_dims_param) || ald_setting_given(run, &early_stopping_param) ||
           s->manifold > 0.0 || s->penalty != ALD_SDPP_NO_PENALTY;
}

/* What only some forms have. */
static void read_optional(const ald_run *run, ald_sdpp_settings *s)
{
    if (ald_settings_has(run->settings, &penalty_param)) {
        s->penalty = (ald_sdpp_penalty)ald_setting_choice(run, &penalty_param);
        s->penalty_weight = ald_setting_real(run, &penalty_weight_param);
        s->chooses_ridge = !is_regularised(run, s);
    }
    if (ald_settings_has(run->settings, &response_kernel_param)) {
        s->response_rbf = ald_setting_choice(run, &response_kernel_param) == response_rbf;
        s->response_width = ald_setting_real(run, &response_width_param);
    }
}

ald_sdpp_settings ald_sdpp_settings_of(const ald_run *run)
{
    ald_sdpp_settings s = {
        .solver = (ald_sdpp_solver)ald_setting_choice(run, &solver_param),
        .solver_name = ald_setting_text(run, &solver_param),
        .n_starts = ald_setting_int(run, &n_starts_param),
        .max_iter = ald_setting_int(run, &max_iter_param),
        .tol = ald_setting_real(run, &tol_param),
        .pca_dims = ald_setting_int(run, &pca_dims_param),
        .ridge = ald_setting_real(run, &ridge_param),
        .ridge_rel = ald_setting_real(run, &ridge_rel_param),
        .early_stopping = ald_setting_real(run, &early_stopping_param),
        .repulsion = ald_setting_real(run, &repulsion_param),
        .manifold = ald_setting_real(run, &manifold_param),
        .divergence = ald_divergence_find(ald_setting_text(run, &divergence_param)),
        .seed = ald_seed(run),
    };
    read_optional(run, &s);
    return s;
}
