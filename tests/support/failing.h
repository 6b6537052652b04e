/* A whole session of calls in which every allocation is made to fail once. Each time the call that met it
 * must say "out of memory", no block may be left and no file be half there. */
#ifndef ALD_TESTS_FAILING_H
#define ALD_TESTS_FAILING_H

#include "support/ledger.h"
#include "support/support.h"

/* What a session may have made; failing_each frees it. */
typedef struct session {
    ald_context *context;
    ald_settings *settings;
    ald_dataset *data, *again;
    ald_model *model, *loaded;
    ald_comparison *comparison;
    ald_tuning *tuning;
    char *svg;
    int spares; /* some of the memory is for what can be left out: all may be well without */
    ald_error error;
} session;

#define STEP(call)                                                                                           \
    do {                                                                                                     \
        const ald_status step_status = (call);                                                               \
        if (step_status < 0) return step_status;                                                             \
    } while (0)

typedef struct plan {
    const char *file, *method, *set, *to; /* `to`: the name of one more file that it may write */
    ald_load_options load;
    const char *more; /* streamed: rows that are added afterwards; NULL: none */
    ald_status (*use)(const struct plan *p, session *s);
} plan;

/* A context with the failing allocator, the file read, the settings made: how most sessions begin. */
ald_status failing_begin(const plan *p, session *s, int threads);
/* The parts of it. */
ald_status failing_context(session *s, int threads);
ald_status failing_settings(const plan *p, session *s);

/* A path in the folder of the outputs, and in that of the inputs, where a file with this text is made. */
const char *failing_output(const char *name);
const char *failing_input(const char *name, const char *text);

void failing_each(const plan *p);

/* main of such a test: makes the two folders and removes them. */
#define failing_main(tests) failing_run((tests), sizeof(tests) / sizeof *(tests))
int failing_run(const struct CMUnitTest *tests, size_t count);

#endif
