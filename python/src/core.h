/* What the files of the extension share: the module's state, and how a call of the library is made.
 *
 * The extension is a program like any other on the public headers: it translates, and computes nothing.
 * Python's objects are taken by the buffer protocol and never copied; results are written into arrays that
 * Python made. The stable ABI of Python 3.11 is all it uses, so one file serves 3.11 and every later version.
 */
#ifndef ALIDADE_PYTHON_CORE_H
#define ALIDADE_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include <alidade/alidade.h>

enum { CORE_MOST_THREADS = 256 };

typedef struct core_state {
    PyTypeObject *model_type;
    PyTypeObject *array_type;
    PyTypeObject *bytes_type;
    PyTypeObject *dataset_type;
    PyObject *warning; /* alidade.AlidadeWarning */
    /* A context per number of threads, made when it is first asked for; calls derive theirs from it. */
    ald_context *contexts[CORE_MOST_THREADS + 1];
    /* The process for which `listener` was found, and the thread that hears Ctrl-C in it; 0: none. */
    long process;
    unsigned long listener;
} core_state;

core_state *core_state_of(PyObject *module);
/* The context for so many threads (0: all there are), kept by the module; NULL with an exception. */
ald_context *core_context(core_state *state, int threads);

/* Exceptions for what the library says. Always returns -1. */
int core_raise(const ald_error *error, ald_status status);
/* The message with rows, columns and components counted from 0. */
enum { CORE_TEXT_SIZE = ALD_MESSAGE_SIZE + 64 };
void core_count_from_zero(const char *message, char *text, size_t size);

#endif
