/* Workers on the blocks of a stream: each takes a block, works on it, and takes another, so that reading,
 * parsing and computing overlap. Where blocks have no places of their own, workers take turns to cut them. */
#ifndef ALD_STREAMING_BLOCK_WORKERS_H
#define ALD_STREAMING_BLOCK_WORKERS_H

#include "io/reading/stream.h"

typedef struct ald_block_workers ald_block_workers;

/* What is done with block `number`, counted from 0, by worker `part`: it begins with ald_block_take, and
 * *got is what that gave. Calls of one part come in the order of the numbers; `run` is the part's own, with
 * one thread, and what is in its scratch goes with the block. */
typedef ald_status (*ald_block_task_fn)(ald_run *run, void *work, ald_block_workers *sharing, int part,
                                        int64_t number, int *got);

typedef struct ald_block_task {
    ald_stream *stream; /* NULL: the visitor has the blocks, and *got is what it says */
    int parts;
    int silent; /* nothing is logged; otherwise by part 0, on the caller's thread */
    ald_block_task_fn visit;
    void *work;
    int64_t opened, first; /* the number of the first block of the stream, and of those to be worked on */
    double seconds;        /* after these it stops between two blocks; 0: never */
    int64_t *paused;       /* then: the number of the next block; -1: all are done */
} ald_block_task;

/* Block b goes to part b mod `parts`. If several blocks fail, the failure of the first is returned. */
ald_status ald_block_task_run(ald_run *run, const ald_block_task *task);
/* The block as a table in `arena`; *got is 0 behind the last one. `after` (NULL: it is not wanted) is the
 * place behind it, where blocks have no places of their own. */
ald_status ald_block_take(ald_run *run, ald_block_workers *sharing, int64_t number, ald_arena *arena,
                          ald_table *table, ald_stream_place *after, int *got);

#endif
