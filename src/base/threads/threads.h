/* Threads, in one place: how many OpenBLAS has, parallel regions, turns, and the crew that is kept between
 * regions. */
#ifndef ALD_THREADS_THREADS_H
#define ALD_THREADS_THREADS_H

#include "base/core/run.h"

#include <pthread.h>

/* Threads, in one place. OpenBLAS's thread count is process-wide: it is changed here only, under a lock, and
 * put back when the last fit ends. Inside our own parallel regions, and while several fits run at once, it
 * is 1. */

/* Around every public verb that computes. */
void ald_threads_begin(int threads);
void ald_threads_end(void);
/* Within these: BLAS on one thread until the end. For problems so small that handing a product to another
 * thread takes longer than the product, and on a busy machine a hundred times as long. */
void ald_threads_few(void);
/* BLAS on one thread between the two, as in a parallel region. */
void ald_threads_pause(void);
void ald_threads_resume(void);

enum { ALD_MOST_PARTS = 256 };

typedef void (*ald_part_fn)(void *work, int part);

/* Calls fn(work, 0) .. fn(work, parts - 1), each on its own thread where possible, and returns when all are
 * done. How the work is cut depends on `parts` only, so results do not depend on how many threads there
 * really were. */
void ald_parallel(int parts, ald_part_fn fn, void *work);

/* Calls fn(work, 0) .. fn(work, *live - 1) on threads that all run at the same time, so that they may wait
 * for each other. *live, at most `parts`, is set before the first of them begins: there are fewer where the
 * system has no more threads to give. */
void ald_together(int parts, int *live, ald_part_fn fn, void *work);

/* Turns: among threads that run together, the one whose number is called continues; then it calls the next
 * number, or stops them all. */
typedef struct ald_turns {
    pthread_mutex_t lock;
    pthread_cond_t called;
    int64_t number;
    int stopped;
} ald_turns;

void ald_turns_begin(ald_turns *turns); /* calls number 0 */
void ald_turns_end(ald_turns *turns);
/* Waits for the number; 0: they have been stopped. */
int ald_turns_await(ald_turns *turns, int64_t number);
void ald_turns_next(ald_turns *turns);
void ald_turns_stop(ald_turns *turns);

/* How many parts to cut `items` into so that each has at least `grain`; at most the run's threads. */
int ald_parts(const ald_run *run, int64_t items, int64_t grain);
/* The first item of a part: parts are contiguous and differ by at most one item. */
int64_t ald_part_begin(int64_t items, int parts, int part);

/* Threads that are kept from one parallel region to the next as long as a verb computes: waking a thread
 * takes a tenth of the time that making one takes. There is one crew in a process, for one region at a time;
 * other regions make threads of their own. */

/* From the first open to the last close; they are paired. The last close ends the threads. */
void ald_crew_open(void);
void ald_crew_close(void);
/* In a child that was forked, before anything else. */
void ald_crew_forget(void);
/* Calls fn(work, 0) .. fn(work, parts - 1), the first on the caller's thread, as soon as somebody has time;
 * returns when all are done. 0: the crew is not open, or at work; nothing was called. */
int ald_crew_run(int parts, ald_part_fn fn, void *work);

#endif
