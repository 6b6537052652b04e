/* What is known about a model, its predictor and the library. */
#include "buffers.h"
#include "calls.h"
#include "functions.h"
#include "models.h"
#include "py_arrays.h"

#include <string.h>

static PyObject *core_array(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object;
    const char *name;
    if (!PyArg_ParseTuple(args, "Os:array", &object, &name)) return NULL;
    const ald_model *model = core_model_of(state, object);
    return model ? core_array_of(state, object, model, name) : NULL;
}

static PyObject *core_array_names(PyObject *module, PyObject *object)
{
    const ald_model *model = core_model_of(core_state_of(module), object);
    PyObject *names = model ? PyList_New(0) : NULL;
    ald_array array;
    for (int i = 0; names && ald_model_array_at(model, i, &array); i++) {
        PyObject *name = PyUnicode_FromString(array.name);
        if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *core_texts(PyObject *module, PyObject *object)
{
    const ald_model *model = core_model_of(core_state_of(module), object);
    PyObject *texts = model ? PyDict_New() : NULL;
    const char *key, *value;
    for (int i = 0; texts && ald_model_text_at(model, i, &key, &value); i++) {
        PyObject *text = PyUnicode_FromString(value);
        if (!text || PyDict_SetItemString(texts, key, text) < 0) Py_CLEAR(texts);
        Py_XDECREF(text);
    }
    return texts;
}

static PyObject *core_text(PyObject *module, PyObject *args)
{
    PyObject *object;
    const char *key;
    if (!PyArg_ParseTuple(args, "Os:text", &object, &key)) return NULL;
    const ald_model *model = core_model_of(core_state_of(module), object);
    if (!model) return NULL;
    const char *value = ald_model_text(model, key);
    if (!value) Py_RETURN_NONE;
    return PyUnicode_FromString(value);
}

static const char *const kinds[] = {"none", "classes", "real", "labels"};

static PyObject *core_prediction_shape(PyObject *module, PyObject *object)
{
    const ald_model *model = core_model_of(core_state_of(module), object);
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    if (!model) return NULL;
    if (!ald_model_prediction_shape(model, &shape)) Py_RETURN_NONE;
    return Py_BuildValue("sLLi", kinds[shape.kind], (long long)shape.columns, (long long)shape.scores,
                         shape.probabilities);
}

/* The kind of a target by its name, or -1 with an exception. */
static int kind_named(const char *name)
{
    for (int kind = ALD_TARGET_NONE; kind <= ALD_TARGET_LABELS; kind++)
        if (strcmp(kinds[kind], name) == 0) return kind;
    PyErr_Format(PyExc_ValueError, "a target is none, classes, real or labels, not '%s'", name);
    return -1;
}

static PyObject *core_predictor_gives(PyObject *module, PyObject *args)
{
    static const char *const outputs[] = {
        [ALD_GIVES_NOTHING] = NULL,
        [ALD_GIVES_RESPONSES] = "responses",
        [ALD_GIVES_SCORES] = "scores",
        [ALD_GIVES_PROBABILITIES] = "probabilities",
    };
    const char *name, *target;
    (void)module;
    if (!PyArg_ParseTuple(args, "zs:predictor_gives", &name, &target)) return NULL;
    const int kind = kind_named(target);
    return kind < 0 ? NULL : Py_BuildValue("z", outputs[ald_predictor_gives(name, (ald_target_kind)kind)]);
}

static PyObject *core_decide(PyObject *module, PyObject *args)
{
    const char *target;
    PyObject *given, *result;
    Py_buffer held[2];
    ald_output_view scores, decided;
    (void)module;
    if (!PyArg_ParseTuple(args, "sOO:decide", &target, &given, &result)) return NULL;
    const int kind = kind_named(target);
    if (kind < 0 || core_output_take(given, &scores, &held[0]) < 0) return NULL;
    int done = core_output_take(result, &decided, &held[1]) == 0;
    if (done) {
        const int64_t columns = kind == ALD_TARGET_CLASSES ? 1 : scores.cols;
        done = core_output_is_tight(&scores, scores.rows, scores.cols) &&
               core_output_is_tight(&decided, scores.rows, columns) && scores.cols > 0;
        if (done)
            ald_decide((ald_target_kind)kind, scores.rows, scores.cols, scores.values, decided.values);
        else
            PyErr_SetString(PyExc_ValueError, "scores and decisions are arrays of float64, row after row");
        PyBuffer_Release(&held[1]);
    }
    PyBuffer_Release(&held[0]);
    if (!done) return NULL;
    Py_RETURN_NONE;
}

static PyObject *core_coefficients_count(PyObject *module, PyObject *object)
{
    const ald_model *model = core_model_of(core_state_of(module), object);
    return model ? PyLong_FromLongLong(ald_coefficients_count(model)) : NULL;
}

/* Both arrays are float64, row major, of the right size: values features x count, intercept 1 x count. */
static int coefficients_fit(const ald_model *model, const ald_output_view *values,
                            const ald_output_view *intercept)
{
    const int64_t count = ald_coefficients_count(model), features = ald_model_feature_count(model);
    if (values->type == ALD_F64 && intercept->type == ALD_F64 && values->rows == features &&
        values->cols == count && values->col_stride == 1 && values->row_stride == count &&
        intercept->rows == 1 && intercept->cols == count && intercept->col_stride == 1)
        return 1;
    PyErr_SetString(PyExc_ValueError,
                    "the coefficients are features x count, the intercept is 1 x count, of float64");
    return 0;
}

static int write_coefficients(core_state *state, const ald_model *model, PyObject *values,
                              PyObject *intercept)
{
    Py_buffer held[2];
    ald_output_view views[2];
    ald_error error;
    int done = -1, prepared = 0;
    ald_context *context = core_context(state, 1);
    if (!context || core_output_take(values, &views[0], &held[0]) < 0) return -1;
    if (core_output_take(intercept, &views[1], &held[1]) == 0) {
        if (coefficients_fit(model, &views[0], &views[1])) {
            const ald_status status =
                ald_coefficients(context, model, views[0].values, views[1].values, &prepared, &error);
            done = status < 0 ? core_raise(&error, status) : prepared;
        }
        PyBuffer_Release(&held[1]);
    }
    PyBuffer_Release(&held[0]);
    return done;
}

static PyObject *core_coefficients(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *values, *intercept;
    if (!PyArg_ParseTuple(args, "OOO:coefficients", &object, &values, &intercept)) return NULL;
    const ald_model *model = core_model_of(state, object);
    const int prepared = model ? write_coefficients(state, model, values, intercept) : -1;
    return prepared < 0 ? NULL : PyBool_FromLong(prepared);
}

static PyObject *core_about(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("{s:s,s:s,s:z,s:s}", "version", ald_version(), "backend", ald_backend_name(),
                         "faster", ald_backend_faster(), "features", ald_build_features());
}

/* By the rule of the library: OMP_NUM_THREADS, else the processors that this process may use. */
static PyObject *core_processors(PyObject *module, PyObject *unused)
{
    ald_context *context = core_context(core_state_of(module), 0);
    (void)unused;
    return context ? PyLong_FromLong(ald_context_threads(context)) : NULL;
}

PyMethodDef core_facts_functions[] = {
    {"array", core_array, METH_VARARGS, "array(model, name): a buffer into the model, or None"},
    {"array_names", core_array_names, METH_O, "array_names(model): the names of its arrays"},
    {"texts", core_texts, METH_O, "texts(model): its texts, a dict"},
    {"text", core_text, METH_VARARGS, "text(model, key): one of them, or None"},
    {"prediction_shape", core_prediction_shape, METH_O,
     "prediction_shape(model): (kind, columns, scores, whether these are probabilities)"},
    {"predictor_gives", core_predictor_gives, METH_VARARGS,
     "predictor_gives(name, kind): responses, scores or probabilities, or None; name None: the usual one"},
    {"decide", core_decide, METH_VARARGS,
     "decide(kind, scores, out): writes codes of classes, labels as 0 and 1, or responses"},
    {"coefficients_count", core_coefficients_count, METH_O,
     "coefficients_count(model): columns of the formula, or 0"},
    {"coefficients", core_coefficients, METH_VARARGS,
     "coefficients(model, values, intercept): writes them; whether they are of prepared rows"},
    {"processors", core_processors, METH_NOARGS, "processors(): threads of a call that names no number"},
    {"about", core_about, METH_NOARGS, "about(): version, backend and features of the library"},
    {NULL, NULL, 0, NULL},
};
