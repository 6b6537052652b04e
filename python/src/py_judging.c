/* compare and tune: what the library found as capsules, which free it, and as dicts. */
#include "py_judging.h"

#include "calls.h"
#include "datasets.h"
#include "functions.h"
#include "models.h"

#include <string.h>
#include <time.h>

static const char comparison_name[] = "alidade.comparison", tuning_name[] = "alidade.tuning";

const ald_comparison *core_comparison_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, comparison_name);
}

const ald_tuning *core_tuning_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, tuning_name);
}

static void free_comparison(PyObject *capsule)
{
    ald_comparison_free(PyCapsule_GetPointer(capsule, comparison_name));
}

static void free_tuning(PyObject *capsule)
{
    ald_tuning_free(PyCapsule_GetPointer(capsule, tuning_name));
}

/* Frees nothing: it keeps the capsule of the tuning that the comparison belongs to. */
static void release_owner(PyObject *capsule)
{
    PyObject *owner = PyCapsule_GetContext(capsule);
    Py_XDECREF(owner);
}

static PyObject *part_of(PyObject *owner, const ald_comparison *comparison)
{
    if (!comparison) Py_RETURN_NONE;
    PyObject *capsule = PyCapsule_New((void *)(uintptr_t)comparison, comparison_name, release_owner);
    if (!capsule) return NULL;
    Py_INCREF(owner);
    PyCapsule_SetContext(capsule, owner);
    return capsule;
}

static const core_field split_fields[] = {
    CORE_FIELD(ald_splits_options, CORE_INT64, splits),
    CORE_FIELD(ald_splits_options, CORE_REAL, train),
    CORE_FIELD(ald_splits_options, CORE_INT64, folds),
    CORE_FIELD(ald_splits_options, CORE_INT64, repeats),
    CORE_FIELD(ald_splits_options, CORE_INT, stratify),
    CORE_FIELD(ald_splits_options, CORE_INT, keep_duplicates),
    CORE_FIELD(ald_splits_options, CORE_UINT64, seed),
    {0},
};

static const core_field search_fields[] = {
    CORE_FIELD(ald_search, CORE_TEXT, methods),     CORE_FIELD(ald_search, CORE_TEXT, components),
    CORE_FIELD(ald_search, CORE_INT64, random),     CORE_FIELD(ald_search, CORE_UINT64, seed),
    CORE_FIELD(ald_search, CORE_INT, no_baselines), CORE_FIELD(ald_search, CORE_INT, choose),
    CORE_FIELD(ald_search, CORE_INT, rule),         {0},
};

static const core_field compare_fields[] = {
    CORE_FIELD(ald_compare_options, CORE_TEXT, metric),
    CORE_FIELD(ald_compare_options, CORE_INT, fill_missing),
    CORE_FIELD(ald_compare_options, CORE_INT, keep_predictions),
    CORE_FIELD(ald_compare_options, CORE_TEXT, resume),
    CORE_FIELD(ald_compare_options, CORE_INT, race),
    CORE_FIELD(ald_compare_options, CORE_REAL, time_limit),
    {0},
};

static const core_field tune_fields[] = {
    CORE_FIELD(ald_tune_options, CORE_INT, rule),
    CORE_FIELD(ald_tune_options, CORE_INT, no_nested),
    CORE_FIELD(ald_tune_options, CORE_TEXT, metric),
    CORE_FIELD(ald_tune_options, CORE_INT, fill_missing),
    CORE_FIELD(ald_tune_options, CORE_INT, keep_predictions),
    CORE_FIELD(ald_tune_options, CORE_TEXT, resume),
    CORE_FIELD(ald_tune_options, CORE_INT, race),
    CORE_FIELD(ald_tune_options, CORE_REAL, time_limit),
    {0},
};

