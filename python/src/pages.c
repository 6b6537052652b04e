/* merge: one model of models of parts of the rows. report: one page in HTML. */
#include "calls.h"
#include "datasets.h"
#include "functions.h"
#include "models.h"
#include "py_judging.h"

#include <stdlib.h>

static ald_status merge_all(ald_context *context, const ald_model *const *parts, Py_ssize_t count,
                            ald_model **all, ald_error *error)
{
    ald_merging *sum = NULL;
    ald_status status = ald_merging_new(context, parts[0], &sum, error);
    for (Py_ssize_t i = 1; status >= 0 && i < count; i++) status = ald_merging_add(sum, parts[i], error);
    if (status >= 0) status = ald_merging_fit(sum, all, error);
    ald_merging_free(sum);
    return status;
}

/* The models of a tuple; NULL with an exception. */
static const ald_model **models_of(const core_state *state, PyObject *tuple)
{
    const Py_ssize_t count = PyTuple_Size(tuple);
    const ald_model **parts = calloc((size_t)count + 1, sizeof *parts);
    if (!parts) PyErr_NoMemory();
    for (Py_ssize_t i = 0; parts && i < count; i++) {
        parts[i] = core_model_of(state, PyTuple_GetItem(tuple, i));
        if (parts[i]) continue;
        free(parts);
        return NULL;
    }
    return parts;
}

static PyObject *core_merge(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *tuple, *made = NULL;
    core_call call;
    ald_model *all = NULL;
    if (!PyArg_ParseTuple(args, "O!:merge", &PyTuple_Type, &tuple)) return NULL;
    if (PyTuple_Size(tuple) < 1) {
        PyErr_SetString(PyExc_ValueError, "there are no models to merge");
        return NULL;
    }
    const ald_model **parts = models_of(state, tuple);
    if (parts && core_call_begin(&call, state, 1, Py_None) == 0) {
        const ald_status status = merge_all(call.context, parts, PyTuple_Size(tuple), &all, &call.error);
        if (core_call_end(&call, status) == 0)
            made = core_model_wrap(state, all);
        else
            ald_model_free(all);
    }
    free(parts);
    return made;
}

static const core_field report_fields[] = {
    CORE_FIELD(ald_report_options, CORE_TEXT, title),
    CORE_FIELD(ald_report_options, CORE_INT64, folds),
    CORE_FIELD(ald_report_options, CORE_INT64, resamples),
    CORE_FIELD(ald_report_options, CORE_INT, quick),
    CORE_FIELD(ald_report_options, CORE_UINT64, seed),
    CORE_FIELD(ald_report_options, CORE_TEXT, model_path),
    CORE_FIELD(ald_report_options, CORE_TEXT, data_path),
    CORE_FIELD(ald_report_options, CORE_TEXT, test_path),
    {0},
};

/* What a page is about: a model, or a comparison where it is NULL. */
typedef struct page {
    const ald_model *model;
    const ald_comparison *comparison;
    const ald_dataset *data, *test;
    ald_report_options options;
} page;

static int optional_dataset(const core_state *state, PyObject *object, const ald_dataset **data)
{
    *data = object == Py_None ? NULL : core_dataset_of(state, object);
    return object == Py_None || *data != NULL;
}

static int take_page(const core_state *state, PyObject *args, page *p, int *threads, PyObject **progress)
{
    PyObject *subject, *rows, *more, *dict, *tuning;
    *p = (page){.options = ALD_REPORT_OPTIONS_INIT};
    if (!PyArg_ParseTuple(args, "OOOO!OiO:report", &subject, &rows, &more, &PyDict_Type, &dict, &tuning,
                          threads, progress) ||
        core_record_fill(dict, report_fields, &p->options) < 0)
        return -1;
    if (PyCapsule_CheckExact(subject))
        p->comparison = core_comparison_of(subject);
    else
        p->model = core_model_of(state, subject);
    if (tuning != Py_None && !(p->options.tuning = core_tuning_of(tuning))) return -1;
    const int taken = optional_dataset(state, rows, &p->data) && optional_dataset(state, more, &p->test);
    return taken && (p->model || p->comparison) ? 0 : -1;
}

static PyObject *core_report(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *progress;
    int threads;
    page p;
    core_call call;
    char *html = NULL;
    if (take_page(state, args, &p, &threads, &progress) < 0 ||
        core_call_begin(&call, state, threads, progress) < 0)
        return NULL;
    const ald_status status =
        p.model ? ald_report(call.context, p.model, p.data, p.test, &p.options, &html, &call.error)
                : ald_report_comparison(call.context, p.comparison, p.data, &p.options, &html, &call.error);
    return core_call_end_text(&call, html, status);
}

PyMethodDef core_pages_functions[] = {
    {"merge", core_merge, METH_VARARGS, "merge(models) -> Model, of a tuple of models that keep statistics"},
    {"report", core_report, METH_VARARGS,
     "report(model or capsule, dataset, test, options, tuning, threads, progress): HTML"},
    {NULL, NULL, 0, NULL},
};
