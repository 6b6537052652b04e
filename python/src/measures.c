/* Figures about models and data: evaluate, dimension, stability, importance, outliers, explained. */
#include "calls.h"
#include "datasets.h"
#include "functions.h"
#include "models.h"
#include "py_settings.h"

#include <stdlib.h>

static const core_field score_fields[] = {
    {"metric", CORE_CHARS, offsetof(ald_score, name)},
    CORE_FIELD(ald_score, CORE_CHARS, of),
    CORE_FIELD(ald_score, CORE_REAL, value),
    CORE_FIELD(ald_score, CORE_CHARS, note),
    {0},
};

/* The model and the dataset of two objects; 0 with an exception. */
static int both(const core_state *state, PyObject *model, PyObject *rows, const ald_model **m,
                const ald_dataset **d)
{
    *m = core_model_of(state, model);
    *d = *m ? core_dataset_of(state, rows) : NULL;
    return *d != NULL;
}

static ald_score *new_scores(int capacity)
{
    ald_score *scores = calloc((size_t)capacity + 1, sizeof *scores);
    for (int i = 0; scores && i <= capacity; i++) scores[i].size = sizeof *scores;
    if (!scores) PyErr_NoMemory();
    return scores;
}

static PyObject *core_evaluate(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *list = NULL;
    const ald_model *model;
    const ald_dataset *data;
    int threads, count = 0;
    core_call call;
    if (!PyArg_ParseTuple(args, "OOi:evaluate", &object, &rows, &threads) ||
        !both(state, object, rows, &model, &data))
        return NULL;
    const ald_target *y = ald_dataset_target(data);
    const int capacity = 32 + 16 * (int)(y->values.cols < 100000 ? y->values.cols : 100000);
    ald_score *scores = new_scores(capacity);
    if (scores && core_call_begin_on(&call, state, threads, Py_None, data) == 0) {
        const ald_status status =
            ald_evaluate(call.context, model, ald_dataset_x(data), y, scores, capacity, &count, &call.error);
        if (core_call_end(&call, status) == 0)
            list =
                core_record_list(score_fields, scores, count < capacity ? count : capacity, sizeof *scores);
    }
    free(scores);
    return list;
}

static PyObject *core_baseline(PyObject *module, PyObject *object)
{
    core_state *state = core_state_of(module);
    const ald_dataset *data = core_dataset_of(state, object);
    ald_context *context = data ? core_context(state, 1) : NULL;
    double accuracy = 0.0;
    int64_t code = -1;
    ald_error error;
    if (!context) return NULL;
    const ald_status status =
        ald_baseline_accuracy(context, ald_dataset_target(data), &accuracy, &code, &error);
    if (status >= 0) return Py_BuildValue("dL", accuracy, (long long)code);
    core_raise(&error, status);
    return NULL;
}

static const core_field dimension_option_fields[] = {
    CORE_FIELD(ald_dimension_options, CORE_INT64, max_dims),
    CORE_FIELD(ald_dimension_options, CORE_INT64, permutations),
    CORE_FIELD(ald_dimension_options, CORE_REAL, level),
    CORE_FIELD(ald_dimension_options, CORE_UINT64, seed),
    CORE_FIELD(ald_dimension_options, CORE_INT, every),
    CORE_FIELD(ald_dimension_options, CORE_INT64, resamples),
    {0},
};

static const core_field dimension_fields[] = {
    {"components", CORE_INT64, offsetof(ald_dimension_row, k)},
    CORE_FIELD(ald_dimension_row, CORE_REAL, eigenvalue),
    CORE_FIELD(ald_dimension_row, CORE_REAL, gap),
    CORE_FIELD(ald_dimension_row, CORE_REAL, ratio),
    {"explained_x", CORE_REAL, offsetof(ald_dimension_row, x_share)},
    {"explained_y", CORE_REAL, offsetof(ald_dimension_row, y_share)},
    CORE_FIELD(ald_dimension_row, CORE_REAL, chi_square),
    CORE_FIELD(ald_dimension_row, CORE_REAL, freedom),
    CORE_FIELD(ald_dimension_row, CORE_REAL, chi_square_p),
    CORE_FIELD(ald_dimension_row, CORE_REAL, statistic),
    CORE_FIELD(ald_dimension_row, CORE_REAL, permutation_p),
    CORE_FIELD(ald_dimension_row, CORE_INT64, failed),
    CORE_FIELD(ald_dimension_row, CORE_REAL, loglik),
    CORE_FIELD(ald_dimension_row, CORE_REAL, aic),
    CORE_FIELD(ald_dimension_row, CORE_REAL, bic),
    CORE_FIELD(ald_dimension_row, CORE_REAL, ladle_turn),
    CORE_FIELD(ald_dimension_row, CORE_REAL, ladle_value),
    {0},
};

