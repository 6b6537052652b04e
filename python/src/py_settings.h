/* Parameters from a dict. */
#ifndef ALIDADE_PYTHON_SETTINGS_H
#define ALIDADE_PYTHON_SETTINGS_H

#include "core.h"

/* Settings of `method` with the values of `parameters`: str, bool, int, float, or a list of int where the
 * parameter takes one for each component; NULL with an exception. */
ald_settings *core_settings_new(core_state *state, const char *method, PyObject *parameters);
/* The same for a fit, with the predictor that the library chooses for such a target where `parameters` has
 * none. `stream`: rows are read in blocks. */
ald_settings *core_settings_for(core_state *state, const char *method, PyObject *parameters,
                                const ald_target *y, int stream);

#endif
