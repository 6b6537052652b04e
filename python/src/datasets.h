/* Dataset: an object that owns a dataset of the library: rows of a file, of columns or of arrays. */
#ifndef ALIDADE_PYTHON_DATASETS_H
#define ALIDADE_PYTHON_DATASETS_H

#include "py_inputs.h"
#include "records.h"

extern PyType_Spec core_dataset_spec;
extern const core_field core_load_fields[];

/* Takes the dataset over, also on failure, and `inputs` (NULL: none), arrays that it looks into. */
PyObject *core_dataset_wrap(core_state *state, ald_dataset *dataset, core_inputs *inputs);
/* The dataset of an object; NULL with a TypeError where it is none. */
const ald_dataset *core_dataset_of(const core_state *state, PyObject *object);

/* Load options from a dict and a model (or None) that the rows are read like. */
int core_load_options(const core_state *state, PyObject *dict, PyObject *like, ald_load_options *options);

#endif
