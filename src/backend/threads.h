/* Threads, in one place. OpenBLAS's thread count is process-wide: it is changed here only, under a lock, and put
 * back when the last fit ends. Inside our own parallel regions, and while several fits run at once, it is 1. */
#ifndef ALD_BACKEND_THREADS_H
#define ALD_BACKEND_THREADS_H

#include "core/context.h"

/* Around every public verb that computes. */
void ald_threads_begin(int threads);
void ald_threads_end(void);

enum { ALD_MOST_PARTS = 256 };

typedef void (*ald_part_fn)(void *work, int part);

/* Calls fn(work, 0) .. fn(work, parts - 1), each on its own thread where possible, and returns when all are done. How
 * the work is cut depends on `parts` only, so results do not depend on how many threads there really were. */
void ald_parallel(int parts, ald_part_fn fn, void *work);

/* Calls fn(work, 0) .. fn(work, *live - 1) on threads that all run at the same time, so that they may wait for each
 * other. *live, at most `parts`, is set before the first of them begins: there are fewer where the system has no more
 * threads to give. */
void ald_together(int parts, int *live, ald_part_fn fn, void *work);

/* How many parts to cut `items` into so that each has at least `grain`; at most the context's threads. */
int ald_parts(const ald_context *context, int64_t items, int64_t grain);
/* The first item of a part: parts are contiguous and differ by at most one item. */
int64_t ald_part_begin(int64_t items, int parts, int part);

#endif
