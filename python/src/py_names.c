/* Names: sequences of str as lists of texts. */
#include "buffers.h"

#include <string.h>

/* The text of a str, which it owns; NULL with an exception. */
static const char *text_of(PyObject *name, const char *what)
{
    Py_ssize_t size;
    if (!name || !PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "%s: names are str", what);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(name, &size);
    if (text && strlen(text) == (size_t)size) return text;
    if (text) PyErr_Format(PyExc_ValueError, "%s: a name has a null character", what);
    return NULL;
}

int core_names_take(PyObject *object, const char *what, core_names *taken)
{
    if (object == Py_None) return 0;
    taken->owner = PySequence_Tuple(object);
    if (!taken->owner) return -1;
    taken->count = PyTuple_Size(taken->owner);
    taken->texts = PyMem_Calloc((size_t)taken->count + 1, sizeof *taken->texts);
    if (!taken->texts) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < taken->count; i++) {
        taken->texts[i] = text_of(PyTuple_GetItem(taken->owner, i), what);
        if (!taken->texts[i]) return -1;
    }
    return 0;
}

void core_names_drop(core_names *taken)
{
    PyMem_Free(taken->texts);
    Py_XDECREF(taken->owner);
    *taken = (core_names){.texts = NULL};
}