static const core_field choice_fields[] = {
    CORE_FIELD(ald_dimension_choice, CORE_INT64, available),
    {"permutation", CORE_INT64, offsetof(ald_dimension_choice, by_permutation)},
    {"chi_square", CORE_INT64, offsetof(ald_dimension_choice, by_chi_square)},
    {"gap", CORE_INT64, offsetof(ald_dimension_choice, by_gap)},
    {"ratio", CORE_INT64, offsetof(ald_dimension_choice, by_ratio)},
    {"explained_x", CORE_INT64, offsetof(ald_dimension_choice, by_x)},
    {"explained_y", CORE_INT64, offsetof(ald_dimension_choice, by_y)},
    CORE_FIELD(ald_dimension_choice, CORE_CHARS, statistic),
    {"no_chi_square", CORE_CHARS, offsetof(ald_dimension_choice, chi_square)},
    CORE_FIELD(ald_dimension_choice, CORE_CHARS, note),
    {"aic", CORE_INT64, offsetof(ald_dimension_choice, by_aic)},
    {"bic", CORE_INT64, offsetof(ald_dimension_choice, by_bic)},
    {"ladle", CORE_INT64, offsetof(ald_dimension_choice, by_ladle)},
    {"no_ladle", CORE_CHARS, offsetof(ald_dimension_choice, ladle)},
    {0},
};

enum { most_dimensions = 1000 };

static PyObject *run_dimension(core_call *call, const ald_settings *settings, const ald_dataset *data,
                               const ald_dimension_options *options, ald_dimension_row *rows)
{
    int count = 0;
    ald_dimension_choice choice = ALD_DIMENSION_CHOICE_INIT;
    rows[0] = (ald_dimension_row)ALD_DIMENSION_ROW_INIT;
    const ald_status status =
        ald_dimension(call->context, settings, ald_dataset_x(data), ald_dataset_target(data), options, rows,
                      most_dimensions, &count, &choice, &call->error);
    if (core_call_end(call, status) < 0) return NULL;
    PyObject *list = core_record_list(dimension_fields, rows, count, sizeof *rows);
    PyObject *choices = core_record_dict(choice_fields, &choice);
    PyObject *pair = list && choices ? Py_BuildValue("OO", list, choices) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(choices);
    return pair;
}

static PyObject *core_dimension(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *parameters, *dict, *progress, *made = NULL;
    const char *method;
    int threads;
    core_call call;
    ald_dimension_options options = ALD_DIMENSION_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OsO!O!iO:dimension", &object, &method, &PyDict_Type, &parameters,
                          &PyDict_Type, &dict, &threads, &progress) ||
        core_record_fill(dict, dimension_option_fields, &options) < 0)
        return NULL;
    const ald_dataset *data = core_dataset_of(state, object);
    ald_settings *settings = data ? core_settings_new(state, method, parameters) : NULL;
    ald_dimension_row *rows = settings ? calloc(most_dimensions, sizeof *rows) : NULL;
    if (settings && !rows) PyErr_NoMemory();
    if (rows && core_call_begin_on(&call, state, threads, progress, data) == 0)
        made = run_dimension(&call, settings, data, &options, rows);
    free(rows);
    ald_settings_free(settings);
    return made;
}

static const core_field stability_option_fields[] = {
    CORE_FIELD(ald_stability_options, CORE_INT64, resamples),
    CORE_FIELD(ald_stability_options, CORE_INT, half),
    CORE_FIELD(ald_stability_options, CORE_UINT64, seed),
    CORE_FIELD(ald_stability_options, CORE_INT64, permuted),
    CORE_FIELD(ald_stability_options, CORE_INT64, leading),
    {0},
};

static const core_field stability_fields[] = {
    {"components", CORE_INT64, offsetof(ald_stability_row, k)},
    CORE_FIELD(ald_stability_row, CORE_REAL, mean),
    CORE_FIELD(ald_stability_row, CORE_REAL, largest),
    CORE_FIELD(ald_stability_row, CORE_REAL, high),
    CORE_FIELD(ald_stability_row, CORE_REAL, permuted_mean),
    CORE_FIELD(ald_stability_row, CORE_REAL, permuted_largest),
    CORE_FIELD(ald_stability_row, CORE_REAL, permuted_high),
    {0},
};

static const core_field stability_summary_fields[] = {
    CORE_FIELD(ald_stability_summary, CORE_INT64, resamples),
    CORE_FIELD(ald_stability_summary, CORE_INT64, failed),
    CORE_FIELD(ald_stability_summary, CORE_CHARS, note),
    CORE_FIELD(ald_stability_summary, CORE_INT64, permuted),
    CORE_FIELD(ald_stability_summary, CORE_INT64, leading),
    {0},
};

/* A 1 x count array of float64 or None. */
static int take_row(PyObject *object, int64_t count, Py_buffer *held, double **values)
{
    ald_output_view view;
    *values = NULL;
    if (object == Py_None) return 0;
    if (core_output_take(object, &view, held) < 0) return -1;
    if (core_output_is_tight(&view, 1, count)) {
        *values = view.values;
        return 0;
    }
    PyBuffer_Release(held);
    PyErr_Format(PyExc_ValueError, "an array of %lld float64 is wanted", (long long)count);
    return -1;
}

