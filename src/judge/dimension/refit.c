/* Settings for fitting again what was fitted: with another number of directions, and nothing but directions.
 */
#include "judge/dimension/dimension.h"

#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "methods/predict/predictor.h"

#include <stdio.h>
#include <string.h>

/* What only costs time in a fit that is compared and thrown away. */
static ald_status leave_out(ald_settings *settings, int64_t n_components, ald_error *error)
{
    ALD_TRY(ald_unset_predictor(settings, error));
    ALD_TRY(ald_set_keep_statistics(settings, 0, error));
    return ald_set_n_components(settings, n_components, error);
}

/* Values at their default are not set, as some methods choose by the data where nothing was given. */
static ald_status copy_values(const ald_model *model, ald_settings *to, ald_error *error)
{
    const ald_param *param;
    char key[128];
    for (int i = 0; (param = ald_method_param(ald_settings_method(to), i)) != NULL; i++) {
        snprintf(key, sizeof key, "alidade.param.%s", param->name);
        const char *value = ald_model_text(model, key);
        if (!value || strcmp(value, ald_settings_text(to, param->name)) == 0) continue;
        ALD_TRY(ald_settings_set_text(to, param->name, value, error));
    }
    return ALD_OK;
}

static ald_status finish(ald_status status, ald_settings **settings)
{
    if (status >= 0) return status;
    ald_settings_free(*settings);
    *settings = NULL;
    return status;
}

ald_status ald_refit_settings(ald_run *run, const ald_settings *from, int64_t n_components, ald_settings **to)
{
    ALD_TRY(ald_settings_clone(run, from, to, run->error));
    return finish(leave_out(*to, n_components, run->error), to);
}

ald_status ald_settings_of_model(ald_context *context, const ald_model *model, ald_settings **to,
                                 ald_error *error)
{
    ALD_TRY(ald_settings_new(context, ald_model_method(model), to, error));
    return finish(copy_values(model, *to, error), to);
}

ald_status ald_refit_model(ald_context *context, const ald_model *model, ald_settings **to, ald_error *error)
{
    ALD_TRY(ald_settings_of_model(context, model, to, error));
    return finish(leave_out(*to, ald_model_component_count(model), error), to);
}

int ald_ends_all(ald_status status)
{
    return status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED;
}
