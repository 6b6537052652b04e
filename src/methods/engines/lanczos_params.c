#include "methods/engines/lanczos_params.h"

#include "base/settings/common_params.h"
#include "base/settings/settings.h"

const ald_param ald_lanczos_tol_param = {
    .name = "tol",
    .type = ALD_PARAM_REAL,
    .initial = "1e-09",
    .min = 1e-15,
    .max = 1,
    .help = "lanczos: residual of each direction, as a part of its eigenvalue",
};
const ald_param ald_lanczos_max_iter_param = {
    .name = "max_iter",
    .type = ALD_PARAM_INT,
    .initial = "1000",
    .min = 1,
    .max = 1e9,
    .help = "lanczos: at most this many block steps",
    .traits = ALD_PARAM_IS_ITERATIONS,
};

void ald_lanczos_set(const ald_run *run, int64_t width, ald_lanczos *task)
{
    task->tol = ald_setting_real(run, &ald_lanczos_tol_param);
    task->max_products = ald_setting_int(run, &ald_lanczos_max_iter_param) * width;
    task->seed = ald_seed(run);
}