static PyObject *core_stability(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *dict, *frequency, *progress, *made = NULL;
    const ald_model *model;
    const ald_dataset *data;
    int threads;
    core_call call;
    Py_buffer held;
    ald_stability_options options = ALD_STABILITY_OPTIONS_INIT;
    ald_stability_summary summary = ALD_STABILITY_SUMMARY_INIT;
    if (!PyArg_ParseTuple(args, "OOO!OiO:stability", &object, &rows, &PyDict_Type, &dict, &frequency,
                          &threads, &progress) ||
        !both(state, object, rows, &model, &data) ||
        core_record_fill(dict, stability_option_fields, &options) < 0 ||
        take_row(frequency, ald_model_feature_count(model), &held, &options.frequency) < 0)
        return NULL;
    const int64_t count = ald_model_component_count(model);
    ald_stability_row *found = calloc((size_t)count + 1, sizeof *found);
    if (found) found[0].size = sizeof *found;
    if (!found) PyErr_NoMemory();
    if (found && core_call_begin_on(&call, state, threads, progress, data) == 0) {
        const ald_status status =
            ald_stability(call.context, model, ald_dataset_x(data), ald_dataset_target(data), &options, found,
                          &summary, &call.error);
        if (core_call_end(&call, status) == 0)
            made = Py_BuildValue("NN", core_record_list(stability_fields, found, count, sizeof *found),
                                 core_record_dict(stability_summary_fields, &summary));
    }
    if (options.frequency) PyBuffer_Release(&held);
    free(found);
    return made;
}

/* importance(model, kind, dataset or None, out) */
static PyObject *core_importance(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *out;
    int kind, done = -1;
    core_call call;
    ald_output_view view;
    Py_buffer held;
    const ald_dataset *data = NULL;
    if (!PyArg_ParseTuple(args, "OiOO:importance", &object, &kind, &rows, &out)) return NULL;
    const ald_model *model = core_model_of(state, object);
    if (!model || (rows != Py_None && !(data = core_dataset_of(state, rows))) ||
        core_output_take(out, &view, &held) < 0)
        return NULL;
    const int64_t wanted = kind == ALD_IMPORTANCE_VIP ? 1 : ald_model_component_count(model);
    if (kind < 0 || kind >= ALD_IMPORTANCE_KINDS ||
        !core_output_is_tight(&view, wanted, ald_model_feature_count(model)))
        PyErr_SetString(PyExc_ValueError, "the result does not fit into the array");
    else if (core_call_begin(&call, state, 1, Py_None) == 0)
        done = core_call_end(&call, ald_importance(call.context, model, (ald_importance_kind)kind,
                                                   data ? ald_dataset_x(data) : NULL,
                                                   data ? ald_dataset_target(data) : NULL, view.values,
                                                   &call.error));
    PyBuffer_Release(&held);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

static const core_field limit_fields[] = {
    CORE_FIELD(ald_outlier_limits, CORE_REAL, t2_95),
    CORE_FIELD(ald_outlier_limits, CORE_REAL, t2_99),
    CORE_FIELD(ald_outlier_limits, CORE_REAL, q_95),
    CORE_FIELD(ald_outlier_limits, CORE_REAL, q_99),
    {0},
};

/* outliers(model, dataset, out): out is 2 x rows, T^2 and Q; gives the limits. */
static PyObject *core_outliers(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *out, *made = NULL;
    const ald_model *model;
    const ald_dataset *data;
    core_call call;
    ald_output_view view;
    Py_buffer held;
    ald_outlier_limits limits = ALD_OUTLIER_LIMITS_INIT;
    if (!PyArg_ParseTuple(args, "OOO:outliers", &object, &rows, &out) ||
        !both(state, object, rows, &model, &data) || core_output_take(out, &view, &held) < 0)
        return NULL;
    const ald_matrix *x = ald_dataset_x(data);
    if (!core_output_is_tight(&view, 2, x->rows))
        PyErr_SetString(PyExc_ValueError, "the result does not fit into the array");
    else if (core_call_begin(&call, state, 1, Py_None) == 0) {
        double *values = view.values;
        const ald_status status =
            ald_outliers(call.context, model, x, values, values + x->rows, &limits, &call.error);
        if (core_call_end(&call, status) == 0) made = core_record_dict(limit_fields, &limits);
    }
    PyBuffer_Release(&held);
    return made;
}

PyMethodDef core_measures_functions[] = {
    {"evaluate", core_evaluate, METH_VARARGS, "evaluate(model, dataset, threads): figures, a list of dicts"},
    {"baseline", core_baseline, METH_O, "baseline(dataset): (accuracy of the most frequent class, its code)"},
    {"dimension", core_dimension, METH_VARARGS,
     "dimension(dataset, method, parameters, options, threads, progress): (rows, choice)"},
    {"stability", core_stability, METH_VARARGS,
     "stability(model, dataset, options, frequency, threads, progress): (rows, summary)"},
    {"importance", core_importance, METH_VARARGS, "importance(model, kind, dataset, out)"},
    {"outliers", core_outliers, METH_VARARGS, "outliers(model, dataset, out): limits"},
    {NULL, NULL, 0, NULL},
};
