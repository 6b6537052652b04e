#include "api/refit.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

/* What only costs time in a fit that is compared and thrown away. */
static const struct {
    const char *name, *value;
} without[] = {{"predictor", "none"}, {"keep_statistics", "0"}};

/* A value as from the model or from settings; those at their default are not set, as some methods choose by the data
 * where nothing was given. */
static ald_status set_value(ald_settings *to, const ald_param *param, const char *value, ald_error *error)
{
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (strcmp(param->name, without[i].name) == 0) value = without[i].value;
    if (!value || strcmp(value, ald_settings_text(to, param->name)) == 0) return ALD_OK;
    return ald_settings_set_text(to, param->name, value, error);
}

static ald_status copy_values(const ald_settings *from, const ald_model *model, ald_settings *to, ald_error *error)
{
    const ald_param *param;
    char key[128];
    for (int i = 0; (param = ald_method_param(ald_settings_method(to), i)) != NULL; i++) {
        snprintf(key, sizeof key, "alidade.param.%s", param->name);
        const char *value = from ? ald_settings_text(from, param->name) : ald_model_text(model, key);
        ALD_TRY(set_value(to, param, value, error));
    }
    return ALD_OK;
}

static ald_status make(ald_context *context, const char *method, const ald_settings *from, const ald_model *model,
                       int64_t n_components, ald_settings **to, ald_error *error)
{
    ALD_TRY(ald_settings_new(context, method, to, error));
    ald_status status = copy_values(from, model, *to, error);
    if (status >= 0) status = ald_settings_set_int(*to, "n_components", n_components, error);
    if (status >= 0) return status;
    ald_settings_free(*to);
    *to = NULL;
    return status;
}

ald_status ald_refit_settings(ald_context *context, const ald_settings *from, int64_t n_components, ald_settings **to,
                              ald_error *error)
{
    return make(context, ald_method_name(ald_settings_method(from)), from, NULL, n_components, to, error);
}

ald_status ald_refit_model(ald_context *context, const ald_model *model, ald_settings **to, ald_error *error)
{
    return make(context, ald_model_method(model), NULL, model, ald_model_components(model), to, error);
}
