#include "py_arrays.h"

typedef struct core_array {
    PyObject_HEAD PyObject *owner;
    ald_array array;
    Py_ssize_t shape[ALD_MAX_DIMS];
    Py_ssize_t strides[ALD_MAX_DIMS];
    Py_ssize_t bytes;
} core_array;

enum { item_bytes = 8 }; /* double and int64_t */

static void array_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((core_array *)self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int array_buffer(PyObject *self, Py_buffer *view, int flags)
{
    core_array *array = (core_array *)self;
    static char real[] = "d", whole[] = "q";
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a model is read only");
        view->obj = NULL;
        return -1;
    }
    *view = (Py_buffer){
        .buf = (void *)(uintptr_t)array->array.data,
        .obj = self,
        .len = array->bytes,
        .itemsize = item_bytes,
        .readonly = 1,
        .ndim = array->array.dims,
        .format = array->array.type == ALD_ARRAY_F64 ? real : whole,
        .shape = array->shape,
        .strides = array->strides,
    };
    Py_INCREF(self);
    return 0;
}

static PyType_Slot array_slots[] = {
    {Py_tp_dealloc, array_dealloc},
    {Py_bf_getbuffer, array_buffer},
    {Py_tp_doc, "An array of a model, read only."},
    {0, NULL},
};

PyType_Spec core_array_spec = {
    .name = "alidade._core.Array",
    .basicsize = sizeof(core_array),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = array_slots,
};

static void set_shape(core_array *made)
{
    made->bytes = item_bytes;
    for (int i = made->array.dims - 1; i >= 0; i--) {
        made->shape[i] = (Py_ssize_t)made->array.shape[i];
        made->strides[i] = made->bytes;
        made->bytes *= made->shape[i];
    }
}

PyObject *core_array_of(core_state *state, PyObject *owner, const ald_model *model, const char *name)
{
    ald_array found;
    if (!ald_model_array(model, name, &found)) Py_RETURN_NONE;
    core_array *made = PyObject_New(core_array, state->array_type);
    if (!made) return NULL;
    Py_INCREF(owner);
    made->owner = owner;
    made->array = found;
    set_shape(made);
    return (PyObject *)made;
}
