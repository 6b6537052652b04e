#include "py_settings.h"

#include <string.h>

static ald_status set_text(ald_settings *settings, const char *name, PyObject *value, ald_error *error)
{
    const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
    return text ? ald_settings_set_text(settings, name, text, error) : ALD_ERROR_ARGUMENT;
}

static ald_status set_int(ald_settings *settings, const char *name, PyObject *value, ald_error *error)
{
    PyObject *index = PyNumber_Index(value);
    const long long number = index ? PyLong_AsLongLong(index) : -1;
    Py_XDECREF(index);
    if (number == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError))
            PyErr_Format(PyExc_ValueError, "`%s` is too large a number: %R", name, value);
        else if (PyErr_ExceptionMatches(PyExc_TypeError)) /* an array has more than one */
            PyErr_Format(PyExc_TypeError, "`%s` is a number, a word or a list, not %R", name, value);
        return ALD_ERROR_ARGUMENT;
    }
    return ald_settings_set_int(settings, name, number, error);
}

static ald_status set_real(ald_settings *settings, const char *name, PyObject *value, ald_error *error)
{
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "`%s` is a number or a word, not %R", name, value);
        return ALD_ERROR_ARGUMENT;
    }
    return ald_settings_set_real(settings, name, number, error);
}

/* Whether the parameter takes a list with a number for each component. */
static int takes_list(const char *method, const char *name)
{
    const ald_method *found = ald_method_find(method);
    for (int i = 0; found && ald_method_param(found, i); i++) {
        const ald_param *param = ald_method_param(found, i);
        if (strcmp(param->name, name) == 0) return param->type == ALD_PARAM_INTS;
    }
    return 0;
}

/* [10, 5] as "10+5". */
static PyObject *joined(PyObject *list)
{
    PyObject *plus = PyUnicode_FromString("+"), *texts = PyList_New(0), *text = NULL;
    const Py_ssize_t count = PySequence_Size(list);
    int fine = plus && texts && count >= 0;
    for (Py_ssize_t i = 0; fine && i < count; i++) {
        PyObject *item = PySequence_GetItem(list, i), *one = item ? PyObject_Str(item) : NULL;
        fine = one && PyList_Append(texts, one) == 0;
        Py_XDECREF(one);
        Py_XDECREF(item);
    }
    if (fine) text = PyUnicode_Join(plus, texts);
    Py_XDECREF(texts);
    Py_XDECREF(plus);
    return text;
}

static ald_status set_list(ald_settings *settings, const char *name, PyObject *value, ald_error *error)
{
    PyObject *text = joined(value);
    const ald_status status = text ? set_text(settings, name, text, error) : ALD_ERROR_ARGUMENT;
    Py_XDECREF(text);
    return status;
}

static ald_status set_value(ald_settings *settings, const char *method, const char *name, PyObject *value,
                            ald_error *error)
{
    if (PyUnicode_Check(value)) return set_text(settings, name, value, error);
    if ((PyList_Check(value) || PyTuple_Check(value)) && takes_list(method, name))
        return set_list(settings, name, value, error);
    return PyIndex_Check(value) ? set_int(settings, name, value, error)
                                : set_real(settings, name, value, error);
}

static int set_all(ald_settings *settings, const char *method, PyObject *parameters)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(parameters, &at, &key, &value)) {
        ald_error error;
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const ald_status status =
            name ? set_value(settings, method, name, value, &error) : ALD_ERROR_ARGUMENT;
        if (status < 0) return PyErr_Occurred() ? -1 : core_raise(&error, status);
    }
    return 0;
}

ald_settings *core_settings_new(core_state *state, const char *method, PyObject *parameters)
{
    ald_settings *settings;
    ald_error error;
    ald_context *context = core_context(state, 0);
    if (!context) return NULL;
    const ald_status status = ald_settings_new(context, method, &settings, &error);
    if (status < 0) {
        core_raise(&error, status);
        return NULL;
    }
    if (set_all(settings, method, parameters) == 0) return settings;
    ald_settings_free(settings);
    return NULL;
}

ald_settings *core_settings_for(core_state *state, const char *method, PyObject *parameters,
                                const ald_target *y, int stream)
{
    ald_error error;
    ald_settings *settings = core_settings_new(state, method, parameters);
    if (!settings) return NULL;
    const ald_status status = ald_predictor_auto_for(settings, y, stream, NULL, &error);
    if (status >= 0) return settings;
    core_raise(&error, status);
    ald_settings_free(settings);
    return NULL;
}
