/* A long computation that cannot be interrupted, such as a LAPACK eigenproblem, on a separate thread, while
 * the caller's thread keeps calling the progress function. If that requests a stop, the computation is
 * abandoned: the call returns, and the thread runs to its end and then frees its memory.
 *
 * So it touches nothing of the caller's. Arrays are copied for it, and its memory comes from the C library,
 * because the caller's allocator may be gone by the time it is freed; it never exceeds what is left of the
 * caller's budget. If there is no memory or no thread for this, the caller's thread computes: being able to
 * stop is worth less than the result. The numbers are the same.
 *
 * A process that exits normally, or unloads the library, waits for abandoned computations: libraries release
 * at that point what these still use. */
#ifndef ALD_THREADS_ASIDE_H
#define ALD_THREADS_ASIDE_H

#include "base/core/run.h"

enum { ALD_ASIDE_MOST = 4 };

typedef struct ald_aside_array {
    double *data; /* NULL: not there */
    int64_t count;
    int is_read, is_written;
} ald_aside_array;

typedef struct ald_aside_task {
    /* On the caller's arrays or on copies of them; it takes what else it needs from the run's scratch. */
    ald_status (*compute)(ald_run *run, const int64_t *sizes, double *const *arrays);
    int64_t sizes[2];
    ald_aside_array arrays[ALD_ASIDE_MOST];
} ald_aside_task;

/* Does the task on the caller's thread, with the caller's arrays. */
ald_status ald_here(ald_run *run, const ald_aside_task *task);
/* Runs the task aside if the caller can be asked; ALD_ERROR_CANCELLED: it was abandoned, and the arrays are
 * unchanged, unless it had just ended. */
ald_status ald_aside(ald_run *run, const ald_aside_task *task);

/* Waits until no computation that was left behind is under way. */
void ald_aside_wait(void);

#endif
