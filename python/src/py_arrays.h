/* What a model shows as read-only buffers, without a copy.
 * Array: one of its arrays; it keeps the model alive, and numpy.asarray makes an array of it.
 * Bytes (bytes.c): the bytes of its file, as the library made them. */
#ifndef ALIDADE_PYTHON_ARRAYS_H
#define ALIDADE_PYTHON_ARRAYS_H

#include "core.h"

extern PyType_Spec core_array_spec, core_bytes_spec;
/* The array of that name of the model that `owner` is, or None. */
PyObject *core_array_of(core_state *state, PyObject *owner, const ald_model *model, const char *name);
/* The bytes of the model; NULL with an exception. */
PyObject *core_bytes_of(core_state *state, const ald_model *model);

#endif
