/* transform, scores and predict: rows through a model, into an array that the caller made. */
#include "buffers.h"
#include "calls.h"
#include "functions.h"
#include "models.h"

/* One job: rows x through a model into a result. The functions differ only in what is called. */
typedef struct projection {
    const ald_model *model;
    core_matrix x;
    ald_output_view output;
    Py_buffer held;
    int on_device; /* the result */
    ald_status (*run)(ald_context *context, const struct projection *job, ald_error *error);
} projection;

static ald_status run_transform(ald_context *context, const projection *job, ald_error *error)
{
    if (job->on_device)
        return ald_transform_on_device(context, job->model, &job->x.view, &job->output, error);
    return ald_transform_to(context, job->model, &job->x.view, &job->output, error);
}

static ald_status run_scores(ald_context *context, const projection *job, ald_error *error)
{
    return ald_predict_scores(context, job->model, &job->x.view, job->output.values, error);
}

static ald_status run_predict(ald_context *context, const projection *job, ald_error *error)
{
    return ald_predict(context, job->model, &job->x.view, job->output.values, error);
}

/* Rows so few that they are done sooner than the interpreter could be let go of and taken back. */
static int is_small(const ald_matrix *x)
{
    return x->storage == ALD_DENSE && x->rows <= 64 && x->cols <= 4096 / (x->rows > 0 ? x->rows : 1);
}

static int run_at_once(core_state *state, const projection *job)
{
    ald_error error;
    ald_context *context = core_context(state, 1);
    if (!context) return -1;
    const ald_status status = job->run(context, job, &error);
    return status < 0 ? core_raise(&error, status) : 0;
}

static int run_job(core_state *state, const projection *job, int threads, PyObject *progress)
{
    core_call call;
    if (is_small(&job->x.view) && !job->on_device) return run_at_once(state, job);
    if (core_call_begin(&call, state, threads, progress) < 0) return -1;
    return core_call_end(&call, job->run(call.context, job, &call.error));
}

/* Predictions are written row by row without gaps, so the array must be as large as they are. */
static int output_fits(const projection *job, int64_t cols)
{
    const ald_output_view *out = &job->output;
    const int tight = out->type == ALD_F64 && out->col_stride == 1 && out->row_stride == cols;
    if (out->rows == job->x.view.rows && out->cols == cols &&
        (!job->on_device || job->run == run_transform) && (tight || cols == 0 || job->run == run_transform))
        return 1;
    PyErr_Format(PyExc_ValueError, "the result has %lld rows and %lld columns of float64, row after row",
                 (long long)job->x.view.rows, (long long)cols);
    return 0;
}

static int64_t output_columns(const projection *job)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    if (job->run == run_transform) return ald_model_component_count(job->model);
    if (!ald_model_prediction_shape(job->model, &shape)) return 0;
    return job->run == run_predict ? shape.columns : shape.scores;
}

static PyObject *project(PyObject *module, PyObject *const *args, Py_ssize_t count, projection *job)
{
    core_state *state = core_state_of(module);
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "model, X, out, threads and progress are wanted");
        return NULL;
    }
    const long threads = PyLong_AsLong(args[3]);
    job->model = core_model_of(state, args[0]);
    if ((threads == -1 && PyErr_Occurred()) || !job->model) return NULL;
    int done = -1;
    if (core_matrix_take(args[1], "X", &job->x) == 0 &&
        (job->on_device = core_output_take(args[2], &job->output, &job->held)) >= 0) {
        if (output_fits(job, output_columns(job)))
            done = run_job(state, job, (int)(threads > CORE_MOST_THREADS ? CORE_MOST_THREADS : threads),
                           args[4]);
        if (!job->on_device) PyBuffer_Release(&job->held);
    }
    core_matrix_drop(&job->x);
    if (done < 0) return NULL;
    Py_RETURN_NONE;
}

static PyObject *core_transform(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    projection job = {.run = run_transform};
    return project(module, args, count, &job);
}

static PyObject *core_scores(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    projection job = {.run = run_scores};
    return project(module, args, count, &job);
}

static PyObject *core_predict(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    projection job = {.run = run_predict};
    return project(module, args, count, &job);
}

PyMethodDef core_projecting_functions[] = {
    {"transform", (PyCFunction)(void (*)(void))core_transform, METH_FASTCALL,
     "transform(model, X, out, threads, progress): writes the projection of the rows of X"},
    {"scores", (PyCFunction)(void (*)(void))core_scores, METH_FASTCALL,
     "scores(model, X, out, threads, progress): writes what a prediction is decided by"},
    {"predict", (PyCFunction)(void (*)(void))core_predict, METH_FASTCALL,
     "predict(model, X, out, threads, progress): writes codes of classes, scores of labels, or responses"},
    {NULL, NULL, 0, NULL},
};
