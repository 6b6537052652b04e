/* Classes that are whole numbers near each other, without sorting them: most targets of classes are such.
 *
 *     low, low + 1, ..., high   which of them occur, and the number of each among those that do
 *
 * One pass for the range, one to mark, one to write. Cost: n + (high - low). */
#include "buffers.h"
#include "functions.h"

#include <stdint.h>
#include <string.h>

static int64_t whole_at(const Py_buffer *y, Py_ssize_t i)
{
    int32_t small;
    int64_t large;
    const char *place = (const char *)y->buf + i * y->strides[0];
    if (y->itemsize == (Py_ssize_t)sizeof small) {
        memcpy(&small, place, sizeof small);
        return small;
    }
    memcpy(&large, place, sizeof large);
    return large;
}

/* The numbers that are marked, in order; the marks become their numbers. */
static PyObject *number_marks(int32_t *marks, int64_t low, int64_t count)
{
    PyObject *classes = PyList_New(0);
    int32_t next = 0;
    for (int64_t k = 0; classes && k < count; k++) {
        if (!marks[k]) continue;
        marks[k] = next++;
        PyObject *one = PyLong_FromLongLong(low + k);
        if (!one || PyList_Append(classes, one) < 0) Py_CLEAR(classes);
        Py_XDECREF(one);
    }
    return classes;
}

static PyObject *encode(const Py_buffer *y, int32_t *codes)
{
    const Py_ssize_t n = y->shape[0];
    int64_t low = whole_at(y, 0), high = low;
    for (Py_ssize_t i = 1; i < n; i++) {
        const int64_t value = whole_at(y, i);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    if ((uint64_t)high - (uint64_t)low >= 2 * (uint64_t)n + 1000) Py_RETURN_NONE;
    int32_t *marks = PyMem_Calloc((size_t)(high - low) + 1, sizeof *marks);
    if (!marks) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        const int64_t value = whole_at(y, i);
        if (value >= low && value <= high) marks[value - low] = 1; /* another thread may write into y */
    }
    PyObject *classes = number_marks(marks, low, high - low + 1);
    for (Py_ssize_t i = 0; i < n; i++) {
        const int64_t value = whole_at(y, i);
        codes[i] = value >= low && value <= high ? marks[value - low] : 0;
    }
    PyMem_Free(marks);
    return classes;
}

static PyObject *core_encode(PyObject *module, PyObject *args)
{
    PyObject *given, *result, *classes = NULL;
    Py_buffer y, codes;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO:encode", &given, &result)) return NULL;
    if (core_vector_take(result, "codes", 'i', &codes) < 0) return NULL;
    if (PyObject_GetBuffer(given, &y, PyBUF_RECORDS_RO) == 0) {
        const int whole = y.ndim == 1 && core_is_whole(&y);
        if (whole && !codes.readonly && y.shape[0] > 0 && y.shape[0] == codes.shape[0])
            classes = encode(&y, codes.buf);
        else
            PyErr_SetString(PyExc_TypeError, "whole numbers of 32 or 64 bits and as many codes are wanted");
        PyBuffer_Release(&y);
    }
    core_vector_drop(&codes);
    return classes;
}

PyMethodDef core_classes_functions[] = {
    {"encode", core_encode, METH_VARARGS,
     "encode(y, codes): the different numbers in order, None if they are far apart; writes the code of each "
     "row"},
    {NULL, NULL, 0, NULL},
};
