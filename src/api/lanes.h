/* Many independent pieces of work (fits, mostly), each on one thread and several at once: what a piece gives does not
 * depend on how many threads there are. */
#ifndef ALD_API_LANES_H
#define ALD_API_LANES_H

#include "core/run.h"

/* Piece `at`, with a context of one thread that is silent. It keeps what it finds in places of its own. An error that
 * it returns stops all of them; what may fail by itself is noted, and ALD_OK returned. */
typedef ald_status (*ald_lane_fn)(void *work, ald_context *context, int lane, int64_t at, ald_error *error);

/* Pieces 0 .. count - 1 on the threads of `context`, whose progress is asked from the calling thread only. The run may
 * have a context of one thread, for what is computed before and after. */
ald_status ald_lanes_run(ald_run *run, const ald_context *context, int64_t count, const char *stage, ald_lane_fn fn,
                         void *work);

/* 1 for what must stop everything: no memory, a wish to stop. */
int ald_stops_all(ald_status status);

#endif
