/* Threads that are kept from one parallel region to the next as long as a verb computes: waking a thread
 * takes a tenth of the time that making one takes. There is one crew in a process, for one region at a time;
 * other regions make threads of their own. */
#ifndef ALD_THREADS_CREW_H
#define ALD_THREADS_CREW_H

#include "base/threads/threads.h"

/* From the first open to the last close; they are paired. The last close ends the threads. */
void ald_crew_open(void);
void ald_crew_close(void);
/* In a child that was forked, before anything else. */
void ald_crew_forget(void);
/* Calls fn(work, 0) .. fn(work, parts - 1), the first on the caller's thread, as soon as somebody has time;
 * returns when all are done. 0: the crew is not open, or at work; nothing was called. */
int ald_crew_run(int parts, ald_part_fn fn, void *work);

#endif
