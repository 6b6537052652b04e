#include "buffers.h"

#include <stdint.h>
#include <string.h>

/* The letter of the type, without the mark of the byte order where that is this machine's own. */
static char letter_of(const Py_buffer *held)
{
    const char *format = held->format ? held->format : "B";
    const int little = (const union {
                           int one;
                           char first;
                       }){1}
                           .first;
    if (*format == '@' || *format == '=' || *format == (little ? '<' : '>')) format++;
    return format[1] ? '\0' : *format;
}

static int real_type(const Py_buffer *held, ald_type *type)
{
    const char letter = letter_of(held);
    if (letter == 'd' && held->itemsize == (Py_ssize_t)sizeof(double))
        *type = ALD_F64;
    else if (letter == 'f' && held->itemsize == (Py_ssize_t)sizeof(float))
        *type = ALD_F32;
    else
        return 0;
    return (uintptr_t)held->buf % (size_t)held->itemsize == 0;
}

int core_is_whole(const Py_buffer *held)
{
    const char letter = letter_of(held);
    return letter != '\0' && strchr("ilq", letter) && (held->itemsize == 4 || held->itemsize == 8);
}

static int is_index(const Py_buffer *held)
{
    return core_is_whole(held) && (uintptr_t)held->buf % (size_t)held->itemsize == 0;
}

static int whole_strides(const Py_buffer *held)
{
    for (int i = 0; i < held->ndim; i++)
        if (held->strides[i] % held->itemsize != 0) return 0;
    return 1;
}

static int refuse_dense(const char *what)
{
    PyErr_Format(PyExc_TypeError,
                 "%s: a two-dimensional array of float64 or float32 of this machine's byte order is wanted",
                 what);
    return -1;
}

static int take_dense(PyObject *object, const char *what, core_matrix *taken)
{
    Py_buffer *held = &taken->held[0];
    ald_type type = ALD_F64;
    if (PyObject_GetBuffer(object, held, PyBUF_RECORDS_RO) < 0) return -1;
    taken->count = 1;
    if (held->ndim != 2 || !real_type(held, &type) || !whole_strides(held)) return refuse_dense(what);
    taken->view = (ald_matrix){
        .type = type,
        .rows = held->shape[0],
        .cols = held->shape[1],
        .values = held->buf,
        .row_stride = held->strides[0] / held->itemsize,
        .col_stride = held->strides[1] / held->itemsize,
    };
    return 0;
}

static int refuse_sparse(const char *what)
{
    PyErr_Format(
        PyExc_TypeError,
        "%s: a sparse matrix has three contiguous, aligned vectors: indptr and indices, both of 32 or "
        "both of 64 bits, and data of float64 or float32",
        what);
    return -1;
}

static int hold_vectors(core_matrix *taken, PyObject *const *vectors)
{
    for (; taken->count < 3; taken->count++)
        if (PyObject_GetBuffer(vectors[taken->count], &taken->held[taken->count], PyBUF_ND | PyBUF_FORMAT) <
            0)
            return -1;
    return 0;
}

static int take_sparse(PyObject *object, const char *what, core_matrix *taken)
{
    const char *storage;
    long long rows, cols;
    PyObject *vectors[3];
    ald_type type = ALD_F64;
    if (!PyArg_ParseTuple(object, "sLLOOO", &storage, &rows, &cols, &vectors[0], &vectors[1], &vectors[2]) ||
        hold_vectors(taken, vectors) < 0)
        return -1;
    const Py_buffer *pointers = &taken->held[0], *indices = &taken->held[1], *values = &taken->held[2];
    const int flat = pointers->ndim == 1 && indices->ndim == 1 && values->ndim == 1;
    if (!flat || !is_index(pointers) || !is_index(indices) || pointers->itemsize != indices->itemsize ||
        !real_type(values, &type) || indices->shape[0] != values->shape[0] || pointers->shape[0] < 1)
        return refuse_sparse(what);
    taken->view = (ald_matrix){
        .storage = strcmp(storage, "csc") == 0 ? ALD_CSC : ALD_CSR,
        .type = type,
        .rows = rows,
        .cols = cols,
        .values = values->buf,
        .pointers = pointers->buf,
        .indices = indices->buf,
        .index_bits = pointers->itemsize == 4 ? 32 : 64,
        .n_pointers = pointers->shape[0],
        .n_values = values->shape[0],
    };
    return 0;
}

