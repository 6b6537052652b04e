/* Bytes: a buffer that owns what ald_model_to_bytes gave. */
#include "py_arrays.h"

typedef struct core_bytes {
    PyObject_HEAD unsigned char *data;
    size_t size;
} core_bytes;

static void bytes_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    const core_state *state = PyType_GetModuleState(type);
    ald_bytes_free(state->contexts[1], ((core_bytes *)self)->data);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int bytes_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const core_bytes *bytes = (core_bytes *)self;
    return PyBuffer_FillInfo(view, self, bytes->data, (Py_ssize_t)bytes->size, 1, flags);
}

static PyType_Slot bytes_slots[] = {
    {Py_tp_dealloc, bytes_dealloc},
    {Py_bf_getbuffer, bytes_buffer},
    {Py_tp_doc, "The bytes of a model, read only."},
    {0, NULL},
};

PyType_Spec core_bytes_spec = {
    .name = "alidade._core.Bytes",
    .basicsize = sizeof(core_bytes),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = bytes_slots,
};

static core_bytes *bytes_new(core_state *state)
{
    core_bytes *made = PyObject_New(core_bytes, state->bytes_type);
    if (!made) return NULL;
    made->data = NULL;
    made->size = 0;
    return made;
}

PyObject *core_bytes_of(core_state *state, const ald_model *model)
{
    ald_context *context = core_context(state, 1);
    core_bytes *made = context ? bytes_new(state) : NULL;
    ald_error error;
    if (!made) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    (void)ald_model_to_bytes(context, model, &made->data, &made->size, &error);
    Py_END_ALLOW_THREADS;
    if (made->data) return (PyObject *)made;
    core_raise(&error, error.status);
    Py_DECREF((PyObject *)made);
    return NULL;
}
