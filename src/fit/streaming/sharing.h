/* A stream shared by workers, each of which takes a block, works on it, and takes another: reading, parsing
 * and what is done with the rows go on at the same time. Where blocks have no places of their own, the
 * workers take turns to cut theirs. */
#ifndef ALD_STREAMING_SHARING_H
#define ALD_STREAMING_SHARING_H

#include "io/reading/stream.h"

typedef struct ald_sharing ald_sharing;

/* What is done with block `number`, counted from 0, by worker `part`: it begins with ald_sharing_take, and
 * *got is what that gave. Calls of one part come in the order of the numbers; `run` is the part's own, with
 * one thread, and what is in its scratch goes with the block. */
typedef ald_status (*ald_sharing_fn)(ald_run *run, void *work, ald_sharing *sharing, int part, int64_t number,
                                     int *got);

typedef struct ald_sharing_task {
    ald_stream *stream; /* NULL: the visitor has the blocks, and *got is what it says */
    int parts;
    int silent; /* nothing is logged; otherwise by part 0, on the caller's thread */
    ald_sharing_fn visit;
    void *work;
    int64_t opened, first; /* the number of the first block of the stream, and of those to be worked on */
    double seconds;        /* after these it stops between two blocks; 0: never */
    int64_t *paused;       /* then: the number of the next block; -1: all are done */
} ald_sharing_task;

/* Block b goes to part b mod `parts`. Of several failures the one of the first block is told. */
ald_status ald_sharing_read(ald_run *run, const ald_sharing_task *task);
/* The block as a table in `arena`; *got is 0 behind the last one. `after` (NULL: it is not wanted) is the
 * place behind it, where blocks have no places of their own. */
ald_status ald_sharing_take(ald_run *run, ald_sharing *sharing, int64_t number, ald_arena *arena,
                            ald_table *table, ald_stream_place *after, int *got);

#endif
