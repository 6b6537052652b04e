/* A file in blocks of rows, several of them worked on at the same time. */
#ifndef ALD_STREAMING_BLOCKS_H
#define ALD_STREAMING_BLOCKS_H

#include "base/core/run.h"
#include "data/encode/dataset.h"
#include "fit/checkpoints/pass_state.h"

/* What is done with a block: `number` counts them from 0, `part` is the worker that has it. Calls of one part
 * come in the order of the numbers; `run` is the part's own, and what is in its scratch goes with the block.
 */
typedef ald_status (*ald_block_fn)(ald_run *run, void *work, int part, int64_t number,
                                   const ald_dataset *block);

typedef struct ald_blocks {
    const char *path;
    const ald_load_options *options; /* with `like` */
    const ald_dataset *survey;       /* every block must have a target of its kind */
    ald_block_fn visit;
    void *work;
    ald_pass_state
        *state; /* from which the reading resumes, and which it saves from time to time; NULL: none */
} ald_blocks;

/* Workers that a file is read with: the threads of the context. */
int ald_blocks_parts(const ald_run *run);
/* Reads the file once. Block b goes to part b mod `parts`, so the same blocks always meet in the same part.
 * If several blocks fail, the failure of the first is returned. */
ald_status ald_blocks_read(ald_run *run, const ald_blocks *blocks, int parts);

#endif
