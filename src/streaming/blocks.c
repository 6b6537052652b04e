/* The workers take turns: one cuts its block from the file while the others parse theirs and work on them, so
 * reading, parsing and summing go on at the same time, and only the cutting is one after the other. Rows that
 * the survey has kept are not read again. */
#include "streaming/blocks.h"

#include "api/check.h"
#include "core/pool.h"
#include "linalg/take.h"
#include "reading/stream.h"
#include "streaming/row_store.h"
#include "threads/threads.h"

#include <string.h>
#include <time.h>

typedef struct worker {
    ald_context context; /* of one thread; the caller hears of the progress from part 0 only */
    ald_pool pool;
    ald_error error;
    ald_status status;
    int64_t number; /* of the block that failed */
} worker;

typedef struct reading {
    ald_run *run;
    const ald_blocks *blocks;
    ald_stream *stream;
    ald_row_store *store; /* instead of the stream; NULL: the file is read */
    worker *workers;
    int live;
    ald_turns turns; /* of the blocks to be cut */
    ald_leg leg;     /* as far as it was read when the workers began */
    double began;
    int64_t paused; /* the block that is to be the next after a pause; -1: there is none */
} reading;

int ald_blocks_parts(const ald_run *run)
{
    return ald_parts(run->context, ALD_MOST_PARTS, 1);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Whether this is the moment for a pause: the one whose turn it is has not begun with its block, and the
 * others will not begin with another. */
static int pauses(reading *r, int64_t number)
{
    const ald_blocks *b = r->blocks;
    if (!b->pause || number == r->leg.number || now() - r->began < b->seconds) return 0;
    r->paused = number;
    ald_turns_stop(&r->turns);
    return 1;
}

/* Cuts the block in its turn and hands the turn on; the first one is parsed before. */
static ald_status take_block(ald_run *run, reading *r, int64_t number, ald_dataset *block, ald_table *table,
                             int *got)
{
    ald_cut cut;
    *got = 0;
    if (pauses(r, number)) return ALD_OK;
    ald_status status = ald_stream_cut(run, r->stream, &block->memory, &cut);
    *got = status >= 0 && cut.bytes;
    if (*got && number == 0) status = ald_stream_parse(run, r->stream, &cut, table);
    if (status >= 0 && *got)
        ald_turns_next(&r->turns);
    else
        ald_turns_stop(&r->turns);
    if (*got && number > 0) status = ald_stream_parse(run, r->stream, &cut, table);
    return status;
}

static ald_status check_block(ald_run *run, const ald_dataset *block, const ald_dataset *survey)
{
    const ald_target *y = &block->target;
    ALD_TRY(ald_check_matrix(run, &block->x, "X"));
    if (block->x.storage != ALD_DENSE)
        ALD_TRY(ald_check_finite(run, &block->x, "X")); /* dense cells have been */
    if (y->kind != survey->target.kind)
        return ald_fail(run->error, ALD_ERROR_DATA, "a part of the file has no target like the rest");
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

static ald_status work_on_block(ald_run *run, reading *r, int part, int64_t number, int *got)
{
    ald_dataset *block;
    ald_table table;
    *got = 0;
    ald_status status = ald_dataset_new(run, &block);
    if (status < 0) return status;
    status = take_block(run, r, number, block, &table, got);
    if (status >= 0 && *got) status = ald_dataset_from_table(run, &table, r->blocks->options, block);
    const int any = *got && status >= 0 && block->x.rows > 0; /* rows may all have been dropped */
    if (any) status = check_block(run, block, r->blocks->survey);
    if (any && status >= 0) status = visit_block(run, r->blocks, part, number, block);
    ald_dataset_free(block);
    return status;
}

/* A block that was kept. */
static ald_status work_on_kept(ald_run *run, reading *r, int part, int64_t number, int *got)
{
    const int64_t count = ald_row_store_count(r->store);
    ald_dataset *block, *temporary;
    int fresh;
    *got = number < count && !pauses(r, number);
    if (!*got) {
        ald_turns_stop(&r->turns);
        return ALD_OK;
    }
    ald_turns_next(&r->turns);
    ald_status status =
        ald_row_store_block(run, r->store, number, r->blocks->options, &block, &temporary, &fresh);
    const int any = status >= 0 && block->x.rows > 0;
    if (any && fresh) status = check_block(run, block, r->blocks->survey);
    if (any && status >= 0) status = visit_block(run, r->blocks, part, number, block);
    ald_dataset_free(temporary);
    if (status < 0 || part > 0) return status;
    return ald_progress(run, "reading", (double)(number + 1) / (double)count);
}

/* The first block from where the leg begins that is one of the part. */
static int64_t first_of(const reading *r, int part)
{
    const int64_t ahead = (part - r->leg.number) % r->live;
    return r->leg.number + (ahead < 0 ? ahead + r->live : ahead);
}

static void work(void *shared, int part)
{
    reading *r = shared;
    worker *w = &r->workers[part];
    ald_run run;
    int got = 1;
    ald_run_begin(&run, &w->context, &w->error);
    run.settings = r->run->settings;
    for (w->number = first_of(r, part); got && w->status >= 0 && ald_turns_await(&r->turns, w->number);
         w->number += r->live) {
        const uint64_t mark = ald_arena_mark(&run.scratch);
        w->status = r->store ? work_on_kept(&run, r, part, w->number, &got)
                             : work_on_block(&run, r, part, w->number, &got);
        ald_arena_release(&run.scratch, mark);
        if (w->status < 0) break;
    }
    if (w->status < 0) ald_turns_stop(&r->turns);
    ald_run_end(&run, w->status);
}

static void begin_worker(ald_run *run, worker *w, int first)
{
    w->status = ALD_OK;
    w->context = *run->context;
    w->context.threads = 1;
    w->context.ranks = NULL;
    w->context.log = NULL; /* the survey has told what there is to tell of the whole file */
    if (!first) w->context.progress = NULL;
    ald_pool_init(&w->pool, &run->context->allocator);
    w->context.allocator = w->pool.allocator;
}

/* Frees the pools and gives the failure of the first block that had one. */
static ald_status end_workers(reading *r, int parts)
{
    const worker *failed = NULL;
    for (int i = 0; i < parts; i++) {
        worker *w = &r->workers[i];
        ald_pool_free(&w->pool);
        if (w->status < 0 && (!failed || w->number < failed->number)) failed = w;
    }
    if (!failed) return ALD_OK;
    *r->run->error = failed->error;
    return failed->status;
}

/* A file that was replaced or written to since the survey has other rows than those it told of. */
static ald_status check_same_file(ald_run *run, const reading *r)
{
    const ald_file_mark now = ald_stream_mark(r->stream);
    if (ald_file_mark_equal(&now, &r->blocks->survey->surveyed)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA, "%s has changed since it was read first", r->blocks->path);
}

/* Until the end or a pause. */
static ald_status let_work(reading *r, int parts)
{
    for (int i = 0; i < parts; i++) begin_worker(r->run, &r->workers[i], i == 0);
    r->paused = -1;
    r->began = now();
    ald_turns_begin(&r->turns);
    r->turns.number = r->leg.number;
    ald_together(parts, &r->live, work, r);
    ald_turns_end(&r->turns);
    return end_workers(r, parts);
}

static ald_status let_all_work(reading *r, int parts)
{
    for (;;) {
        ALD_TRY(let_work(r, parts));
        if (r->paused < 0) return ALD_OK;
        r->leg.number = r->paused;
        r->leg.at = r->store ? ald_row_store_after(r->store, r->paused - 1) : ald_stream_tell(r->stream);
        ALD_TRY(r->blocks->pause(r->run, r->blocks->work, &r->leg));
    }
}

/* The file is looked at before and after. When it has changed meanwhile, that is the reason of what the
 * blocks say. */
static ald_status read_stream(ald_run *run, reading *r, int parts)
{
    const ald_blocks *blocks = r->blocks;
    ALD_TRY(ald_stream_open(run, blocks->path, blocks->options, &r->leg.portion, &r->stream));
    ald_status status = check_same_file(run, r);
    if (status >= 0 && r->leg.number > 0) status = ald_stream_jump(run, r->stream, &r->leg.at);
    if (status >= 0) {
        status = let_all_work(r, parts);
        const ald_status same = status == ALD_ERROR_CANCELLED ? ALD_OK : check_same_file(run, r);
        if (same < 0) status = same;
    }
    ald_stream_close(r->stream);
    return status;
}

/* A failure may have left a block half made: then nobody takes the rows again. */
static ald_status read_kept(reading *r, int parts)
{
    const ald_status status = let_all_work(r, parts);
    if (status >= 0) ald_row_store_leave(r->store);
    return status;
}

ald_status ald_blocks_read(ald_run *run, const ald_blocks *blocks, int parts)
{
    const ald_leg whole = {.portion = blocks->survey->portion};
    reading r = {.run = run, .blocks = blocks, .leg = blocks->leg ? *blocks->leg : whole};
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *r.workers, &r.workers));
    if (r.leg.number == 0) r.store = ald_row_store_take(blocks->survey);
    const ald_status status = r.store ? read_kept(&r, parts) : read_stream(run, &r, parts);
    ald_arena_release(&run->scratch, mark);
    return status;
}
