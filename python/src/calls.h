/* One call of the library: the interpreter is let go, Ctrl-C and the progress function are asked, warnings
 * are kept.
 *
 *     core_call call;
 *     if (core_call_begin(&call, state, threads, progress) < 0) return NULL;
 *     const ald_status status = ald_fit_inputs(call.context, ..., &call.error);
 *     if (core_call_end(&call, status) < 0) ...an exception is set, and nothing was produced...
 *
 * Between begin and end no object of Python's may be touched. */
#ifndef ALIDADE_PYTHON_CALLS_H
#define ALIDADE_PYTHON_CALLS_H

#include "core.h"

#include <stdatomic.h>

enum { CORE_MOST_WARNINGS = 8 };

typedef struct core_call {
    core_state *state;
    ald_context *shared;  /* the module's, for as many threads */
    ald_context *context; /* derived from it, for this call */
    ald_error error;
    PyObject *progress; /* called with (stage, done); NULL: none */
    PyThreadState *thread;
    atomic_int warnings; /* how many there were; the library's threads may log side by side */
    char lines[CORE_MOST_WARNINGS][ALD_MESSAGE_SIZE];
} core_call;

/* `progress` is a callable or None. 0, or -1 with an exception. */
/* What this thread computes on (devices.c); NULL: the processor. */
const ald_device *core_device(void);

int core_call_begin(core_call *call, core_state *state, int threads, PyObject *progress);
/* The same; messages name the rows of X as the file of the dataset has them. */
int core_call_begin_on(core_call *call, core_state *state, int threads, PyObject *progress,
                       const ald_dataset *data);
/* 0: done, and Python's warnings were given. -1: an exception is set; also when a warning was turned into
 * one, so what was produced is to be freed whenever it is there. */
int core_call_end(core_call *call, ald_status status);
/* The same for a call that gave a text: as a str, or NULL with an exception. The text is freed. */
PyObject *core_call_end_text(core_call *call, char *text, ald_status status);

#endif
