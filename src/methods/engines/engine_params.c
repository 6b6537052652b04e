/* The parameters that several engines share: a ridge, and the settings of Lanczos with its report. */
#include "methods/engines/engine_params.h"

#include "base/core/model.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"

const ald_param ald_covariance_ridge_param =
    ALD_RIDGE_PARAM("0", 0, "added to the diagonal of the covariance of X");

const ald_param ald_ridge_rel_param =
    ALD_RIDGE_REL_PARAM("0", "the same as a part of its largest eigenvalue; the two are added");

const ald_param ald_lanczos_tol_param =
    ALD_TOL_PARAM("1e-09", 1e-15, "lanczos: residual of each direction, as a part of its eigenvalue");
const ald_param ald_lanczos_max_iter_param =
    ALD_MAX_ITER_PARAM("1000", "lanczos: at most this many block steps");

const ald_param ald_iterated_power_param = ALD_INT_PARAM(
    "iterated_power", "7", 0, 1000, "randomized: powers of the scatter that sharpen the sample; a pass each");
const ald_param ald_oversamples_param =
    ALD_INT_PARAM("n_oversamples", "10", 0, 1e6, "randomized: columns of the sample beyond the components");

void ald_lanczos_set(const ald_run *run, int64_t width, ald_lanczos *task)
{
    task->tol = ald_setting_real(run, &ald_lanczos_tol_param);
    task->max_products = ald_setting_int(run, &ald_lanczos_max_iter_param) * width;
    task->seed = ald_seed(run);
    if (!task->randomized) return;
    task->power = ald_setting_int(run, &ald_iterated_power_param);
    task->oversamples = ald_setting_int(run, &ald_oversamples_param);
}

ald_status ald_lanczos_report(ald_run *run, const ald_lanczos *task, ald_model *model)
{
    if (!task->converged)
        ald_warn(run, ALD_NOT_CONVERGED,
                 "lanczos stopped after %lld products with a residual of %.1e of the largest eigenvalue (tol "
                 "%.1e): raise `max_iter`",
                 (long long)task->products, task->residual, task->tol);
    if (!model) return ALD_OK;
    ALD_TRY(
        ald_model_set_printed(run, model, "alidade.resolved.products", "%lld", (long long)task->products));
    if (task->randomized)
        ALD_TRY(ald_model_set_real(run, model, "alidade.resolved.error_estimate", task->error));
    return ald_model_set_real(run, model, "alidade.resolved.residual", task->residual);
}

/* The parameters of kernel methods. */

static const ald_param kernel_param = ALD_CHOICE_PARAM(
    "kernel", "rbf", ald_kernel_names, "similarity of rows; precomputed: X is the kernel matrix itself",
    .traits = ALD_PARAM_IS_KERNEL);
static const ald_param kernel_width_param =
    ALD_REAL_PARAM("kernel_width", "0", 0, ALD_NO_LIMIT,
                   "rbf, laplacian: width s in the units of X; 0: the median distance of rows",
                   .grid = "0.5,1,2", .grid_when = "kernel=rbf", .simpler = ALD_SIMPLER_LARGER,
                   .traits = ALD_PARAM_IS_KERNEL_WIDTH | ALD_PARAM_ZERO_IS_AUTO | ALD_PARAM_GRID_IS_RELATIVE);
static const ald_param degree_param = ALD_INT_PARAM("degree", "3", 1, 100, "polynomial: the power");
static const ald_param coef0_param = ALD_REAL_PARAM(
    "coef0", "1", 0, ALD_NO_LIMIT, "polynomial: the constant that is added before the power is taken");
static const ald_param landmarks_param = ALD_INT_PARAM(
    "landmarks", "0", 0, 1e9, "compare rows with this many landmarks only, for many rows; 0: with all",
    .traits = ALD_PARAM_IS_LANDMARKS);
static const ald_param landmark_choice_param =
    ALD_CHOICE_PARAM("landmark_choice", "uniform", ald_landmark_choices,
                     "landmarks: rows drawn, centres of groups, or rows drawn by leverage");
static const ald_param features_param = ALD_INT_PARAM(
    "features", "0", 0, 1e9, "rbf, laplacian: this many random features instead of the kernel; 0: none");

const ald_param *const ald_kernel_params[] = {
    &kernel_param,    &kernel_width_param,    &degree_param, &coef0_param,
    &landmarks_param, &landmark_choice_param, NULL,
};
const ald_param *const ald_features_params[] = {
    &features_param,
    NULL,
};

ald_kernel_settings ald_kernel_settings_of(const ald_run *run)
{
    const int has_features = ald_settings_has(run->settings, &features_param);
    return (ald_kernel_settings){
        .kernel = ald_setting_choice(run, &kernel_param),
        .name = ald_setting_text(run, &kernel_param),
        .width = ald_setting_real(run, &kernel_width_param),
        .coef0 = ald_setting_real(run, &coef0_param),
        .degree = ald_setting_int(run, &degree_param),
        .landmarks = ald_setting_int(run, &landmarks_param),
        .choice = (ald_landmark_choice)ald_setting_choice(run, &landmark_choice_param),
        .features = has_features ? ald_setting_int(run, &features_param) : 0,
    };
}

int ald_kernel_is_approximate(const ald_kernel_settings *settings)
{
    return settings->landmarks > 0 || settings->features > 0;
}
