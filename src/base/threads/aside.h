/* A long computation that cannot be asked to stop, such as an eigenproblem of LAPACK, on a thread of its own,
 * while the caller's thread goes on asking the caller. When that wants to stop, the computation is left
 * behind: the call returns, the thread goes on until it is done and then frees what it has.
 *
 * So nothing that it touches is the caller's. Arrays are copied for it, and its memory comes from the C
 * library, as the caller's allocator may be gone by the time it is freed; it is never more than the caller's
 * budget has left. Where there is no memory or no thread for this, the caller's thread computes: to be able
 * to stop is worth less than the result. The numbers are the same.
 *
 * A process that ends in the ordinary way, or unloads the library, waits for what was left behind: libraries
 * take down at that point what it still uses. */
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
/* Does it aside, where somebody can be asked; ALD_ERROR_CANCELLED: it was left behind, and the arrays are as
 * they were, unless it had just ended. */
ald_status ald_aside(ald_run *run, const ald_aside_task *task);

/* Waits until no computation that was left behind is under way. */
void ald_aside_wait(void);

#endif
