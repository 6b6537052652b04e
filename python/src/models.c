#include "models.h"

typedef struct core_model {
    PyObject_HEAD ald_model *model;
} core_model;

static void model_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ald_model_free(((core_model *)self)->model);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *model_method(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(ald_model_method(((core_model *)self)->model));
}

static PyObject *model_components(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(ald_model_component_count(((core_model *)self)->model));
}

static PyObject *model_features(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(ald_model_feature_count(((core_model *)self)->model));
}

static PyObject *model_repr(PyObject *self)
{
    const ald_model *model = ((core_model *)self)->model;
    return PyUnicode_FromFormat("<alidade model: %s, %lld features to %lld components>",
                                ald_model_method(model), (long long)ald_model_feature_count(model),
                                (long long)ald_model_component_count(model));
}

/* alidade._model says how a model is pickled. */
static PyObject *model_reduce(PyObject *self, PyObject *protocol)
{
    PyObject *module = PyImport_ImportModule("alidade._model");
    PyObject *reduced = module ? PyObject_CallMethod(module, "reduce", "OO", self, protocol) : NULL;
    Py_XDECREF(module);
    return reduced;
}

static PyMethodDef model_methods[] = {
    {"__reduce_ex__", model_reduce, METH_O, "a model is the bytes of its file"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef model_getters[] = {
    {"method", model_method, NULL, "name of the method", NULL},
    {"n_components", model_components, NULL, "number of components", NULL},
    {"n_features", model_features, NULL, "number of features", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot model_slots[] = {
    {Py_tp_dealloc, model_dealloc},
    {Py_tp_getset, model_getters},
    {Py_tp_methods, model_methods},
    {Py_tp_repr, model_repr},
    {Py_tp_doc, "A fitted model: made by fit, load and from_bytes, and never changed."},
    {0, NULL},
};

PyType_Spec core_model_spec = {
    .name = "alidade._core.Model",
    .basicsize = sizeof(core_model),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = model_slots,
};

PyObject *core_model_wrap(core_state *state, ald_model *model)
{
    core_model *made = PyObject_New(core_model, state->model_type);
    if (!made) {
        ald_model_free(model);
        return NULL;
    }
    made->model = model;
    return (PyObject *)made;
}

const ald_model *core_model_of(const core_state *state, PyObject *object)
{
    if (PyObject_TypeCheck(object, state->model_type)) return ((core_model *)object)->model;
    PyErr_SetString(PyExc_TypeError, "a model of alidade is wanted");
    return NULL;
}
