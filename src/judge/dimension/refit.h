/* Settings for fitting again what was fitted: with another number of directions, and nothing but directions.
 */
#ifndef ALD_DIMENSION_REFIT_H
#define ALD_DIMENSION_REFIT_H

#include "base/core/run.h"

#include <alidade/model.h>

/* What a model says it was fitted with; values at their default are not set. */
ald_status ald_settings_of_model(ald_context *context, const ald_model *model, ald_settings **to,
                                 ald_error *error);
/* Those of `from`, without predictor and statistics; values at their default stay so. */
ald_status ald_refit_settings(ald_run *run, const ald_settings *from, int64_t n_components,
                              ald_settings **to);
/* The same of a model. */
ald_status ald_refit_model(ald_context *context, const ald_model *model, ald_settings **to, ald_error *error);

/* 1 for what must end everything, not only the fit that met it: no memory, a wish to stop. */
int ald_ends_all(ald_status status);

#endif
