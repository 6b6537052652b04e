/* Models as bytes and as files. */
#include "calls.h"
#include "functions.h"
#include "models.h"
#include "py_arrays.h"
#include "records.h"

static PyObject *core_to_buffer(PyObject *module, PyObject *object)
{
    core_state *state = core_state_of(module);
    const ald_model *model = core_model_of(state, object);
    return model ? core_bytes_of(state, model) : NULL;
}

static PyObject *core_to_bytes(PyObject *module, PyObject *object)
{
    PyObject *buffer = core_to_buffer(module, object);
    PyObject *bytes = buffer ? PyBytes_FromObject(buffer) : NULL;
    Py_XDECREF(buffer);
    return bytes;
}

static PyObject *read_bytes(core_state *state, const Py_buffer *bytes)
{
    core_call call;
    ald_model *model = NULL;
    if (core_call_begin(&call, state, 1, Py_None) < 0) return NULL;
    const ald_status status =
        ald_model_from_bytes(call.context, bytes->buf, (size_t)bytes->len, &model, &call.error);
    if (core_call_end(&call, status) == 0) return core_model_wrap(state, model);
    ald_model_free(model);
    return NULL;
}

static PyObject *core_from_bytes(PyObject *module, PyObject *object)
{
    Py_buffer bytes;
    if (PyObject_GetBuffer(object, &bytes, PyBUF_SIMPLE) < 0) return NULL;
    PyObject *model = read_bytes(core_state_of(module), &bytes);
    PyBuffer_Release(&bytes);
    return model;
}

static int save_to(core_state *state, const ald_model *model, const char *path)
{
    core_call call;
    if (core_call_begin(&call, state, 1, Py_None) < 0) return -1;
    return core_call_end(&call, ald_model_save(call.context, model, path, &call.error));
}

static PyObject *core_save(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *path;
    if (!PyArg_ParseTuple(args, "OO&:save", &object, PyUnicode_FSConverter, &path)) return NULL;
    const ald_model *model = core_model_of(state, object);
    const int done = model ? save_to(state, model, PyBytes_AsString(path)) : -1;
    Py_DECREF(path);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

static const core_field export_fields[] = {
    CORE_FIELD(ald_export_options, CORE_TEXT, format),
    CORE_FIELD(ald_export_options, CORE_TEXT, what),
    CORE_FIELD(ald_export_options, CORE_TEXT, inputs),
    CORE_FIELD(ald_export_options, CORE_TEXT, table),
    CORE_FIELD(ald_export_options, CORE_TEXT, keep),
    CORE_FIELD(ald_export_options, CORE_REAL, level),
    {0},
};

static int export_to(core_state *state, const ald_model *model, const char *path, PyObject *dict)
{
    ald_export_options options = ALD_EXPORT_OPTIONS_INIT;
    core_call call;
    if (core_record_fill(dict, export_fields, &options) < 0 || core_call_begin(&call, state, 1, Py_None) < 0)
        return -1;
    return core_call_end(&call, ald_model_export(call.context, model, path, &options, &call.error));
}

static PyObject *core_export(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *path, *dict;
    if (!PyArg_ParseTuple(args, "OO&O!:export", &object, PyUnicode_FSConverter, &path, &PyDict_Type, &dict))
        return NULL;
    const ald_model *model = core_model_of(state, object);
    const int done = model ? export_to(state, model, PyBytes_AsString(path), dict) : -1;
    Py_DECREF(path);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *core_load(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    core_call call;
    PyObject *path, *made = NULL;
    if (!PyArg_ParseTuple(args, "O&:load", PyUnicode_FSConverter, &path)) return NULL;
    if (core_call_begin(&call, state, 1, Py_None) == 0) {
        ald_model *model = NULL;
        const char *name = PyBytes_AsString(path);
        const ald_status status = ald_model_load(call.context, name, &model, &call.error);
        if (core_call_end(&call, status) == 0)
            made = core_model_wrap(state, model);
        else
            ald_model_free(model);
    }
    Py_DECREF(path);
    return made;
}

PyMethodDef core_files_functions[] = {
    {"to_buffer", core_to_buffer, METH_O, "to_buffer(model): the bytes of its file, as a buffer"},
    {"to_bytes", core_to_bytes, METH_O, "to_bytes(model): the bytes of its file"},
    {"from_bytes", core_from_bytes, METH_O, "from_bytes(bytes) -> Model"},
    {"save", core_save, METH_VARARGS, "save(model, path)"},
    {"export", core_export, METH_VARARGS, "export(model, path, options)"},
    {"load", core_load, METH_VARARGS, "load(path) -> Model"},
    {NULL, NULL, 0, NULL},
};
