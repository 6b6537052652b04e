/* Multi-label dimensionality reduction by dependence maximisation.
 *
 *   X'H L H X w = lambda B w,     H = I - 11'/n,
 *
 *   constraint=projection   B = I               W'W = I: the directions are orthogonal
 *   constraint=feature      B = X'X + ridge I   the scores are uncorrelated (without a ridge)
 *
 * L is a kernel of the labels (engines/response_kernel.h), Y Y' by default: then projection is plssb and
 * feature is opls. `eigenvalues` are the lambda.
 *
 * Cost: engines/spectral.h for projection, engines/pencil.h with a factor of L for feature.
 *
 * Edge cases: at most as many directions as the rank of the centred L.
 *
 * Reference: Zhang and Zhou (2010). */
#include "base/settings/settings.h"
#include "methods/engines/engine_params.h"
#include "methods/engines/pencil.h"
#include "methods/engines/response_kernel.h"
#include "methods/engines/spectral.h"

static const char *const constraints[] = {"projection", "feature", NULL};
enum { by_projection, by_feature };
static const char *const solvers[] = {"auto", "direct", "dual", NULL};

static const ald_param constraint_param = ALD_CHOICE_PARAM(
    "constraint", "projection", constraints, "what is orthonormal: the directions, or the scores");
static const ald_param solver_param =
    ALD_SOLVER_PARAM(solvers, "how: by X'X, or by the smaller dual problem");

/* What auto may take beside the square problems: LSQR for scores, Lanczos for directions. */
static const ald_param tol_param =
    ALD_TOL_PARAM("1e-06", 1e-16, "that of LSQR or Lanczos, which auto takes for large problems");
static const ald_param max_iter_param = ALD_MAX_ITER_PARAM("10000", "their iterations, at most");

static const char *const kernels[] = {"linear", "rbf", "polynomial", "identity", "given", NULL};
static const ald_param response_kernel_param = ALD_CHOICE_PARAM(
    "response_kernel", "linear", kernels,
    "similarity of the labels of rows; identity looks at none: pca; given: a matrix that comes with the rows",
    .traits = ALD_PARAM_IS_RESPONSE_KERNEL);

static const ald_param *const params[] = {
    &constraint_param, &solver_param, &response_kernel_param, &tol_param, &max_iter_param, NULL,
};

static ald_status mddm_fit(ald_run *run, const ald_problem *problem, ald_model *model)
{
    static const char limit[] = "the rank of the kernel of the labels, centred";
    const int feature = ald_setting_choice(run, &constraint_param) == by_feature;
    ald_response_kernel kernel = {.factored = 1};
    ALD_TRY(ald_response_kernel_named(run, problem, model,
                                      kernels[ald_setting_choice(run, &response_kernel_param)], &kernel));
    if (feature && kernel.identity)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`constraint=feature` with `response_kernel=identity` makes all directions alike: use "
            "`response_kernel=linear` or rbf, or `constraint=projection`");
    if (feature) {
        const ald_pencil pencil = {
            .h = kernel.f,
            .k = kernel.m,
            .ridge_unit = 1.0,
            .unit = 1.0,
            .limit = limit,
        };
        return ald_pencil_fit(run, problem, &pencil, model);
    }
    const int64_t of_x = problem->n - 1 < problem->d ? problem->n - 1 : problem->d,
                  most = !kernel.identity && kernel.m < of_x ? kernel.m : of_x;
    ald_spectral s = {.z = &problem->x, .identity = kernel.identity, .f = kernel.f, .m = kernel.m};
    s.r = problem->r > 0 && problem->r < most ? problem->r : most;
    ALD_TRY(ald_spectral_solve(run, &s, model));
    return ald_spectral_add(run, problem, &s, limit, model);
}

const ald_method ald_method_mddm = {
    .name = "mddm",
    .title = "Multi-label dimensionality reduction by dependence maximisation",
    .synonyms = "multilabel dimensionality reduction, dependence maximization",
    .summary = "Directions on which the projection depends most on the labels.",
    .reference = "Zhang and Zhou (2010)",
    .capabilities = ALD_CAN_LABELS | ALD_CAN_SPARSE | ALD_CAN_WEIGHTS | ALD_CAN_MAP_NEW_ROWS |
                    ALD_CAN_RESPONSE_KERNEL | ALD_IS_NESTED | ALD_IS_LINEAR,
    .own_rule = ALD_ALL_THERE_ARE,
    .bounds = ALD_BY_COLUMNS | ALD_BY_ROWS,
    .inverse = ALD_INVERTS_SCATTER,
    .turning = ALD_TURNED_ROWS,
    .tables = (const ald_param_table[]){params, ald_response_shape_params, ald_pencil_params, NULL},
    .fit = mddm_fit,
};
