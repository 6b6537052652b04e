/* Pieces of a few microseconds, lot after lot: threads that wait for the next lot do not sleep, so a lot
 * costs about as much as telling the other processors. For a hundredth of a second at most, since they wait
 * at the cost of whoever else wants to compute.
 *
 * Nobody depends on the helpers: what none of them has begun when the leader is done with its own piece the
 * leader does itself. So where they have not begun at all, or do not get a processor, the leader computes as
 * if it were alone. Who does a piece must not matter for what it computes. */
#ifndef ALD_THREADS_QUICK_H
#define ALD_THREADS_QUICK_H

#include "base/threads/threads.h"

typedef struct ald_quick ald_quick;
typedef void (*ald_quick_fn)(ald_quick *quick, void *work);

enum { ALD_QUICK_MOST = 64 };

/* Calls lead(quick, work) on the caller's thread, with helpers for parts 1 .. parts - 1, as far as there are
 * processors, until it returns. `parts` is at most ALD_QUICK_MOST. */
void ald_quick_run(int parts, ald_quick_fn lead, void *work);
/* For the leader: fn(work, 0) .. fn(work, parts - 1); returns when all are done. */
void ald_quick_lot(ald_quick *quick, ald_part_fn fn, void *work);

#endif
