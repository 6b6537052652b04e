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

void ald_lanczos_set(const ald_run *run, int64_t width, ald_lanczos *task)
{
    task->tol = ald_setting_real(run, &ald_lanczos_tol_param);
    task->max_products = ald_setting_int(run, &ald_lanczos_max_iter_param) * width;
    task->seed = ald_seed(run);
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
    return ald_model_set_real(run, model, "alidade.resolved.residual", task->residual);
}
