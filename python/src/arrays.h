/* Array: a read-only buffer into a model, which it keeps alive. numpy.asarray makes an array of it without a
 * copy. */
#ifndef ALIDADE_PYTHON_ARRAYS_H
#define ALIDADE_PYTHON_ARRAYS_H

#include "core.h"

extern PyType_Spec core_array_spec;
/* The array of that name of the model that `owner` is, or None. */
PyObject *core_array_of(core_state *state, PyObject *owner, const ald_model *model, const char *name);

#endif
