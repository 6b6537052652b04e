/* What a dataset has: its shape and names, X and the target as arrays, texts that were kept. */
#include "datasets.h"
#include "functions.h"

#include <math.h>
#include <string.h>

typedef const char *(*name_getter)(const ald_dataset *data, int64_t index);

/* A list of names; None where the first is not there. */
static PyObject *names_of(const ald_dataset *data, int64_t count, name_getter get)
{
    if (count < 1 || !get(data, 0)) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < count; i++) {
        const char *text = get(data, i);
        PyObject *name =
            PyUnicode_DecodeUTF8(text ? text : "", (Py_ssize_t)strlen(text ? text : ""), "replace");
        if (!name || PyList_Append(list, name) < 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static const char *target_name_at(const ald_dataset *data, int64_t index)
{
    const ald_target *y = ald_dataset_target(data);
    return y->names ? y->names[index] : NULL;
}

static int64_t response_count(const ald_target *y)
{
    if (y->kind == ALD_TARGET_NONE) return 0;
    return y->kind == ALD_TARGET_CLASSES ? 1 : y->values.cols;
}

static int64_t class_count(const ald_target *y)
{
    return y->kind == ALD_TARGET_CLASSES ? y->n_classes : 0;
}

/* Puts `value`, which it takes over, into the dict. */
static int put(PyObject *dict, const char *key, PyObject *value)
{
    const int done = value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return done;
}

static PyObject *core_table_facts(PyObject *module, PyObject *object)
{
    static const char *const kinds[] = {"none", "classes", "real", "labels"};
    const ald_dataset *data = core_dataset_of(core_state_of(module), object);
    if (!data) return NULL;
    const ald_matrix *x = ald_dataset_x(data);
    const ald_target *y = ald_dataset_target(data);
    const char *note = ald_dataset_task_note(data);
    PyObject *dict = Py_BuildValue("{s:L,s:L,s:L,s:L,s:O,s:s,s:s,s:O}", "rows", (long long)x->rows, "columns",
                                   (long long)x->cols, "target_columns", (long long)response_count(y),
                                   "file_rows", (long long)ald_dataset_file_rows(data), "sparse",
                                   x->storage == ALD_DENSE ? Py_False : Py_True, "kind", kinds[y->kind],
                                   "note", note ? note : "", "weighted", y->weights ? Py_True : Py_False);
    if (!dict) return NULL;
    if (put(dict, "feature_names", names_of(data, x->cols, ald_dataset_feature_name)) == 0 &&
        put(dict, "row_names", names_of(data, x->rows, ald_dataset_row_name)) == 0 &&
        put(dict, "response_names", names_of(data, response_count(y), ald_dataset_response_name)) == 0 &&
        put(dict, "class_names", names_of(data, class_count(y), target_name_at)) == 0)
        return dict;
    Py_DECREF(dict);
    return NULL;
}

static double entry(const ald_matrix *m, int64_t at)
{
    return m->type == ALD_F32 ? (double)((const float *)m->values)[at] : ((const double *)m->values)[at];
}

static int64_t whole(const ald_matrix *m, const void *list, int64_t at)
{
    return m->index_bits == 32 ? ((const int32_t *)list)[at] : ((const int64_t *)list)[at];
}

/* Adds the entries of a matrix to zeros, rows x cols row major. */
static void copy_matrix(const ald_matrix *m, double *out)
{
    if (m->storage == ALD_DENSE) {
        for (int64_t i = 0; i < m->rows; i++)
            for (int64_t j = 0; j < m->cols; j++)
                out[i * m->cols + j] = entry(m, i * m->row_stride + j * m->col_stride);
        return;
    }
    const int64_t outer = m->storage == ALD_CSR ? m->rows : m->cols;
    for (int64_t i = 0; i < outer; i++)
        for (int64_t k = whole(m, m->pointers, i); k < whole(m, m->pointers, i + 1); k++) {
            const int64_t other = whole(m, m->indices, k);
            out[m->storage == ALD_CSR ? i * m->cols + other : other * m->cols + i] = entry(m, k);
        }
}

static void copy_target(const ald_target *y, double *out)
{
    const int64_t cols = response_count(y);
    if (y->kind != ALD_TARGET_CLASSES)
        copy_matrix(&y->values, out);
    else
        for (int64_t i = 0; i < y->rows; i++) out[i] = y->classes[i];
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        for (int64_t j = 0; !y->labelled[i] && j < cols; j++) out[i * cols + j] = NAN;
}

/* A tight array of float64 of that shape. */
static int take_tight(PyObject *object, int64_t rows, int64_t cols, ald_output_view *view, Py_buffer *held)
{
    if (core_output_take(object, view, held) < 0) return -1;
    if (core_output_is_tight(view, rows, cols)) return 0;
    PyBuffer_Release(held);
    PyErr_Format(PyExc_ValueError, "an array of float64 with %lld rows and %lld columns is wanted",
                 (long long)rows, (long long)cols);
    return -1;
}

static PyObject *core_table_x(PyObject *module, PyObject *args)
{
    PyObject *object, *out;
    ald_output_view view;
    Py_buffer held;
    if (!PyArg_ParseTuple(args, "OO:table_x", &object, &out)) return NULL;
    const ald_dataset *data = core_dataset_of(core_state_of(module), object);
    const ald_matrix *x = data ? ald_dataset_x(data) : NULL;
    if (!x || take_tight(out, x->rows, x->cols, &view, &held) < 0) return NULL;
    copy_matrix(x, view.values);
    PyBuffer_Release(&held);
    Py_RETURN_NONE;
}

static PyObject *core_table_y(PyObject *module, PyObject *args)
{
    PyObject *object, *out;
    ald_output_view view;
    Py_buffer held;
    if (!PyArg_ParseTuple(args, "OO:table_y", &object, &out)) return NULL;
    const ald_dataset *data = core_dataset_of(core_state_of(module), object);
    const ald_target *y = data ? ald_dataset_target(data) : NULL;
    if (!y || take_tight(out, y->rows, response_count(y), &view, &held) < 0) return NULL;
    copy_target(y, view.values);
    PyBuffer_Release(&held);
    Py_RETURN_NONE;
}

/* The three vectors of X in CSR with 64-bit indices, as bytes; None where it is stored otherwise. */
static PyObject *core_table_csr(PyObject *module, PyObject *object)
{
    const ald_dataset *data = core_dataset_of(core_state_of(module), object);
    if (!data) return NULL;
    const ald_matrix *x = ald_dataset_x(data);
    if (x->storage != ALD_CSR || x->index_bits != 64 || x->type != ALD_F64) Py_RETURN_NONE;
    const int64_t *pointers = x->pointers;
    const Py_ssize_t entries = (Py_ssize_t)pointers[x->rows];
    return Py_BuildValue("y#y#y#", (const char *)pointers, (Py_ssize_t)(x->rows + 1) * 8,
                         (const char *)x->indices, entries * 8, (const char *)x->values, entries * 8);
}

/* For every row of X the row of the file, as bytes of int64; None: all are there. */
static PyObject *core_table_places(PyObject *module, PyObject *object)
{
    const ald_dataset *data = core_dataset_of(core_state_of(module), object);
    if (!data) return NULL;
    const int64_t rows = ald_dataset_x(data)->rows;
    if (rows == ald_dataset_file_rows(data)) Py_RETURN_NONE;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(rows * 8));
    char *place = bytes ? PyBytes_AsString(bytes) : NULL;
    for (int64_t i = 0; place && i < rows; i++) {
        const int64_t row = ald_dataset_file_row(data, i);
        memcpy(place + i * 8, &row, 8);
    }
    return bytes;
}

static PyObject *kept_column(const ald_dataset *data, int64_t kept)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < ald_dataset_file_rows(data); i++) {
        const char *text = ald_dataset_kept_text(data, kept, i);
        PyObject *cell =
            PyUnicode_DecodeUTF8(text ? text : "", (Py_ssize_t)strlen(text ? text : ""), "replace");
        if (!cell || PyList_Append(list, cell) < 0) Py_CLEAR(list);
        Py_XDECREF(cell);
    }
    const char *name = ald_dataset_kept_name(data, kept);
    return list ? Py_BuildValue("zN", name, list) : NULL;
}

/* [(name, texts of all rows of the file)]. */
static PyObject *core_table_kept(PyObject *module, PyObject *object)
{
    const ald_dataset *data = core_dataset_of(core_state_of(module), object);
    PyObject *list = data ? PyList_New(0) : NULL;
    for (int64_t k = 0; list && k < ald_dataset_kept_count(data); k++) {
        PyObject *one = kept_column(data, k);
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

PyMethodDef core_table_facts_functions[] = {
    {"table_facts", core_table_facts, METH_O,
     "table_facts(dataset): shape, names and kind of target, a dict"},
    {"table_x", core_table_x, METH_VARARGS, "table_x(dataset, out): writes X into zeros"},
    {"table_y", core_table_y, METH_VARARGS,
     "table_y(dataset, out): writes codes of classes, numbers or labels"},
    {"table_csr", core_table_csr, METH_O, "table_csr(dataset): the vectors of a sparse X as bytes, or None"},
    {"table_places", core_table_places, METH_O,
     "table_places(dataset): the row of the file of each row as bytes, or None"},
    {"table_kept", core_table_kept, METH_O, "table_kept(dataset): names and texts of columns that were kept"},
    {NULL, NULL, 0, NULL},
};
