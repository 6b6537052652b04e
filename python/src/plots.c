/* The library's own pictures, as texts in SVG. */
#include "calls.h"
#include "datasets.h"
#include "functions.h"
#include "models.h"
#include "py_judging.h"

static const core_field plot_fields[] = {
    CORE_FIELD(ald_plot_options, CORE_TEXT, kind),       CORE_FIELD(ald_plot_options, CORE_INT, x_component),
    CORE_FIELD(ald_plot_options, CORE_INT, y_component), CORE_FIELD(ald_plot_options, CORE_INT64, response),
    CORE_FIELD(ald_plot_options, CORE_INT, by_label),    CORE_FIELD(ald_plot_options, CORE_TEXT, importance),
    CORE_FIELD(ald_plot_options, CORE_TEXT, title),      CORE_FIELD(ald_plot_options, CORE_INT, width),
    CORE_FIELD(ald_plot_options, CORE_INT, height),      {0},
};

static int optional_dataset(const core_state *state, PyObject *object, const ald_dataset **data)
{
    *data = object == Py_None ? NULL : core_dataset_of(state, object);
    return object == Py_None || *data != NULL;
}

static PyObject *core_plot(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *more, *dict;
    const ald_dataset *data, *test;
    core_call call;
    char *svg = NULL;
    ald_plot_options options = ALD_PLOT_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OOOO!:plot", &object, &rows, &more, &PyDict_Type, &dict) ||
        core_record_fill(dict, plot_fields, &options) < 0)
        return NULL;
    const ald_model *model = core_model_of(state, object);
    if (!model || !optional_dataset(state, rows, &data) || !optional_dataset(state, more, &test) ||
        core_call_begin(&call, state, 1, Py_None) < 0)
        return NULL;
    const ald_status status = ald_plot(call.context, model, data, test, &options, &svg, &call.error);
    return core_call_end_text(&call, svg, status);
}

static PyObject *core_plot_comparison(PyObject *module, PyObject *args)
{
    PyObject *capsule, *list, *dict, *made = NULL;
    core_names names = {0};
    core_call call;
    char *svg = NULL;
    ald_plot_options options = ALD_PLOT_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OOO!:plot_comparison", &capsule, &list, &PyDict_Type, &dict) ||
        core_record_fill(dict, plot_fields, &options) < 0)
        return NULL;
    const ald_comparison *comparison = core_comparison_of(capsule);
    if (!comparison) return NULL;
    if (core_names_take(list, "names", &names) == 0) {
        if (names.texts && names.count != ald_comparison_count(comparison))
            PyErr_SetString(PyExc_ValueError, "a name for each row of the comparison is wanted");
        else if (core_call_begin(&call, core_state_of(module), 1, Py_None) == 0) {
            const ald_status status =
                ald_plot_comparison(call.context, comparison, names.texts, &options, &svg, &call.error);
            made = core_call_end_text(&call, svg, status);
        }
    }
    core_names_drop(&names);
    return made;
}

static PyObject *core_plot_selection(PyObject *module, PyObject *args)
{
    PyObject *list, *share, *dict, *made = NULL;
    double chance;
    core_names names = {0};
    Py_buffer held = {0};
    core_call call;
    char *svg = NULL;
    ald_plot_options options = ALD_PLOT_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OOdO!:plot_selection", &list, &share, &chance, &PyDict_Type, &dict) ||
        core_record_fill(dict, plot_fields, &options) < 0)
        return NULL;
    if (core_names_take(list, "names", &names) == 0 && core_vector_take(share, "share", 'd', &held) == 0) {
        if (names.count != held.shape[0])
            PyErr_SetString(PyExc_ValueError, "a name for each share is wanted");
        else if (core_call_begin(&call, core_state_of(module), 1, Py_None) == 0) {
            const ald_status status = ald_plot_selection(call.context, names.texts, held.buf, names.count,
                                                         chance, &options, &svg, &call.error);
            made = core_call_end_text(&call, svg, status);
        }
    }
    core_vector_drop(&held);
    core_names_drop(&names);
    return made;
}

PyMethodDef core_plots_functions[] = {
    {"plot", core_plot, METH_VARARGS, "plot(model, dataset, test, options): SVG"},
    {"plot_comparison", core_plot_comparison, METH_VARARGS, "plot_comparison(capsule, names, options): SVG"},
    {"plot_selection", core_plot_selection, METH_VARARGS,
     "plot_selection(names, share, chance, options): SVG"},
    {NULL, NULL, 0, NULL},
};
