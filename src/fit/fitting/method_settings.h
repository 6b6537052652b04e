/* Settings of a method that need not be in the registry: ald_settings_new behind the name. */
#ifndef ALD_FITTING_METHOD_SETTINGS_H
#define ALD_FITTING_METHOD_SETTINGS_H

#include "base/settings/method.h"

ald_status ald_settings_of_method(const ald_context *context, const ald_method *method,
                                  ald_settings **settings, ald_error *error);

/* All settings that the model was fitted with, as given ones. */
ald_status ald_settings_as_stored(const ald_context *context, const ald_model *model, ald_settings **settings,
                                  ald_error *error);

#endif
