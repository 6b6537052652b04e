#include "methods/kdr/kdr_params.h"

#include "base/settings/common_params.h"
#include "base/settings/settings.h"

static const ald_param kernel_width_param = {
    .name = "kernel_width",
    .type = ALD_PARAM_REAL,
    .initial = "0",
    .min = 0,
    .max = ALD_NO_LIMIT,
    .help = "width of the kernel on X (kdr: on the projection, at the end), in units of the prepared "
            "columns; 0: by the median distance",
    .simpler = ALD_SIMPLER_LARGER,
    .traits = ALD_PARAM_IS_KERNEL_WIDTH | ALD_PARAM_ZERO_IS_AUTO,
};
static const ald_param response_width_param = {
    .name = "response_width",
    .type = ALD_PARAM_REAL,
    .initial = "0",
    .min = 0,
    .max = ALD_NO_LIMIT,
    .help = "width of the kernel on the target, in its units; 0: by the median distance",
    .simpler = ALD_SIMPLER_LARGER,
    .traits = ALD_PARAM_IS_RESPONSE_WIDTH | ALD_PARAM_ZERO_IS_AUTO,
};
static const ald_param standardize_param = {
    .name = "standardize",
    .type = ALD_PARAM_BOOL,
    .initial = "1",
    .help = "divide the columns by their standard deviations first; has no effect when scale is given",
};

const ald_param *const ald_kdr_params[] = {
    &kernel_width_param,
    &response_width_param,
    &standardize_param,
    NULL,
};

ald_kdr_settings ald_kdr_settings_of(const ald_run *run)
{
    return (ald_kdr_settings){
        .kernel_width = ald_setting_real(run, &kernel_width_param),
        .response_width = ald_setting_real(run, &response_width_param),
        .standardize = ald_setting_flag(run, &standardize_param),
        .seed = ald_seed(run),
    };
}
