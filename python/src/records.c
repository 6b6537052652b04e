#include "records.h"

#include <string.h>

static int fill_text(PyObject *value, void *place)
{
    const char *text = NULL;
    if (value != Py_None) {
        text = PyUnicode_AsUTF8AndSize(value, NULL);
        if (!text) return -1;
    }
    memcpy(place, &text, sizeof text);
    return 0;
}

static int fill_whole(PyObject *value, core_kind kind, void *place)
{
    const long long number = PyLong_AsLongLong(value);
    if (number == -1 && PyErr_Occurred()) return -1;
    const int small = (int)number;
    if (kind == CORE_UINT64 && number < 0) {
        PyErr_SetString(PyExc_ValueError, "it is negative");
        return -1;
    }
    if (kind != CORE_INT)
        memcpy(place, &number, sizeof number);
    else if (small == number)
        memcpy(place, &small, sizeof small);
    else {
        PyErr_SetString(PyExc_ValueError, "the number is too large");
        return -1;
    }
    return 0;
}

static int fill_real(PyObject *value, void *place)
{
    const double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) return -1;
    memcpy(place, &number, sizeof number);
    return 0;
}

static int fill_field(PyObject *value, const core_field *field, void *record)
{
    char *place = (char *)record + field->offset;
    if (field->kind == CORE_TEXT) return fill_text(value, place);
    if (value == Py_None) return 0;
    return field->kind == CORE_REAL ? fill_real(value, place) : fill_whole(value, field->kind, place);
}

static const char *const wanted[] = {
    [CORE_TEXT] = "a text",
    [CORE_CHARS] = "a text",
    [CORE_INT] = "a whole number",
    [CORE_INT64] = "a whole number",
    [CORE_UINT64] = "a whole number from 0",
    [CORE_REAL] = "a number",
};

/* One sentence instead of what the conversion said. */
static int refuse(const core_field *field, PyObject *value)
{
    PyObject *const type = PyErr_ExceptionMatches(PyExc_TypeError) ? PyExc_TypeError : PyExc_ValueError;
    PyErr_Clear();
    PyErr_Format(type, "`%s` is %s, not %R", field->name, wanted[field->kind], value);
    return -1;
}

static const core_field *find_field(const core_field *fields, const char *name)
{
    for (; fields->name; fields++)
        if (strcmp(fields->name, name) == 0) return fields;
    return NULL;
}

int core_record_fill(PyObject *dict, const core_field *fields, void *record)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (dict == Py_None) return 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const core_field *field = name ? find_field(fields, name) : NULL;
        if (!field) {
            if (name) PyErr_Format(PyExc_TypeError, "there is no option `%s`", name);
            return -1;
        }
        if (fill_field(value, field, record) < 0) return refuse(field, value);
    }
    return 0;
}

static PyObject *text_or_none(const char *text)
{
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *value_of(const core_field *field, const void *record)
{
    const char *place = (const char *)record + field->offset;
    union {
        const char *text;
        int small;
        int64_t whole;
        double real;
    } value;
    switch (field->kind) {
    case CORE_CHARS:
        return text_or_none(place);
    case CORE_TEXT:
        memcpy(&value.text, place, sizeof value.text);
        return text_or_none(value.text);
    case CORE_INT:
        memcpy(&value.small, place, sizeof value.small);
        return PyLong_FromLong(value.small);
    case CORE_REAL:
        memcpy(&value.real, place, sizeof value.real);
        return PyFloat_FromDouble(value.real);
    case CORE_INT64:
    case CORE_UINT64:
        break;
    }
    memcpy(&value.whole, place, sizeof value.whole);
    return PyLong_FromLongLong(value.whole);
}

PyObject *core_record_dict(const core_field *fields, const void *record)
{
    PyObject *dict = PyDict_New();
    for (; dict && fields->name; fields++) {
        PyObject *value = value_of(fields, record);
        if (!value || PyDict_SetItemString(dict, fields->name, value) < 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *core_record_list(const core_field *fields, const void *records, int64_t count, size_t bytes)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *one = core_record_dict(fields, (const char *)records + (size_t)i * bytes);
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}
