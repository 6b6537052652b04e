/* alidade._core: the module, its types and its state. */
#include "core.h"
#include "datasets.h"
#include "functions.h"
#include "models.h"
#include "py_arrays.h"

core_state *core_state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

static PyMethodDef *const tables[] = {
    core_fitting_functions,   core_projecting_functions,  core_facts_functions,      core_files_functions,
    core_reading_functions,   core_table_facts_functions, core_table_fits_functions, core_judging_functions,
    core_measures_functions,  core_plots_functions,       core_pages_functions,      core_classes_functions,
    core_certainty_functions, core_device_functions,
};

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

static int module_exec(PyObject *module)
{
    core_state *state = core_state_of(module);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (PyModule_AddFunctions(module, tables[i]) < 0) return -1;
    state->warning = PyErr_NewExceptionWithDoc(
        "alidade.AlidadeWarning",
        "What the library warns of: not converged, fewer components than asked for, ...", PyExc_UserWarning,
        NULL);
    if (!state->warning || PyModule_AddObjectRef(module, "AlidadeWarning", state->warning) < 0) return -1;
    if (add_type(module, &core_model_spec, &state->model_type) < 0) return -1;
    if (add_type(module, &core_array_spec, &state->array_type) < 0) return -1;
    if (add_type(module, &core_bytes_spec, &state->bytes_type) < 0) return -1;
    return add_type(module, &core_dataset_spec, &state->dataset_type);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *state = core_state_of(module);
    Py_VISIT(state->warning);
    Py_VISIT(state->model_type);
    Py_VISIT(state->array_type);
    Py_VISIT(state->bytes_type);
    Py_VISIT(state->dataset_type);
    return 0;
}

static int module_clear(PyObject *module)
{
    core_state *state = core_state_of(module);
    Py_CLEAR(state->warning);
    Py_CLEAR(state->model_type);
    Py_CLEAR(state->array_type);
    Py_CLEAR(state->bytes_type);
    Py_CLEAR(state->dataset_type);
    return 0;
}

static void module_free(void *module)
{
    core_state *state = core_state_of(module);
    module_clear(module);
    for (int i = 0; i <= CORE_MOST_THREADS; i++) ald_context_free(state->contexts[i]);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)module_exec},
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "alidade._core",
    .m_doc = "The C library behind the package. Use alidade itself.",
    .m_size = sizeof(core_state),
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&module_definition);
}
