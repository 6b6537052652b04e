#include "calls.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

ald_context *core_context(core_state *state, int threads)
{
    if (threads < 0 || threads > CORE_MOST_THREADS) {
        PyErr_Format(PyExc_ValueError, "the number of threads is from 0 (all there are) to %d, not %d",
                     CORE_MOST_THREADS, threads);
        return NULL;
    }
    if (!state->contexts[threads]) {
        ald_error error;
        const ald_options options = {.size = sizeof options, .threads = threads};
        const ald_status status = ald_context_new(&options, &state->contexts[threads], &error);
        if (status < 0) core_raise(&error, status);
    }
    return state->contexts[threads];
}

/* Called by the library on the thread that called it. */
static int hear_progress(void *user, const char *stage, double done)
{
    core_call *call = user;
    PyEval_RestoreThread(call->thread);
    int stop = PyErr_CheckSignals() < 0;
    if (!stop && call->progress) {
        PyObject *answer = PyObject_CallFunction(call->progress, "sd", stage, done);
        stop = !answer || PyObject_IsTrue(answer) != 0;
        Py_XDECREF(answer);
    }
    call->thread = PyEval_SaveThread();
    return stop;
}

static void keep_warning(void *user, ald_log_level level, const char *line)
{
    core_call *call = user;
    if (level != ALD_LOG_WARNING) return;
    const int at = atomic_fetch_add(&call->warnings, 1);
    if (at < CORE_MOST_WARNINGS) snprintf(call->lines[at], sizeof *call->lines, "%s", line);
}

/* A progress function may call the library; one that is called by what it calls would fill the stack. */
enum { most_calls_inside = 4 };
static _Thread_local int calls_inside;

static int refuse_depth(void)
{
    PyErr_Format(PyExc_RecursionError,
                 "`progress` is called while the library computes, and its own calls have come %d deep: "
                 "compute nothing with the same `progress` inside of it",
                 most_calls_inside);
    return -1;
}

/* -1 with an exception; a fork is another process, and may have another main thread. */
static int find_listener(core_state *state)
{
    if (state->process == (long)getpid()) return 0;
    PyObject *module = PyImport_ImportModule("alidade._threads");
    PyObject *found = module ? PyObject_CallMethod(module, "listener", NULL) : NULL;
    Py_XDECREF(module);
    if (!found) return -1;
    state->listener = PyLong_AsUnsignedLong(found);
    state->process = (long)getpid();
    Py_DECREF(found);
    return PyErr_Occurred() ? -1 : 0;
}

/* The library asks only where somebody may answer: to be able to, it lets long decompositions run in a thread
 * of their own, which would be one more than were asked for. */
static int derive_context(core_call *call)
{
    ald_context *logging;
    if (find_listener(call->state) < 0) return -1;
    const int asks = call->progress || PyThread_get_thread_ident() == call->state->listener;
    ald_status status = ald_context_with_log(call->shared, keep_warning, call, &logging, &call->error);
    if (status >= 0)
        status = ald_context_with_progress(logging, asks ? hear_progress : NULL, call, &call->context,
                                           &call->error);
    ald_context_free(logging);
    if (status >= 0) status = ald_context_set_device(call->context, core_device(), &call->error);
    return status < 0 ? core_raise(&call->error, status) : 0;
}

int core_call_begin(core_call *call, core_state *state, int threads, PyObject *progress)
{
    if (calls_inside >= most_calls_inside) return refuse_depth();
    call->shared = core_context(state, threads);
    if (!call->shared) return -1;
    call->state = state;
    call->progress = progress == Py_None ? NULL : progress;
    atomic_init(&call->warnings, 0);
    if (call->progress && !PyCallable_Check(call->progress)) {
        PyErr_SetString(PyExc_TypeError,
                        "`progress` is called with a text and a number: give a function or None");
        return -1;
    }
    if (derive_context(call) < 0) return -1;
    calls_inside++;
    call->thread = PyEval_SaveThread();
    return 0;
}

int core_call_begin_on(core_call *call, core_state *state, int threads, PyObject *progress,
                       const ald_dataset *data)
{
    if (core_call_begin(call, state, threads, progress) < 0) return -1;
    ald_context_set_rows(call->context, data, NULL);
    return 0;
}

/* alidade._warn names the line that called the package, however many of its functions lie between. */
static int give_warnings(core_call *call)
{
    const int count = atomic_load(&call->warnings);
    if (count == 0) return 0;
    PyObject *giver = PyImport_ImportModule("alidade._warn");
    int given = giver ? 0 : -1;
    for (int i = 0; given == 0 && i < count && i < CORE_MOST_WARNINGS; i++) {
        char text[CORE_TEXT_SIZE];
        core_count_from_zero(call->lines[i], text, sizeof text);
        PyObject *answer = PyObject_CallMethod(giver, "give", "Os", call->state->warning, text);
        given = answer ? 0 : -1;
        Py_XDECREF(answer);
    }
    Py_XDECREF(giver);
    return given;
}

int core_call_end(core_call *call, ald_status status)
{
    PyEval_RestoreThread(call->thread);
    calls_inside--;
    ald_context_free(call->context);
    if (PyErr_Occurred()) return -1; /* Ctrl-C, or what the progress function raised */
    if (status < 0) return core_raise(&call->error, status);
    return give_warnings(call);
}

PyObject *core_call_end_text(core_call *call, char *text, ald_status status)
{
    PyObject *made = NULL;
    if (core_call_end(call, status) == 0 && text)
        made = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    ald_text_free(call->shared, text); /* by the allocator that it came from, which counts it */
    return made;
}
