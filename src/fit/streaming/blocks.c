/* Blocks of the file, or those that the survey has kept, which are not read again. */
#include "fit/streaming/blocks.h"

#include "base/threads/threads.h"
#include "fit/prepare/check.h"
#include "fit/streaming/block_workers.h"
#include "fit/streaming/row_store.h"
#include "math/operator/entry.h"

typedef struct reading {
    const ald_blocks *blocks;
    ald_stream *stream;
    ald_row_store *store; /* instead of the stream; NULL: the file is read */
    ald_reached reached;  /* how far it is read */
    int64_t opened;       /* the number of the first block of the stream */
} reading;

int ald_blocks_parts(const ald_run *run)
{
    return ald_parts(run, ALD_MOST_PARTS, 1);
}

static ald_status check_block(ald_run *run, const ald_dataset *block, const ald_dataset *survey)
{
    const ald_target *y = &block->target;
    ALD_TRY(ald_check_matrix(run, &block->x, "X"));
    if (block->x.storage != ALD_DENSE)
        ALD_TRY(ald_check_finite(run, &block->x, "X")); /* dense cells have been */
    if (y->kind != survey->target.kind)
        return ald_fail(run->error, ALD_ERROR_DATA, "a part of the file lacks the target that the rest has");
    if (y->kind != ALD_TARGET_NONE) ALD_TRY(ald_check_truth(run, y, block->x.rows));
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        if (!y->labelled[i])
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "some rows have no target: leave them out (`unlabelled_rows=drop`)");
    return ALD_OK;
}

/* Without the rows of weight 0, which are as if they were not in the file; a block of nothing else is not
 * visited. */
static ald_status visit_block(ald_run *run, const ald_blocks *blocks, int part, int64_t number,
                              const ald_dataset *block)
{
    const int64_t *which;
    int64_t count;
    ald_dataset kept = *block;
    ALD_TRY(ald_rows_that_count(run, block->x.rows, block->target.weights, &which, &count));
    if (count == 0) return ALD_OK;
    if (which) {
        ALD_TRY(ald_matrix_take(run, &block->x, which, count, &kept.x));
        ALD_TRY(ald_target_take(run, &block->target, which, count, &kept.target));
    }
    return blocks->visit(run, blocks->work, part, number, &kept);
}

static ald_status work_on_block(ald_run *run, void *work, ald_block_workers *sharing, int part,
                                int64_t number, int *got)
{
    const ald_blocks *blocks = ((reading *)work)->blocks;
    ald_dataset *block;
    ald_table table;
    *got = 0;
    ald_status status = ald_dataset_new(run, &block);
    if (status < 0) return status;
    status = ald_block_take(run, sharing, number, &block->memory, &table, NULL, got);
    if (status >= 0 && *got) status = ald_dataset_from_table(run, &table, blocks->options, block);
    const int any = *got && status >= 0 && block->x.rows > 0; /* rows may all have been dropped */
    if (any) status = check_block(run, block, blocks->survey);
    if (any && status >= 0) status = visit_block(run, blocks, part, number, block);
    ald_dataset_free(block);
    return status;
}

/* A block that was kept. */
static ald_status work_on_kept(ald_run *run, void *work, ald_block_workers *sharing, int part, int64_t number,
                               int *got)
{
    const reading *r = work;
    const int64_t count = ald_row_store_count(r->store);
    ald_dataset *block, *temporary;
    int fresh;
    (void)sharing;
    *got = number < count;
    if (!*got) return ALD_OK;
    ald_status status =
        ald_row_store_block(run, r->store, number, r->blocks->options, &block, &temporary, &fresh);
    const int any = status >= 0 && block->x.rows > 0;
    if (any && fresh) status = check_block(run, block, r->blocks->survey);
    if (any && status >= 0) status = visit_block(run, r->blocks, part, number, block);
    ald_dataset_free(temporary);
    if (status < 0 || part > 0) return status;
    return ald_progress(run, "reading", (double)(number + 1) / (double)count);
}

/* A file that was replaced or written to since the survey has other rows than those of the survey. */
static ald_status check_same_file(ald_run *run, const reading *r)
{
    const ald_file_mark now = ald_stream_mark(r->stream);
    if (ald_file_mark_equal(&now, &r->blocks->survey->surveyed)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "%s has changed since it was first read", r->blocks->path);
}

/* To the end, with pauses. The survey has reported what there is to say of the whole file. */
static ald_status let_work(ald_run *run, reading *r, int parts)
{
    const ald_blocks *blocks = r->blocks;
    for (;;) {
        int64_t next;
        const ald_block_task task = {
            .stream = r->stream,
            .parts = parts,
            .silent = 1,
            .visit = r->store ? work_on_kept : work_on_block,
            .work = r,
            .opened = r->opened,
            .first = r->reached.number,
            .seconds = blocks->state ? ald_checkpoint_seconds(blocks->state->checkpoint) : 0.0,
            .paused = &next,
        };
        ALD_TRY(ald_block_task_run(run, &task));
        if (next < 0 || (r->store && next >= ald_row_store_count(r->store))) return ALD_OK;
        r->reached.number = next;
        r->reached.at = r->store ? ald_row_store_after(r->store, next - 1)
                                 : ald_stream_tell_of(r->stream, next - r->opened);
        ALD_TRY(ald_pass_state_save(run, blocks->state, &r->reached));
    }
}

/* The file is looked at before and after. When it has changed meanwhile, that is the reason of what the
 * blocks say. */
static ald_status read_stream(ald_run *run, reading *r, int parts)
{
    const ald_blocks *blocks = r->blocks;
    ALD_TRY(ald_input_check_again(run, blocks->path));
    ALD_TRY(ald_stream_open(run, blocks->path, blocks->options, &blocks->survey->portion, &r->stream));
    ald_status status = check_same_file(run, r);
    if (status >= 0 && r->reached.number > 0) status = ald_stream_jump(run, r->stream, &r->reached.at);
    if (status >= 0) {
        status = let_work(run, r, parts);
        const ald_status same = status == ALD_ERROR_CANCELLED ? ALD_OK : check_same_file(run, r);
        if (same < 0) status = same;
    }
    ald_stream_close(r->stream);
    return status;
}

/* A failure may have left a block half made: then nobody takes the rows again. */
static ald_status read_kept(ald_run *run, reading *r, int parts)
{
    const ald_status status = let_work(run, r, parts);
    if (status >= 0) ald_row_store_leave(r->store);
    return status;
}

ald_status ald_blocks_read(ald_run *run, const ald_blocks *blocks, int parts)
{
    reading r = {.blocks = blocks};
    if (blocks->state) {
        ALD_TRY(ald_pass_state_find(run, blocks->state));
        r.reached = blocks->state->reached;
    }
    if (r.reached.done) return ALD_OK;
    r.opened = r.reached.number;
    if (r.reached.number == 0) r.store = ald_row_store_take(blocks->survey);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_status status = r.store ? read_kept(run, &r, parts) : read_stream(run, &r, parts);
    ald_arena_release(&run->scratch, mark);
    return status;
}
