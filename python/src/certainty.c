/* Intervals and sets of rows, and the errors of a model that they are made from. */
#include "calls.h"
#include "datasets.h"
#include "functions.h"
#include "models.h"

#include <stdlib.h>

static PyObject *core_calibrate(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *progress;
    int threads;
    long long folds;
    core_call call;
    ald_model *calibrated = NULL;
    ald_calibration_options options = ALD_CALIBRATION_OPTIONS_INIT;
    if (!PyArg_ParseTuple(args, "OOLiO:calibrate", &object, &rows, &folds, &threads, &progress)) return NULL;
    const ald_model *model = core_model_of(state, object);
    const ald_dataset *data = model ? core_dataset_of(state, rows) : NULL;
    if (!data || core_call_begin_on(&call, state, threads, progress, data) < 0) return NULL;
    options.folds = folds;
    if (folds > 0) options.groups = ald_dataset_groups(data);
    const ald_status status = ald_calibrate(call.context, model, ald_dataset_x(data),
                                            ald_dataset_target(data), &options, &calibrated, &call.error);
    if (core_call_end(&call, status) == 0) return core_model_wrap(state, calibrated);
    ald_model_free(calibrated);
    return NULL;
}

static PyObject *core_calibration_count(PyObject *module, PyObject *object)
{
    const ald_model *model = core_model_of(core_state_of(module), object);
    return model ? PyLong_FromLongLong(ald_model_calibration_count(model)) : NULL;
}

typedef struct regions_job {
    const ald_model *model;
    const ald_matrix *x;
    double level;
    double *out;         /* numbers: the lower ends of all rows, then the upper ones; else the sets */
    int64_t count;       /* rows x outputs */
    unsigned char *sets; /* as of ald_predict_sets; NULL: numbers */
} regions_job;

static ald_status find_regions(core_call *call, const regions_job *job)
{
    if (!job->sets)
        return ald_predict_intervals(call->context, job->model, job->x, job->level, job->out,
                                     job->out + job->count, &call->error);
    const ald_status status =
        ald_predict_sets(call->context, job->model, job->x, job->level, job->sets, &call->error);
    for (int64_t i = 0; i < job->count; i++) job->out[i] = job->sets[i];
    return status;
}

static int run_regions(core_state *state, regions_job *job, PyObject *out, int threads)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_output_view view;
    Py_buffer held;
    core_call call;
    int done = -1;
    if (core_output_take(out, &view, &held) < 0) return -1;
    ald_model_prediction_shape(job->model, &shape);
    const int numbers = shape.kind == ALD_TARGET_REAL;
    job->count = job->x->rows * shape.scores;
    job->out = view.values;
    if (!core_output_is_tight(&view, (numbers ? 2 : 1) * job->x->rows, shape.scores))
        PyErr_SetString(PyExc_ValueError, "the result does not fit into the array");
    else if (!numbers && !(job->sets = calloc((size_t)job->count + 1, 1)))
        PyErr_NoMemory();
    else if (core_call_begin(&call, state, threads, Py_None) == 0)
        done = core_call_end(&call, find_regions(&call, job));
    free(job->sets);
    PyBuffer_Release(&held);
    return done;
}

/* X is a dataset or an array. */
static PyObject *core_regions(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *object, *rows, *out;
    int threads, done = -1;
    regions_job job = {0};
    core_matrix taken = {0};
    if (!PyArg_ParseTuple(args, "OOdOi:regions", &object, &rows, &job.level, &out, &threads)) return NULL;
    if (!(job.model = core_model_of(state, object))) return NULL;
    if (PyObject_TypeCheck(rows, state->dataset_type))
        job.x = ald_dataset_x(core_dataset_of(state, rows));
    else if (core_matrix_take(rows, "X", &taken) == 0)
        job.x = &taken.view;
    if (job.x) done = run_regions(state, &job, out, threads);
    core_matrix_drop(&taken);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

PyMethodDef core_certainty_functions[] = {
    {"calibrate", core_calibrate, METH_VARARGS,
     "calibrate(model, dataset, folds, threads, progress) -> Model; folds 0: rows that it has not seen"},
    {"calibration_count", core_calibration_count, METH_O, "calibration_count(model): errors that it keeps"},
    {"regions", core_regions, METH_VARARGS,
     "regions(model, X or dataset, level, out, threads): writes lower and upper ends, or sets"},
    {NULL, NULL, 0, NULL},
};
