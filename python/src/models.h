/* Model: an object that owns a model of the library, which never changes and is shared between threads. */
#ifndef ALIDADE_PYTHON_MODELS_H
#define ALIDADE_PYTHON_MODELS_H

#include "core.h"

extern PyType_Spec core_model_spec;
/* Takes the model over, also on failure. */
PyObject *core_model_wrap(core_state *state, ald_model *model);
/* The model of an object; NULL with a TypeError where it is none. */
const ald_model *core_model_of(const core_state *state, PyObject *object);

#endif
