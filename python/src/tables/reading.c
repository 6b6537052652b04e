/* Datasets of files, of columns in memory, of arrays, and the synthetic ones. */
#include "calls.h"
#include "datasets.h"
#include "functions.h"

#include <string.h>

/* Ends the call and wraps what it made. */
static PyObject *end_reading(core_call *call, ald_dataset *dataset, ald_status status)
{
    if (core_call_end(call, status) == 0) return core_dataset_wrap(call->state, dataset, NULL);
    ald_dataset_free(dataset);
    return NULL;
}

static PyObject *load_path(core_state *state, const char *path, const ald_load_options *options, int threads,
                           PyObject *progress)
{
    core_call call;
    ald_dataset *dataset = NULL;
    if (core_call_begin(&call, state, threads, progress) < 0) return NULL;
    const ald_status status = ald_dataset_load(call.context, path, options, &dataset, &call.error);
    return end_reading(&call, dataset, status);
}

static PyObject *core_read_file(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *path, *dict, *like, *progress, *made = NULL;
    ald_load_options options;
    int threads;
    if (!PyArg_ParseTuple(args, "O&O!OiO:read_file", PyUnicode_FSConverter, &path, &PyDict_Type, &dict, &like,
                          &threads, &progress))
        return NULL;
    if (core_load_options(state, dict, like, &options) == 0)
        made = load_path(state, PyBytes_AsString(path), &options, threads, progress);
    Py_DECREF(path);
    return made;
}

/* One column: (name, numbers, None, None) or (name, None, texts, codes), and what is held of it. */
typedef struct column {
    Py_buffer numbers, codes;
    core_names levels;
} column;

/* A vector of this type and of this machine's byte order. */
static int is_vector(const Py_buffer *held, const char *letters)
{
    const char *format = held->format ? held->format : "B";
    if (*format == '@' || *format == '=') format++;
    const int whole = !held->strides || (held->strides[0] % held->itemsize == 0 && held->strides[0] != 0);
    return held->ndim == 1 && held->itemsize == 8 && format[0] && !format[1] && strchr(letters, *format) &&
           whole && (uintptr_t)held->buf % 8 == 0;
}

static int strided(const Py_buffer *held, ald_table_column *view)
{
    if (!is_vector(held, "d")) {
        PyErr_SetString(PyExc_TypeError, "a column of numbers is a vector of float64");
        return -1;
    }
    view->numbers = held->buf;
    view->stride = held->strides ? held->strides[0] / held->itemsize : 1;
    return 0;
}

static int take_numbers(PyObject *object, column *held, ald_table_column *view)
{
    if (PyObject_GetBuffer(object, &held->numbers, PyBUF_STRIDED_RO | PyBUF_FORMAT) < 0) return -1;
    return strided(&held->numbers, view);
}

static int take_texts(PyObject *levels, PyObject *codes, column *held, ald_table_column *view)
{
    if (core_names_take(levels, "texts", &held->levels) < 0 ||
        PyObject_GetBuffer(codes, &held->codes, PyBUF_ND | PyBUF_FORMAT) < 0)
        return -1;
    view->levels = held->levels.texts;
    view->n_levels = held->levels.count;
    view->codes = held->codes.buf;
    if (is_vector(&held->codes, "lq")) return 0;
    PyErr_SetString(PyExc_TypeError, "the codes of texts are a vector of int64");
    return -1;
}

static int take_column(PyObject *given, Py_ssize_t rows, column *held, ald_table_column *view)
{
    PyObject *numbers, *levels, *codes;
    *view = (ald_table_column)ALD_TABLE_COLUMN_INIT;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "a column is a tuple: name, numbers, texts, codes");
        return -1;
    }
    if (!PyArg_ParseTuple(given, "zOOO", &view->name, &numbers, &levels, &codes)) return -1;
    const int taken =
        numbers != Py_None ? take_numbers(numbers, held, view) : take_texts(levels, codes, held, view);
    if (taken < 0) return -1;
    const Py_buffer *vector = numbers != Py_None ? &held->numbers : &held->codes;
    if (vector->shape[0] == rows) return 0;
    PyErr_SetString(PyExc_ValueError, "all columns have as many cells as there are rows");
    return -1;
}

static void drop_columns(column *held, ald_table_column *views, Py_ssize_t count)
{
    for (Py_ssize_t j = 0; held && j < count; j++) {
        if (held[j].numbers.obj) PyBuffer_Release(&held[j].numbers);
        if (held[j].codes.obj) PyBuffer_Release(&held[j].codes);
        core_names_drop(&held[j].levels);
    }
    PyMem_Free(held);
    PyMem_Free(views);
}