/* ("device", rows, cols, address, row stride, column stride, 'd' or 'f', owner); the library looks at the
 * rest. */
static int is_on_device(PyObject *object)
{
    return PyTuple_Check(object) && PyTuple_Size(object) == 8;
}

static int take_on_device(PyObject *object, ald_matrix *view)
{
    const char *storage, *type;
    long long rows, cols, row_stride, col_stride;
    unsigned long long address;
    PyObject *owner; /* keeps the memory while the caller has the tuple */
    if (!PyArg_ParseTuple(object, "sLLKLLsO", &storage, &rows, &cols, &address, &row_stride, &col_stride,
                          &type, &owner))
        return -1;
    *view = (ald_matrix){
        .storage = ALD_ON_DEVICE,
        .type = *type == 'f' ? ALD_F32 : ALD_F64,
        .rows = rows,
        .cols = cols,
        .values = (const void *)(uintptr_t)address,
        .row_stride = row_stride,
        .col_stride = col_stride,
    };
    return 0;
}

int core_matrix_take(PyObject *object, const char *what, core_matrix *taken)
{
    taken->count = 0;
    if (is_on_device(object)) return take_on_device(object, &taken->view);
    return PyTuple_Check(object) ? take_sparse(object, what, taken) : take_dense(object, what, taken);
}

void core_matrix_drop(core_matrix *taken)
{
    while (taken->count > 0) PyBuffer_Release(&taken->held[--taken->count]);
}

int core_vector_take(PyObject *object, const char *what, char kind, Py_buffer *taken)
{
    if (PyObject_GetBuffer(object, taken, PyBUF_ND | PyBUF_FORMAT) < 0) return -1;
    const char letter = letter_of(taken);
    const int alike = (letter == kind || (kind == 'B' && letter == '?')) &&
                      (uintptr_t)taken->buf % (size_t)taken->itemsize == 0;
    if (taken->ndim == 1 && alike) return 0;
    PyBuffer_Release(taken);
    taken->obj = NULL;
    PyErr_Format(PyExc_TypeError, "%s: a contiguous, aligned vector of type '%c' is wanted", what, kind);
    return -1;
}

void core_vector_drop(Py_buffer *taken)
{
    if (taken->obj) PyBuffer_Release(taken);
}

int core_output_take(PyObject *object, ald_output_view *view, Py_buffer *taken)
{
    ald_type type = ALD_F64;
    ald_matrix there;
    *taken = (Py_buffer){0};
    if (is_on_device(object)) {
        if (take_on_device(object, &there) < 0) return -1;
        *view = (ald_output_view){
            .type = there.type,
            .rows = there.rows,
            .cols = there.cols,
            .values = (void *)(uintptr_t)there.values,
            .row_stride = there.row_stride,
            .col_stride = there.col_stride,
        };
        return 1;
    }
    if (PyObject_GetBuffer(object, taken, PyBUF_RECORDS) < 0) return -1;
    if (taken->ndim != 2 || !real_type(taken, &type) || !whole_strides(taken)) {
        PyBuffer_Release(taken);
        return refuse_dense("out");
    }
    *view = (ald_output_view){
        .type = type,
        .rows = taken->shape[0],
        .cols = taken->shape[1],
        .values = taken->buf,
        .row_stride = taken->strides[0] / taken->itemsize,
        .col_stride = taken->strides[1] / taken->itemsize,
    };
    return 0;
}

int core_output_is_tight(const ald_output_view *view, int64_t rows, int64_t cols)
{
    return view->type == ALD_F64 && view->rows == rows && view->cols == cols &&
           (cols < 2 || view->col_stride == 1) && (rows < 2 || view->row_stride == cols);
}
