/* What a context holds. It is read-only during calls, so that threads may share one: what belongs to a call
 * is in its run (run.h), and what a caller sets between calls is in `between`. */
#ifndef ALD_CORE_CONTEXT_H
#define ALD_CORE_CONTEXT_H

#include "base/core/error.h"
#include "base/core/memory.h"

#include <alidade/context.h>

struct ald_all_rows;
struct ald_backend;
struct ald_batch;
struct ald_budget;
struct ald_communicator;
struct ald_system;

/* Rows of a file that X was made of (known_rows.h), as the caller says. All zeros: nothing is known. */
typedef struct ald_known_rows {
    const void *values;    /* of that X */
    const void *target;    /* its classes or numbers; NULL: none */
    int64_t count;         /* its rows */
    int64_t first;         /* rows of the file before these */
    const int64_t *places; /* count: the row of the file of each, from `first` on; NULL: all are there */
    const struct ald_all_rows *all; /* these are a part of the rows (operator/all_rows.h); NULL: all */
} ald_known_rows;

/* What the caller sets between calls: by ald_context_set_rows, and by ald_outputs_hold, place and drop. */
typedef struct ald_between {
    ald_known_rows rows;
    struct ald_batch *batch; /* outputs held back to appear together; NULL: none are */
} ald_between;

struct ald_context {
    ald_allocator allocator;
    struct ald_budget *budget; /* what `allocator` counts; NULL: it does not */
    int threads;
    const struct ald_backend *backend;
    const struct ald_system *system;      /* how files are written */
    const struct ald_communicator *ranks; /* who shares the work (cluster/ranks); NULL: nobody */
    const struct ald_device *device;      /* a card (math/device); NULL: none */
    int discards; /* another process writes the files: what this one writes is discarded */
    int sharers;  /* processes that share the memory of this machine, this one included; 0: no other */
    ald_between between;
    void (*log)(void *user, ald_log_level level, const char *line);
    void *log_user;
    int (*progress)(void *user, const char *stage, double done);
    void *progress_user;
    int64_t most_square; /* columns up to which a file is fitted by a square of them; tests lower it */
    double patience;     /* operations that the linear algebra may take without asking; tests lower it */
};

#endif
