/* Models of datasets: fit, fit by streaming, update, choose the method; and rows of a dataset through one. */
#include "calls.h"
#include "datasets.h"
#include "functions.h"
#include "models.h"
#include "py_settings.h"

static PyObject *end_fit(core_call *call, ald_model *model, ald_status status)
{
    if (core_call_end(call, status) == 0) return core_model_wrap(call->state, model);
    ald_model_free(model);
    return NULL;
}

static PyObject *core_fit_table(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    const char *method;
    PyObject *object, *parameters, *progress, *made = NULL;
    int threads;
    core_call call;
    if (!PyArg_ParseTuple(args, "OsO!iO:fit_table", &object, &method, &PyDict_Type, &parameters, &threads,
                          &progress))
        return NULL;
    const ald_dataset *data = core_dataset_of(state, object);
    ald_settings *settings =
        data ? core_settings_for(state, method, parameters, ald_dataset_target(data), 0) : NULL;
    if (settings && core_call_begin_on(&call, state, threads, progress, data) == 0) {
        ald_model *model = NULL;
        const ald_status status = ald_fit_dataset(call.context, settings, data, &model, &call.error);
        made = end_fit(&call, model, status);
    }
    ald_settings_free(settings);
    return made;
}

/* (survey, number of rows) */
static PyObject *core_survey(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *path, *dict, *progress, *made = NULL;
    ald_load_options options;
    int threads;
    core_call call;
    ald_dataset *survey = NULL;
    int64_t rows = 0;
    if (!PyArg_ParseTuple(args, "O&O!iO:survey", PyUnicode_FSConverter, &path, &PyDict_Type, &dict, &threads,
                          &progress))
        return NULL;
    if (core_load_options(state, dict, Py_None, &options) == 0 &&
        core_call_begin(&call, state, threads, progress) == 0) {
        const ald_status status =
            ald_dataset_survey(call.context, PyBytes_AsString(path), &options, &survey, &rows, &call.error);
        if (core_call_end(&call, status) == 0)
            made = core_dataset_wrap(state, survey, NULL);
        else
            ald_dataset_free(survey);
    }
    Py_DECREF(path);
    return made ? Py_BuildValue("NL", made, (long long)rows) : NULL;
}

static PyObject *core_fit_stream(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *path, *dict, *object, *parameters, *progress, *made = NULL;
    const char *method;
    ald_load_options options;
    int threads;
    core_call call;
    if (!PyArg_ParseTuple(args, "O&O!OsO!iO:fit_stream", PyUnicode_FSConverter, &path, &PyDict_Type, &dict,
                          &object, &method, &PyDict_Type, &parameters, &threads, &progress))
        return NULL;
    const ald_dataset *survey = core_dataset_of(state, object);
    ald_settings *settings = survey && core_load_options(state, dict, Py_None, &options) == 0
                                 ? core_settings_for(state, method, parameters, ald_dataset_target(survey), 1)
                                 : NULL;
    if (settings && core_call_begin(&call, state, threads, progress) == 0) {
        ald_model *model = NULL;
        const ald_status status = ald_fit_stream(call.context, settings, PyBytes_AsString(path), &options,
                                                 survey, &model, &call.error);
        made = end_fit(&call, model, status);
    }
    ald_settings_free(settings);
    Py_DECREF(path);
    return made;
}

static PyObject *core_update(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows;
    int take_away, threads;
    core_call call;
    ald_model *updated = NULL;
    if (!PyArg_ParseTuple(args, "OOpi:update", &object, &rows, &take_away, &threads)) return NULL;
    const ald_model *model = core_model_of(state, object);
    const ald_dataset *data = model ? core_dataset_of(state, rows) : NULL;
    if (!data || core_call_begin(&call, state, threads, Py_None) < 0) return NULL;
    const ald_status status = ald_update(call.context, model, data, take_away, &updated, &call.error);
    return end_fit(&call, updated, status);
}

static PyObject *core_first(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object;
    long long components;
    core_call call;
    ald_model *first = NULL;
    if (!PyArg_ParseTuple(args, "OL:first", &object, &components)) return NULL;
    const ald_model *model = core_model_of(state, object);
    if (!model || core_call_begin(&call, state, 1, Py_None) < 0) return NULL;
    const ald_status status = ald_model_first(call.context, model, components, &first, &call.error);
    return end_fit(&call, first, status);
}

static PyObject *core_method_auto(PyObject *module, PyObject *object)
{
    char reason[300] = "";
    const ald_dataset *data = core_dataset_of(core_state_of(module), object);
    if (!data) return NULL;
    const char *name = ald_method_auto(data, reason, sizeof reason);
    return Py_BuildValue("zs", name, reason);
}

