/* What a context holds, and how to speak through it. */
#ifndef ALD_CORE_CONTEXT_H
#define ALD_CORE_CONTEXT_H

#include "base/core/error.h"
#include "base/core/memory.h"

#include <alidade/context.h>

struct ald_backend;
struct ald_bar;
struct ald_batch;
struct ald_budget;
struct ald_communicator;
struct ald_deadline;
struct ald_system;
struct ald_tryout;

/* Rows of a file that X was made of (sharing/known_rows.h), told by the caller. All zeros: nothing was told.
 */
typedef struct ald_known_rows {
    const void *values;    /* of that X */
    int64_t count;         /* its rows */
    int64_t first;         /* rows of the file that other ranks have before these */
    const int64_t *places; /* count: the row of the file of each, from `first` on; NULL: all are there */
    int divided;           /* other ranks have more of them */
} ald_known_rows;

struct ald_context {
    ald_allocator allocator;
    struct ald_budget *budget; /* what `allocator` counts; NULL: it does not */
    int threads;
    const struct ald_backend *backend;
    const struct ald_system *system; /* how files are written */
    struct ald_batch *batch;         /* outputs held back to appear together; NULL: none are */
    const struct ald_communicator
        *ranks; /* who shares the work (src/base/ranks/communicator.h); NULL: nobody */
    ald_known_rows rows;
    void (*log)(void *user, ald_log_level level, const char *line);
    void *log_user;
    int (*progress)(void *user, const char *stage, double done);
    void *progress_user;
    struct ald_tryout *tryout;     /* fits are tried and thrown away (tryout.h); NULL: they are not */
    struct ald_deadline *deadline; /* NULL: there is none */
    struct ald_bar *bar;           /* how far the call under way is (run.h); NULL: none is */
    int64_t most_square; /* columns up to which a file is fitted by a square of them; tests lower it */
    double patience;     /* operations that the linear algebra may take without asking; tests lower it */
};

void ald_log(const ald_context *context, ald_log_level level, const char *format, ...) ALD_PRINTF(3, 4);

#endif
