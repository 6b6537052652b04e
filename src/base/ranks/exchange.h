/* Each rank has something for each other one. */
#ifndef ALD_RANKS_EXCHANGE_H
#define ALD_RANKS_EXCHANGE_H

#include "base/ranks/communicator.h"

/* bytes[begin[r]] to bytes[begin[r + 1]] are for rank r (size + 1 numbers). What the others have for this one
 * comes to `got`, in `arena`, in the order of the ranks. Agrees on `status`, that of making the bytes, and on
 * the memory by itself. Every rank holds the sizes of all messages: 8 bytes for each pair of ranks. */
ald_status ald_all_exchange(ald_run *run, ald_status status, ald_arena *arena, const void *bytes,
                            const int64_t *begin, ald_gathered *got);

/* Gives one message to rank `to` and takes one from rank `from`, in an order in which nobody waits in a
 * circle: all ranks do so at the same time with the same distance between them. */
ald_status ald_pass_on(ald_run *run, int to, const void *bytes, int64_t size, int from, void *taken,
                       int64_t taken_size);

#endif
