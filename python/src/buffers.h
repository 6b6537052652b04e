/* Arrays of Python's as the views of the library, without a copy. What is held is let go by the functions
 * that end with _drop, which may be called on what was never taken if it is zero. */
#ifndef ALIDADE_PYTHON_BUFFERS_H
#define ALIDADE_PYTHON_BUFFERS_H

#include "core.h"

typedef struct core_matrix {
    ald_matrix view;
    Py_buffer held[3];
    int count;
} core_matrix;

/* X: an object with a two-dimensional buffer of f64 or f32 in any order, or ("csr", rows, cols, indptr,
 * indices, data), or "csc", or ("device", rows, cols, address, row stride, column stride, 'd' or 'f',
 * what owns the memory). 0, or -1 with an exception that calls it `what`. */
int core_matrix_take(PyObject *object, const char *what, core_matrix *taken);
void core_matrix_drop(core_matrix *taken);

/* A contiguous vector of numbers of this kind: 'd' double, 'i' int32, 'B' byte. */
int core_vector_take(PyObject *object, const char *what, char kind, Py_buffer *taken);
void core_vector_drop(Py_buffer *taken);

/* Whether these are whole numbers of 32 or 64 bits with a sign, of this machine's byte order. */
int core_is_whole(const Py_buffer *held);

/* Where numbers are written: a two-dimensional, writable buffer of f64 or f32; or an array on a device, and
 * the result is 1. */
int core_output_take(PyObject *object, ald_output_view *view, Py_buffer *taken);

/* Whether numbers written one after the other, row by row, fit into it exactly. */
int core_output_is_tight(const ald_output_view *view, int64_t rows, int64_t cols);

/* Names: a sequence of str, or None. `texts` points into the strings that `owner` holds. */
typedef struct core_names {
    const char **texts;
    Py_ssize_t count;
    PyObject *owner;
} core_names;
int core_names_take(PyObject *object, const char *what, core_names *taken);
void core_names_drop(core_names *taken);

#endif