static const struct {
    const char *name;
    unsigned bit;
} traits[] = {
    {"components", ALD_PARAM_IS_COMPONENTS}, {"gaps", ALD_PARAM_IS_GAPS},     {"seed", ALD_PARAM_IS_SEED},
    {"iterations", ALD_PARAM_IS_ITERATIONS}, {"kernel", ALD_PARAM_IS_KERNEL},
};

static PyObject *core_method_names(PyObject *module, PyObject *unused)
{
    PyObject *names = PyTuple_New(ald_method_count());
    (void)module;
    (void)unused;
    for (int i = 0; names && i < ald_method_count(); i++) {
        PyObject *name = PyUnicode_FromString(ald_method_name(ald_method_at(i)));
        if (!name || PyTuple_SetItem(names, i, name) < 0) Py_CLEAR(names);
    }
    return names;
}

/* The names of its capabilities, a list. */
static PyObject *capabilities_of(const ald_method *method)
{
    PyObject *names = PyList_New(0);
    const unsigned can = ald_method_capabilities(method);
    for (unsigned bit = 1; names && ald_capability_name(bit); bit <<= 1) {
        PyObject *name = can & bit ? PyUnicode_FromString(ald_capability_name(bit)) : NULL;
        if (can & bit && (!name || PyList_Append(names, name) < 0)) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

/* (capabilities, its parameter of each trait that it has), or None where there is no such method. */
static PyObject *core_method_facts(PyObject *module, PyObject *args)
{
    const char *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "s:method_facts", &name)) return NULL;
    const ald_method *method = ald_method_find(name);
    if (!method) Py_RETURN_NONE;
    PyObject *params = PyDict_New();
    for (size_t i = 0; params && i < sizeof traits / sizeof *traits; i++) {
        const ald_param *param = ald_method_param_with(method, traits[i].bit);
        PyObject *text = param ? PyUnicode_FromString(param->name) : NULL;
        if (param && (!text || PyDict_SetItemString(params, traits[i].name, text) < 0)) Py_CLEAR(params);
        Py_XDECREF(text);
    }
    PyObject *can = params ? capabilities_of(method) : NULL;
    if (can) return Py_BuildValue("NN", can, params);
    Py_XDECREF(params);
    return NULL;
}

typedef ald_status (*row_function)(ald_context *context, const ald_model *model, const ald_matrix *x,
                                   double *out, ald_error *error);

/* Rows of a dataset through a model: args are (model, dataset, out, threads). */
static PyObject *through(PyObject *module, PyObject *args, row_function run)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *out;
    int threads;
    core_call call;
    ald_output_view view;
    Py_buffer held;
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    if (!PyArg_ParseTuple(args, "OOOi", &object, &rows, &out, &threads)) return NULL;
    const ald_model *model = core_model_of(state, object);
    const ald_dataset *data = model ? core_dataset_of(state, rows) : NULL;
    if (!data || core_output_take(out, &view, &held) < 0) return NULL;
    const ald_matrix *x = ald_dataset_x(data);
    const int has_shape = ald_model_prediction_shape(model, &shape);
    const int64_t predicted = has_shape ? shape.scores : 0;
    const int64_t cols = run == ald_transform ? ald_model_component_count(model) : predicted;
    int done = -1;
    if (!core_output_is_tight(&view, x->rows, cols))
        PyErr_SetString(PyExc_ValueError, "the result does not fit into the array");
    else if (core_call_begin(&call, state, threads, Py_None) == 0)
        done = core_call_end(&call, run(call.context, model, x, view.values, &call.error));
    PyBuffer_Release(&held);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *core_table_transform(PyObject *module, PyObject *args)
{
    return through(module, args, ald_transform);
}

static PyObject *core_table_scores(PyObject *module, PyObject *args)
{
    return through(module, args, ald_predict_scores);
}

PyMethodDef core_table_fits_functions[] = {
    {"fit_table", core_fit_table, METH_VARARGS,
     "fit_table(dataset, method, parameters, threads, progress) -> Model"},
    {"survey", core_survey, METH_VARARGS, "survey(path, options, threads, progress): (Dataset, rows)"},
    {"fit_stream", core_fit_stream, METH_VARARGS,
     "fit_stream(path, options, survey, method, parameters, threads, progress) -> Model"},
    {"update", core_update, METH_VARARGS, "update(model, dataset, take_away, threads) -> Model"},
    {"first", core_first, METH_VARARGS, "first(model, components) -> Model"},
    {"method_auto", core_method_auto, METH_O, "method_auto(dataset): (name, reason)"},
    {"method_names", core_method_names, METH_NOARGS, "method_names(): all, in the order of the library"},
    {"method_facts", core_method_facts, METH_VARARGS,
     "method_facts(name): (capabilities, parameters by trait), or None"},
    {"table_transform", core_table_transform, METH_VARARGS, "table_transform(model, dataset, out, threads)"},
    {"table_scores", core_table_scores, METH_VARARGS, "table_scores(model, dataset, out, threads)"},
    {NULL, NULL, 0, NULL},
};
