/* Threads, in one place: how many OpenBLAS has, parallel regions, turns. */
#ifndef ALD_THREADS_THREADS_H
#define ALD_THREADS_THREADS_H

#include "base/core/run.h"
#include "base/threads/crew.h"

#include <pthread.h>

/* OpenBLAS's thread count is process-wide: it is changed here only, under a lock, and put back when the last
 * fit ends. While we compute it is 1: its threads meet at every step, and on a busy machine each meeting
 * waits for a time slice of somebody else. Work is divided by regions of our own instead. */

/* Around every public verb that computes. */
void ald_threads_begin(int threads);
void ald_threads_end(void);
/* Within these: one thread until the end. For problems so small that handing a product to another thread
 * takes longer than the product. */
void ald_threads_few(void);
/* Products are not shared between the two, as in a parallel region. */
void ald_threads_pause(void);
void ald_threads_resume(void);
/* How many threads a product may be shared among now: 1 within a region, and while several fits run. */
int ald_threads_spare(void);
/* These threads are OpenBLAS's between the two: for long decompositions on many processors. */
void ald_threads_lend(void);
void ald_threads_return(void);

/* Calls fn(work, 0) .. fn(work, parts - 1), each on its own thread where possible, and returns when all are
 * done. How the work is cut depends on `parts` only, so results do not depend on how many threads there
 * really were. */
void ald_parallel(int parts, ald_part_fn fn, void *work);
/* The same for more tasks than threads: each thread takes the next task when it is done with one. */
void ald_tasks(int threads, int count, ald_part_fn fn, void *work);

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

/* A gate that lets so many threads in at a time. */
typedef struct ald_gate {
    pthread_mutex_t lock;
    pthread_cond_t left;
    int room;
} ald_gate;

void ald_gate_begin(ald_gate *gate, int room);
void ald_gate_end(ald_gate *gate);
void ald_gate_enter(ald_gate *gate);
void ald_gate_leave(ald_gate *gate);

/* How many parts to cut `items` into so that each has at least `grain`; at most the run's threads. */
int ald_parts(const ald_run *run, int64_t items, int64_t grain);
/* The first item of a part: parts are contiguous and differ by at most one item. */
int64_t ald_part_begin(int64_t items, int parts, int part);

#endif
