/* fit: from arrays to a model. */
#include "calls.h"
#include "functions.h"
#include "models.h"
#include "py_inputs.h"
#include "py_settings.h"

static PyObject *fit_inputs(core_state *state, const ald_settings *settings, const core_inputs *inputs,
                            int threads, PyObject *progress)
{
    core_call call;
    ald_model *model = NULL;
    if (core_call_begin(&call, state, threads, progress) < 0) return NULL;
    const ald_status status = ald_fit_inputs(call.context, settings, &inputs->view, &model, &call.error);
    if (core_call_end(&call, status) == 0) return core_model_wrap(state, model);
    ald_model_free(model);
    return NULL;
}

static PyObject *core_fit(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    const char *method;
    PyObject *parameters, *given, *progress = Py_None;
    int threads = 0;
    if (!PyArg_ParseTuple(args, "sO!O!|iO:fit", &method, &PyDict_Type, &parameters, &PyDict_Type, &given,
                          &threads, &progress))
        return NULL;
    core_inputs inputs;
    PyObject *model = NULL;
    if (core_inputs_take(given, &inputs) == 0) {
        ald_settings *settings = core_settings_for(state, method, parameters, &inputs.target, 0);
        if (settings) model = fit_inputs(state, settings, &inputs, threads, progress);
        ald_settings_free(settings);
    }
    core_inputs_drop(&inputs);
    return model;
}

PyMethodDef core_fitting_functions[] = {
    {"fit", core_fit, METH_VARARGS, "fit(method, parameters, inputs, threads=0, progress=None) -> Model"},
    {NULL, NULL, 0, NULL},
};
