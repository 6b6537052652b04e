/* Bytes: the bytes of a model as the library made them, a read-only buffer that is not copied once more. */
#ifndef ALIDADE_PYTHON_BYTES_H
#define ALIDADE_PYTHON_BYTES_H

#include "core.h"

extern PyType_Spec core_bytes_spec;
/* The bytes of the model; NULL with an exception. */
PyObject *core_bytes_of(core_state *state, const ald_model *model);

#endif
