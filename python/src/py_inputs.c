#include "py_inputs.h"

#include <string.h>

static int take_x(core_inputs *taken, PyObject *value)
{
    return core_matrix_take(value, "X", &taken->x);
}

static int take_kind(core_inputs *taken, PyObject *value)
{
    static const char *const kinds[] = {"none", "classes", "real", "labels"};
    const char *word = PyUnicode_AsUTF8AndSize(value, NULL);
    for (int i = 0; word && i < (int)(sizeof kinds / sizeof *kinds); i++)
        if (strcmp(kinds[i], word) == 0) {
            taken->target.kind = (ald_target_kind)i;
            return 0;
        }
    if (word) PyErr_Format(PyExc_ValueError, "kind is none, classes, real or labels, not '%s'", word);
    return -1;
}

/* Comes behind `kind`, which says what it is. */
static int take_y(core_inputs *taken, PyObject *value)
{
    if (taken->target.kind == ALD_TARGET_CLASSES) return core_vector_take(value, "y", 'i', &taken->classes);
    return core_matrix_take(value, "y", &taken->values);
}

static int take_n_classes(core_inputs *taken, PyObject *value)
{
    taken->target.n_classes = PyLong_AsLongLong(value);
    return taken->target.n_classes == -1 && PyErr_Occurred() ? -1 : 0;
}

static int take_labelled(core_inputs *taken, PyObject *value)
{
    return core_vector_take(value, "labelled", 'B', &taken->labelled);
}

static int take_weights(core_inputs *taken, PyObject *value)
{
    return core_vector_take(value, "sample_weight", 'd', &taken->weights);
}

static int take_names(core_inputs *taken, PyObject *value)
{
    return core_names_take(value, "names", &taken->names);
}

static int take_graph(core_inputs *taken, PyObject *value)
{
    return core_matrix_take(value, "graph", &taken->graph);
}

static int take_distances(core_inputs *taken, PyObject *value)
{
    return core_matrix_take(value, "target_distances", &taken->distances);
}

static int take_response_kernel(core_inputs *taken, PyObject *value)
{
    return core_matrix_take(value, "response_kernel", &taken->response_kernel);
}

static int take_start(core_inputs *taken, PyObject *value)
{
    return core_matrix_take(value, "start", &taken->start);
}

static int take_feature_names(core_inputs *taken, PyObject *value)
{
    return core_names_take(value, "feature_names", &taken->feature_names);
}

static int take_row_names(core_inputs *taken, PyObject *value)
{
    return core_names_take(value, "row_names", &taken->row_names);
}

static int take_target_name(core_inputs *taken, PyObject *value)
{
    taken->view.target_name = PyUnicode_AsUTF8AndSize(value, NULL);
    if (!taken->view.target_name) return -1;
    Py_INCREF(value);
    taken->target_name = value;
    return 0;
}

static const struct {
    const char *key;
    int (*take)(core_inputs *taken, PyObject *value);
} fields[] = {
    {"x", take_x},
    {"kind", take_kind},
    {"y", take_y},
    {"n_classes", take_n_classes},
    {"labelled", take_labelled},
    {"weights", take_weights},
    {"names", take_names},
    {"graph", take_graph},
    {"target_distances", take_distances},
    {"response_kernel", take_response_kernel},
    {"start", take_start},
    {"feature_names", take_feature_names},
    {"row_names", take_row_names},
    {"target_name", take_target_name},
};
enum { n_fields = sizeof fields / sizeof *fields };

static int take_fields(core_inputs *taken, PyObject *dict)
{
    for (int i = 0; i < n_fields; i++) {
        PyObject *value = PyDict_GetItemString(dict, fields[i].key);
        if (value && value != Py_None && fields[i].take(taken, value) < 0) return -1;
    }
    return 0;
}

/* The library trusts that vectors and names are as long as they should be: this is where it is made sure. */
static int length_is(Py_ssize_t length, int64_t expected, const char *what)
{
    if (length == (Py_ssize_t)expected) return 1;
    PyErr_Format(PyExc_ValueError, "%s has %zd entries, %lld are expected", what, length,
                 (long long)expected);
    return 0;
}

static int vector_fits(const Py_buffer *vector, int64_t rows, const char *what)
{
    return !vector->obj || length_is(vector->shape[0], rows, what);
}

static int names_fit(const core_names *names, int64_t count, const char *what)
{
    return !names->texts || length_is(names->count, count, what);
}

static int64_t target_columns(const core_inputs *taken)
{
    return taken->target.kind == ALD_TARGET_CLASSES ? taken->target.n_classes : taken->values.view.cols;
}

static int lengths_fit(const core_inputs *taken)
{
    const ald_matrix *x = &taken->x.view;
    if (taken->target.kind == ALD_TARGET_CLASSES && !taken->classes.obj) {
        PyErr_SetString(PyExc_ValueError, "the classes have no codes");
        return 0;
    }
    return vector_fits(&taken->classes, x->rows, "y") && vector_fits(&taken->labelled, x->rows, "labelled") &&
           vector_fits(&taken->weights, x->rows, "sample_weight") &&
           names_fit(&taken->names, target_columns(taken), "names") &&
           names_fit(&taken->feature_names, x->cols, "feature_names") &&
           names_fit(&taken->row_names, x->rows, "row_names");
}

static void set_target(core_inputs *taken)
{
    ald_target *target = &taken->target;
    target->rows = target->kind == ALD_TARGET_CLASSES ? taken->x.view.rows : taken->values.view.rows;
    target->classes = taken->classes.obj ? taken->classes.buf : NULL;
    target->values = taken->values.view;
    target->labelled = taken->labelled.obj ? taken->labelled.buf : NULL;
    target->weights = taken->weights.obj ? taken->weights.buf : NULL;
    target->names = taken->names.texts;
    if (target->kind == ALD_TARGET_NONE) target->rows = taken->x.view.rows;
}

static void set_view(core_inputs *taken)
{
    ald_inputs *view = &taken->view;
    view->x = &taken->x.view;
    view->y = taken->target.kind != ALD_TARGET_NONE || taken->target.weights ? &taken->target : NULL;
    view->graph = taken->graph.count ? &taken->graph.view : NULL;
    view->target_distances = taken->distances.count ? &taken->distances.view : NULL;
    view->response_kernel = taken->response_kernel.count ? &taken->response_kernel.view : NULL;
    view->start = taken->start.count ? &taken->start.view : NULL;
    view->feature_names = taken->feature_names.texts;
    view->row_names = taken->row_names.texts;
}

int core_inputs_take(PyObject *dict, core_inputs *taken)
{
    memset(taken, 0, sizeof *taken);
    taken->view.size = sizeof taken->view;
    if (take_fields(taken, dict) < 0) return -1;
    if (!taken->x.count && taken->x.view.storage != ALD_ON_DEVICE) {
        PyErr_SetString(PyExc_ValueError, "there is no X");
        return -1;
    }
    if (!lengths_fit(taken)) return -1;
    set_target(taken);
    set_view(taken);
    return 0;
}

void core_inputs_drop(core_inputs *taken)
{
    core_matrix_drop(&taken->x);
    core_matrix_drop(&taken->values);
    core_matrix_drop(&taken->graph);
    core_matrix_drop(&taken->distances);
    core_matrix_drop(&taken->response_kernel);
    core_matrix_drop(&taken->start);
    core_vector_drop(&taken->classes);
    core_vector_drop(&taken->labelled);
    core_vector_drop(&taken->weights);
    core_names_drop(&taken->names);
    core_names_drop(&taken->feature_names);
    core_names_drop(&taken->row_names);
    Py_XDECREF(taken->target_name);
}