static PyObject *from_columns(core_state *state, const ald_table_column *views, Py_ssize_t count,
                              Py_ssize_t rows, const ald_load_options *options)
{
    core_call call;
    ald_dataset *dataset = NULL;
    if (core_call_begin(&call, state, 1, Py_None) < 0) return NULL;
    const ald_status status =
        ald_dataset_from_columns(call.context, views, count, rows, options, &dataset, &call.error);
    return end_reading(&call, dataset, status);
}

/* The tuple of columns is kept by the caller, and with it the names. */
static PyObject *take_and_read(core_state *state, PyObject *columns, Py_ssize_t rows,
                               const ald_load_options *options)
{
    const Py_ssize_t count = PyTuple_Size(columns);
    column *held = PyMem_Calloc((size_t)count + 1, sizeof *held);
    ald_table_column *views = PyMem_Calloc((size_t)count + 1, sizeof *views);
    PyObject *made = NULL;
    Py_ssize_t taken = 0;
    if (!held || !views) PyErr_NoMemory();
    while (held && views && taken < count &&
           take_column(PyTuple_GetItem(columns, taken), rows, &held[taken], &views[taken]) == 0)
        taken++;
    if (held && views && taken == count) made = from_columns(state, views, count, rows, options);
    drop_columns(held, views, count);
    return made;
}

static PyObject *core_read_columns(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *columns, *dict, *like;
    Py_ssize_t rows;
    ald_load_options options;
    if (!PyArg_ParseTuple(args, "O!nO!O:read_columns", &PyTuple_Type, &columns, &rows, &PyDict_Type, &dict,
                          &like) ||
        core_load_options(state, dict, like, &options) < 0)
        return NULL;
    return take_and_read(state, columns, rows, &options);
}

static PyObject *core_read_inputs(PyObject *module, PyObject *dict)
{
    core_state *state = core_state_of(module);
    core_inputs *inputs = PyMem_Calloc(1, sizeof *inputs);
    ald_dataset *dataset = NULL;
    ald_error error;
    ald_context *context = core_context(state, 1);
    if (!inputs || !context || !PyDict_Check(dict)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a dict of arrays is wanted");
        PyMem_Free(inputs);
        return NULL;
    }
    if (core_inputs_take(dict, inputs) == 0) {
        const ald_status status = ald_dataset_from_arrays(context, &inputs->view, 0, &dataset, &error);
        if (status >= 0) return core_dataset_wrap(state, dataset, inputs);
        core_raise(&error, status);
    }
    core_inputs_drop(inputs);
    PyMem_Free(inputs);
    return NULL;
}

static const core_field generate_fields[] = {
    CORE_FIELD(ald_generate_options, CORE_INT64, n),
    CORE_FIELD(ald_generate_options, CORE_INT64, d),
    CORE_FIELD(ald_generate_options, CORE_UINT64, seed),
    CORE_FIELD(ald_generate_options, CORE_REAL, noise),
    CORE_FIELD(ald_generate_options, CORE_REAL, radius),
    CORE_FIELD(ald_generate_options, CORE_REAL, eyes),
    {0},
};

static PyObject *core_generate(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *dict;
    core_call call;
    ald_dataset *dataset = NULL;
    ald_generate_options options = ALD_GENERATE_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "sO!:generate", &name, &PyDict_Type, &dict) ||
        core_record_fill(dict, generate_fields, &options) < 0 ||
        core_call_begin(&call, core_state_of(module), 1, Py_None) < 0)
        return NULL;
    const ald_status status = ald_generate_dataset(call.context, name, &options, &dataset, &call.error);
    return end_reading(&call, dataset, status);
}

static PyObject *core_generators(PyObject *module, PyObject *unused)
{
    PyObject *names = PyDict_New();
    const char *name, *summary;
    (void)module;
    (void)unused;
    for (int i = 0; names && ald_generator_at(i, &name, &summary); i++) {
        PyObject *text = PyUnicode_FromString(summary);
        if (!text || PyDict_SetItemString(names, name, text) < 0) Py_CLEAR(names);
        Py_XDECREF(text);
    }
    return names;
}

PyMethodDef core_reading_functions[] = {
    {"read_file", core_read_file, METH_VARARGS,
     "read_file(path, options, like, threads, progress) -> Dataset"},
    {"read_columns", core_read_columns, METH_VARARGS,
     "read_columns(columns, rows, options, like) -> Dataset, of (name, numbers, texts, codes) each"},
    {"read_inputs", core_read_inputs, METH_O, "read_inputs(inputs) -> Dataset, which looks into the arrays"},
    {"generate", core_generate, METH_VARARGS, "generate(name, options) -> Dataset"},
    {"generators", core_generators, METH_NOARGS, "generators(): names of synthetic sets and what they are"},
    {NULL, NULL, 0, NULL},
};
