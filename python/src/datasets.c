#include "datasets.h"

#include "functions.h"
#include "models.h"

#include <string.h>

typedef struct core_dataset {
    PyObject_HEAD ald_dataset *data;
    core_inputs *inputs; /* NULL: the dataset has its own copy of everything */
} core_dataset;

static void drop_inputs(core_inputs *inputs)
{
    if (inputs) core_inputs_drop(inputs);
    PyMem_Free(inputs);
}

static void dataset_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ald_dataset_free(((core_dataset *)self)->data);
    drop_inputs(((core_dataset *)self)->inputs);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot dataset_slots[] = {
    {Py_tp_dealloc, dataset_dealloc},
    {Py_tp_doc, "Rows with their target, as the library reads them. Use alidade.read_table."},
    {0, NULL},
};

PyType_Spec core_dataset_spec = {
    .name = "alidade._core.Dataset",
    .basicsize = sizeof(core_dataset),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = dataset_slots,
};

PyObject *core_dataset_wrap(core_state *state, ald_dataset *dataset, core_inputs *inputs)
{
    core_dataset *made = PyObject_New(core_dataset, state->dataset_type);
    if (!made) {
        ald_dataset_free(dataset);
        drop_inputs(inputs);
        return NULL;
    }
    made->data = dataset;
    made->inputs = inputs;
    return (PyObject *)made;
}

const ald_dataset *core_dataset_of(const core_state *state, PyObject *object)
{
    if (PyObject_TypeCheck(object, state->dataset_type)) return ((core_dataset *)object)->data;
    PyErr_SetString(PyExc_TypeError, "a table of alidade is wanted");
    return NULL;
}

#define TEXT(member) CORE_FIELD(ald_load_options, CORE_TEXT, member)
#define FLAG(member) CORE_FIELD(ald_load_options, CORE_INT, member)
const core_field core_load_fields[] = {
    TEXT(format),
    TEXT(delimiter),
    TEXT(header),
    TEXT(comment),
    TEXT(target),
    TEXT(event),
    TEXT(target_file),
    TEXT(graph_file),
    TEXT(distances_file),
    TEXT(response_kernel_file),
    TEXT(start_file),
    TEXT(unlabelled_file),
    TEXT(x_variable),
    TEXT(y_variable),
    TEXT(task),
    TEXT(weights),
    TEXT(ignore),
    TEXT(categorical),
    TEXT(encode),
    TEXT(missing),
    TEXT(groups),
    TEXT(split),
    TEXT(split_file),
    TEXT(unlabelled_rows),
    TEXT(id),
    TEXT(hdf5),
    TEXT(unseen),
    TEXT(keep),
    TEXT(decimal),
    TEXT(na),
    TEXT(dates),
    TEXT(thousands),
    TEXT(keep_rows),
    TEXT(sheet),
    CORE_FIELD(ald_load_options, CORE_INT64, skip),
    CORE_FIELD(ald_load_options, CORE_INT64, max_columns),
    CORE_FIELD(ald_load_options, CORE_INT64, max_line),

    FLAG(prefer_real),
    FLAG(keep_missing),
    FLAG(keep_zeros),
    FLAG(no_target),
    FLAG(with_weights),
    FLAG(new_classes),
    FLAG(transpose),
    CORE_FIELD(ald_load_options, CORE_INT64, block_bytes),
    {0},
};

int core_load_options(const core_state *state, PyObject *dict, PyObject *like, ald_load_options *options)
{
    *options = (ald_load_options)ALD_LOAD_OPTIONS_INIT;
    options->hdf5 = "child";
    if (like != Py_None && !(options->like = core_model_of(state, like))) return -1;
    return core_record_fill(dict, core_load_fields, options);
}
