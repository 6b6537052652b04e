/* The crew: threads that wait for parts of regions, from the first region of a process to its end. Waking a
 * thread takes a tenth of the time that making one takes, and several regions at once share them.
 *
 * Whoever runs does the work: parts that no thread of the crew has begun are done by the caller, so that
 * nobody waits for a thread that has not started, however busy the machine is. */
#ifndef ALD_THREADS_CREW_H
#define ALD_THREADS_CREW_H

#include <pthread.h>

enum { ALD_MOST_PARTS = 256 };

typedef void (*ald_part_fn)(void *work, int part);

/* Calls fn(work, 0) .. fn(work, parts - 1), the first on the caller's thread, the others by whoever has time;
 * returns when all are done. */
void ald_crew_run(int parts, ald_part_fn fn, void *work);

/* Starts a thread that no signal is delivered to: these are for the threads of the program. 0: there is none
 * to be had. */
int ald_thread_start(pthread_t *thread, void *(*fn)(void *argument), void *argument);

#endif