static const core_field row_fields[] = {
    CORE_FIELD(ald_comparison_row, CORE_TEXT, label),
    CORE_FIELD(ald_comparison_row, CORE_TEXT, method),
    CORE_FIELD(ald_comparison_row, CORE_TEXT, words),
    {"components", CORE_INT64, offsetof(ald_comparison_row, dims)},
    CORE_FIELD(ald_comparison_row, CORE_REAL, mean),
    CORE_FIELD(ald_comparison_row, CORE_REAL, std),
    CORE_FIELD(ald_comparison_row, CORE_INT64, count),
    CORE_FIELD(ald_comparison_row, CORE_REAL, p_value),
    CORE_FIELD(ald_comparison_row, CORE_REAL, difference),
    CORE_FIELD(ald_comparison_row, CORE_REAL, difference_low),
    CORE_FIELD(ald_comparison_row, CORE_REAL, difference_high),
    CORE_FIELD(ald_comparison_row, CORE_INT, mark),
    CORE_FIELD(ald_comparison_row, CORE_REAL, fit_seconds),
    CORE_FIELD(ald_comparison_row, CORE_REAL, apply_seconds),
    CORE_FIELD(ald_comparison_row, CORE_TEXT, reason),
    CORE_FIELD(ald_comparison_row, CORE_INT64, left_after),
    {0},
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What is tried, and the lists of texts that it points to. */
typedef struct searching {
    ald_search search;
    ald_splits_options inner;
    core_names settings, grids;
} searching;

static int take_search(PyObject *dict, PyObject *settings, PyObject *grids, PyObject *inner, searching *taken)
{
    *taken = (searching){.search = ALD_SEARCH_INIT, .inner = ALD_SPLITS_OPTIONS_INIT};
    if (core_record_fill(dict, search_fields, &taken->search) < 0 ||
        core_record_fill(inner, split_fields, &taken->inner) < 0 ||
        core_names_take(settings, "settings", &taken->settings) < 0 ||
        core_names_take(grids, "grid", &taken->grids) < 0)
        return -1;
    taken->search.settings = taken->settings.texts;
    taken->search.grids = taken->grids.texts;
    taken->search.inner = &taken->inner;
    return 0;
}

static void drop_search(searching *taken)
{
    core_names_drop(&taken->settings);
    core_names_drop(&taken->grids);
}

static PyObject *run_compare(core_state *state, const ald_dataset *data, const ald_compare_options *options,
                             int threads, PyObject *progress)
{
    core_call call;
    ald_comparison *made = NULL;
    if (core_call_begin_on(&call, state, threads, progress, data) < 0) return NULL;
    const ald_status status = ald_compare_dataset(call.context, data, options, &made, &call.error);
    PyObject *capsule = NULL;
    if (core_call_end(&call, status) == 0) capsule = PyCapsule_New(made, comparison_name, free_comparison);
    if (!capsule) ald_comparison_free(made);
    return capsule;
}

static PyObject *core_compare(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *search, *settings, *grids, *splits, *inner, *more, *progress, *made = NULL;
    int threads;
    ald_splits_options outer = ALD_SPLITS_OPTIONS_INIT;
    ald_compare_options options = ALD_COMPARE_OPTIONS_INIT;
    searching taken;
    if (!PyArg_ParseTuple(args, "OO!OOO!O!O!iO:compare", &object, &PyDict_Type, &search, &settings, &grids,
                          &PyDict_Type, &splits, &PyDict_Type, &inner, &PyDict_Type, &more, &threads,
                          &progress))
        return NULL;
    const ald_dataset *data = core_dataset_of(state, object);
    if (!data) return NULL;
    if (take_search(search, settings, grids, inner, &taken) == 0 &&
        core_record_fill(splits, split_fields, &outer) == 0 &&
        core_record_fill(more, compare_fields, &options) == 0) {
        options.search = &taken.search;
        options.splits = &outer;
        options.clock = options.timer = seconds_now;
        made = run_compare(state, data, &options, threads, progress);
    }
    drop_search(&taken);
    return made;
}

/* (capsule of all, that of the curve, that of the nested comparison or None, row chosen, row with the best
 * mean, within)
 */
static PyObject *tuning_parts(ald_tuning *tuning)
{
    PyObject *owner = PyCapsule_New(tuning, tuning_name, free_tuning);
    if (!owner) {
        ald_tuning_free(tuning);
        return NULL;
    }
    PyObject *curve = part_of(owner, ald_tuning_curve(tuning));
    PyObject *nested = part_of(owner, ald_tuning_nested(tuning));
    PyObject *parts = curve && nested
                          ? Py_BuildValue("OOOiid", owner, curve, nested, ald_tuning_chosen(tuning),
                                          ald_tuning_best(tuning), ald_tuning_within(tuning))
                          : NULL;
    Py_XDECREF(curve);
    Py_XDECREF(nested);
    Py_DECREF(owner);
    return parts;
}

static PyObject *run_tune(core_state *state, const ald_dataset *data, const ald_tune_options *options,
                          int threads, PyObject *progress)
{
    core_call call;
    ald_tuning *tuning = NULL;
    ald_model *model = NULL;
    if (core_call_begin_on(&call, state, threads, progress, data) < 0) return NULL;
    const ald_status status = ald_tune(call.context, data, options, &tuning, &model, &call.error);
    if (core_call_end(&call, status) < 0) {
        ald_tuning_free(tuning);
        ald_model_free(model);
        return NULL;
    }
    PyObject *wrapped = core_model_wrap(state, model), *parts = tuning_parts(tuning);
    PyObject *both = wrapped && parts ? Py_BuildValue("OO", wrapped, parts) : NULL;
    Py_XDECREF(wrapped);
    Py_XDECREF(parts);
    return both;
}

static PyObject *core_tune(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *search, *settings, *grids, *inside, *outside, *more, *progress, *made = NULL;
    int threads;
    ald_splits_options inner = ALD_SPLITS_OPTIONS_INIT, outer = ALD_SPLITS_OPTIONS_INIT;
    ald_tune_options options = ALD_TUNE_OPTIONS_INIT;
    searching taken;
    if (!PyArg_ParseTuple(args, "OO!OOO!O!O!iO:tune", &object, &PyDict_Type, &search, &settings, &grids,
                          &PyDict_Type, &inside, &PyDict_Type, &outside, &PyDict_Type, &more, &threads,
                          &progress))
        return NULL;
    const ald_dataset *data = core_dataset_of(state, object);
    if (!data) return NULL;
    if (take_search(search, settings, grids, Py_None, &taken) == 0 &&
        core_record_fill(inside, split_fields, &inner) == 0 &&
        core_record_fill(outside, split_fields, &outer) == 0 &&
        core_record_fill(more, tune_fields, &options) == 0) {
        taken.search.tuning = 1;
        options.search = &taken.search;
        options.inner = &inner;
        options.outer = &outer;
        options.timer = seconds_now;
        made = run_tune(state, data, &options, threads, progress);
    }
    drop_search(&taken);
    return made;
}

static PyObject *run_usual(core_state *state, const ald_dataset *data, const ald_search *search, int threads,
                           PyObject *progress)
{
    core_call call;
    ald_model *model = NULL;
    if (core_call_begin_on(&call, state, threads, progress, data) < 0) return NULL;
    const ald_status status = ald_fit_usual(call.context, data, search, &model, &call.error);
    const int refused = status < 0 && status != ALD_ERROR_MEMORY && status != ALD_ERROR_CANCELLED;
    const ald_error why = call.error;
    if (core_call_end(&call, refused ? ALD_OK : status) == 0 && !refused)
        return core_model_wrap(state, model);
    ald_model_free(model);
    if (refused && !PyErr_Occurred()) return PyUnicode_FromString(why.message);
    return NULL;
}

static PyObject *core_fit_usual(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *search, *settings, *progress, *made = NULL;
    int threads;
    searching taken;
    if (!PyArg_ParseTuple(args, "OO!OiO:fit_usual", &object, &PyDict_Type, &search, &settings, &threads,
                          &progress))
        return NULL;
    const ald_dataset *data = core_dataset_of(state, object);
    if (!data) return NULL;
    if (take_search(search, settings, Py_None, Py_None, &taken) == 0)
        made = run_usual(state, data, &taken.search, threads, progress);
    drop_search(&taken);
    return made;
}

/* The values of all metrics, split by split: {metric: [per row [per split]]}. */
static PyObject *values_of(const ald_comparison *made, int row, int metric, int64_t splits)
{
    const double *values = ald_comparison_values(made, row, metric);
    PyObject *list = PyList_New((Py_ssize_t)splits);
    for (int64_t s = 0; list && s < splits; s++) {
        PyObject *value = PyFloat_FromDouble(values ? values[s] : -1.0);
        if (!value || PyList_SetItem(list, (Py_ssize_t)s, value) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *core_comparison_values(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *wanted;
    (void)module;
    if (!PyArg_ParseTuple(args, "Os:comparison_values", &capsule, &wanted)) return NULL;
    const ald_comparison *made = core_comparison_of(capsule);
    if (!made) return NULL;
    int metric = 0;
    const char *name;
    while ((name = ald_comparison_metric_at(made, metric)) && strcmp(name, wanted) != 0) metric++;
    if (!name) {
        PyErr_Format(PyExc_ValueError, "there is no metric '%s' here", wanted);
        return NULL;
    }
    const int64_t splits = ald_splits_count(ald_comparison_splits(made));
    PyObject *rows = PyList_New(0);
    for (int row = 0; rows && row < ald_comparison_count(made); row++) {
        PyObject *values = values_of(made, row, metric, splits);
        if (!values || PyList_Append(rows, values) < 0) Py_CLEAR(rows);
        Py_XDECREF(values);
    }
    return rows;
}

static PyObject *metric_names(const ald_comparison *made)
{
    PyObject *names = PyList_New(0);
    const char *name;
    for (int i = 0; names && (name = ald_comparison_metric_at(made, i)); i++) {
        PyObject *text = PyUnicode_FromString(name);
        if (!text || PyList_Append(names, text) < 0) Py_CLEAR(names);
        Py_XDECREF(text);
    }
    return names;
}

static PyObject *comparison_rows(const ald_comparison *made)
{
    PyObject *rows = PyList_New(0);
    for (int i = 0; rows && i < ald_comparison_count(made); i++) {
        PyObject *row = core_record_dict(row_fields, ald_comparison_at(made, i));
        if (!row || PyList_Append(rows, row) < 0) Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    return rows;
}

/* {rows, metric, larger_is_better, metrics, splits, note, duplicates, unmarked, cut, marks} */
static PyObject *core_comparison(PyObject *module, PyObject *capsule)
{
    int larger = 0;
    (void)module;
    const ald_comparison *made = core_comparison_of(capsule);
    if (!made) return NULL;
    const ald_splits *splits = ald_comparison_splits(made);
    const char *metric = ald_comparison_metric(made, &larger);
    PyObject *rows = comparison_rows(made), *metrics = metric_names(made);
    if (rows && metrics)
        return Py_BuildValue(
            "{s:N,s:N,s:s,s:i,s:L,s:s,s:L,s:z,s:z,s:(sss)}", "rows", rows, "metrics", metrics, "metric",
            metric, "larger_is_better", larger, "splits", (long long)ald_splits_count(splits), "note",
            ald_splits_note(splits), "duplicates", (long long)ald_splits_duplicates(splits), "unmarked",
            ald_comparison_unmarked(made), "cut", ald_comparison_cut(made), "marks",
            ald_mark_name(ALD_MARK_NONE), ald_mark_name(ALD_MARK_BEST), ald_mark_name(ALD_MARK_EQUAL));
    Py_XDECREF(rows);
    Py_XDECREF(metrics);
    return NULL;
}

static PyObject *bytes_of(const void *numbers, int64_t count)
{
    if (!numbers) Py_RETURN_NONE;
    return PyBytes_FromStringAndSize(numbers, (Py_ssize_t)count * (Py_ssize_t)sizeof(double));
}

/* (outputs, mean, classes or None, tested): bytes of doubles, and of int64 in the end */
static PyObject *core_comparison_predictions(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    int row;
    ald_error error;
    ald_out_of_fold found = ALD_OUT_OF_FOLD_INIT;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oi:comparison_predictions", &capsule, &row)) return NULL;
    const ald_comparison *made = core_comparison_of(capsule);
    if (!made) return NULL;
    const ald_status status = ald_comparison_predictions(made, row, &found, &error);
    if (status < 0) {
        core_raise(&error, status);
        return NULL;
    }
    return Py_BuildValue("(LNNN)", (long long)found.outputs, bytes_of(found.mean, found.rows * found.outputs),
                         bytes_of(found.classes, found.rows), bytes_of(found.tested, found.rows));
}

static PyObject *core_only_real(PyObject *module, PyObject *args)
{
    const char *methods;
    int only_real = 0;
    ald_error error;
    (void)module;
    if (!PyArg_ParseTuple(args, "z:only_real", &methods)) return NULL;
    const ald_status status = ald_methods_check(methods, &only_real, &error);
    if (status < 0) {
        core_raise(&error, status);
        return NULL;
    }
    return PyBool_FromLong(only_real);
}

PyMethodDef core_judging_functions[] = {
    {"compare", core_compare, METH_VARARGS,
     "compare(dataset, search, settings, grids, splits, inner, options, threads, progress) -> capsule"},
    {"tune", core_tune, METH_VARARGS,
     "tune(dataset, search, settings, grids, inner, outer, options, threads, progress): (Model, parts)"},
    {"fit_usual", core_fit_usual, METH_VARARGS,
     "fit_usual(dataset, search, settings, threads, progress): Model, or why nothing can be compared"},
    {"comparison", core_comparison, METH_O, "comparison(capsule): its rows and what it is, a dict"},
    {"comparison_values", core_comparison_values, METH_VARARGS,
     "comparison_values(capsule, metric): per row the value in every split"},
    {"comparison_predictions", core_comparison_predictions, METH_VARARGS,
     "comparison_predictions(capsule, row): (outputs, mean, classes or None, tested), of fits that did not "
     "see the rows"},
    {"only_real", core_only_real, METH_VARARGS, "only_real(methods): whether each takes numbers only"},
    {NULL, NULL, 0, NULL},
};
