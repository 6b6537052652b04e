/* What a fit is given, from a dict: x, kind, y, n_classes, labelled, weights, names, graph, target_distances,
 * response_kernel, start, feature_names, row_names, target_name. Keys that are absent or None are not
 * given. */
#ifndef ALIDADE_PYTHON_INPUTS_H
#define ALIDADE_PYTHON_INPUTS_H

#include "buffers.h"

typedef struct core_inputs {
    core_matrix x;
    core_matrix values;
    core_matrix graph;
    core_matrix distances;
    core_matrix response_kernel;
    core_matrix start;
    Py_buffer classes;
    Py_buffer labelled;
    Py_buffer weights;
    core_names names;
    core_names feature_names;
    core_names row_names;
    PyObject *target_name;
    ald_target target;
    ald_inputs view; /* what the library is given; it points into this struct */
} core_inputs;

/* 0, or -1 with an exception; to be dropped in both cases. The struct may not be moved. */
int core_inputs_take(PyObject *dict, core_inputs *taken);
void core_inputs_drop(core_inputs *taken);

#endif
