/* ald_settings_new: the registry of methods and the settings meet here. */
#include "api/settings_new.h"

#include "api/method_params.h"
#include "core/context.h"
#include "core/given.h"
#include "core/method.h"
#include "core/settings.h"

static ald_status unknown_method(const char *name, ald_error *error)
{
    const char *nearest = ald_method_suggest(name);
    if (nearest)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "there is no method '%.60s'; the nearest is '%s'", name,
                        nearest);
    return ald_fail(error, ALD_ERROR_ARGUMENT,
                    "there is no method '%.60s'; `ald_method_at` lists the methods", name);
}

ald_status ald_settings_of_method(ald_context *context, const ald_method *method, ald_settings **settings,
                                  ald_error *error)
{
    const ald_param *params[ald_most_params];
    const int count = ald_method_params(method, params);
    return ald_settings_make(context, method, params, count, settings, error);
}

ald_status ald_settings_new(ald_context *context, const char *name, ald_settings **settings, ald_error *error)
{
    if (settings) *settings = NULL;
    ald_clear_error(error);
    ALD_GIVEN(error, context, name, settings);
    const ald_method *method = ald_method_find(name);
    if (!method) return unknown_method(name, error);
    return ald_settings_of_method(context, method, settings, error);
}
