/* The loop of a worker: take or cut a block, work on it, save the state when a checkpoint is due. */
#include "fit/streaming/block_workers.h"

#include "base/core/pool.h"
#include "base/threads/threads.h"

#include <stdatomic.h>
#include <time.h>

typedef struct worker {
    ald_call call; /* on one thread; the caller hears of the progress from part 0 only */
    ald_pool pool;
    ald_error error;
    ald_status status;
    int64_t number; /* of the block that failed */
    int on_card;    /* whether a card computed for its blocks */
} worker;

struct ald_block_workers {
    ald_run *run;
    const ald_block_task *task;
    worker *workers;
    int live;
    int has_places;              /* blocks are found by their numbers */
    ald_turns turns;             /* of the blocks to be cut, where they have no places */
    atomic_int_least64_t failed; /* the first block that did, of those with places */
    double began;
    atomic_flag lock;      /* of the two below, where blocks have places */
    int64_t begun, paused; /* the last block that was begun with, and the first that is left for later */
};

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int is_due(const ald_block_workers *s)
{
    return s->task->seconds > 0.0 && now() - s->began >= s->task->seconds;
}

/* The one whose turn it is has not begun with its block, and the others will not begin with another. */
static int pauses_in_turn(ald_block_workers *s, int64_t number)
{
    if (number == s->task->first || !is_due(s)) return 0;
    s->paused = number;
    ald_turns_stop(&s->turns);
    return 1;
}

/* Blocks that a worker has begun, and those before them, are finished; all others are left. */
static int pauses(ald_block_workers *s, int64_t number)
{
    if (!(s->task->seconds > 0.0)) return 0;
    const int due = is_due(s);
    while (atomic_flag_test_and_set(&s->lock)) continue;
    if (due && s->paused == INT64_MAX && s->begun >= s->task->first) s->paused = s->begun + 1;
    const int later = number >= s->paused;
    if (!later && number > s->begun) s->begun = number;
    atomic_flag_clear(&s->lock);
    return later;
}

/* Cuts the block in its turn and hands the turn on; the first one is parsed before. */
static ald_status take_in_turn(ald_run *run, ald_block_workers *s, int64_t number, ald_arena *arena,
                               ald_table *table, ald_stream_place *after, int *got)
{
    ald_cut cut;
    ald_status status = ald_stream_cut(run, s->task->stream, arena, &cut);
    *got = status >= 0 && cut.bytes;
    if (after) *after = cut.after;
    if (*got && number == 0) status = ald_stream_parse(run, s->task->stream, &cut, table);
    if (status >= 0 && *got)
        ald_turns_next(&s->turns);
    else
        ald_turns_stop(&s->turns);
    if (*got && number > 0) status = ald_stream_parse(run, s->task->stream, &cut, table);
    return status;
}

ald_status ald_block_take(ald_run *run, ald_block_workers *s, int64_t number, ald_arena *arena,
                          ald_table *table, ald_stream_place *after, int *got)
{
    ald_cut cut;
    if (!s->has_places) return take_in_turn(run, s, number, arena, table, after, got);
    *got = 0;
    ALD_TRY(ald_stream_cut_at(run, s->task->stream, number - s->task->opened, arena, &cut));
    *got = cut.bytes != NULL;
    return *got ? ald_stream_parse(run, s->task->stream, &cut, table) : ALD_OK;
}

static int may_go_on(ald_block_workers *s, int64_t number)
{
    if (s->has_places) return number < atomic_load(&s->failed) && !pauses(s, number);
    return ald_turns_await(&s->turns, number) && !pauses_in_turn(s, number);
}

static void stop(ald_block_workers *s, int64_t number)
{
    int_least64_t first = atomic_load(&s->failed);
    while (number < first && !atomic_compare_exchange_weak(&s->failed, &first, number)) continue;
    if (!s->has_places) ald_turns_stop(&s->turns);
}

/* The first block of the task that is one of the part. */
static int64_t first_of(const ald_block_workers *s, int part)
{
    const int64_t first = s->task->first, ahead = (part - first) % s->live;
    return first + (ahead < 0 ? ahead + s->live : ahead);
}

static void work_on_blocks(void *shared, int part)
{
    ald_block_workers *s = shared;
    worker *w = &s->workers[part];
    ald_run run;
    int got = 1;
    ald_run_inside(&run, s->run, &w->error);
    run.call = w->call;
    ald_arena_init(&run.scratch, run.call.allocator);
    run.settings = s->run->settings;
    for (w->number = first_of(s, part); got && may_go_on(s, w->number); w->number += s->live) {
        const uint64_t mark = ald_arena_mark(&run.scratch);
        w->status = s->task->visit(&run, s->task->work, s, part, w->number, &got);
        ald_arena_release(&run.scratch, mark);
        if (w->status < 0) break;
    }
    if (w->status < 0) stop(s, w->number);
    w->on_card = run.on_card;
    ald_run_end(&run, w->status);
}

static void begin_worker(const ald_block_workers *s, int part)
{
    worker *w = &s->workers[part];
    w->status = ALD_OK;
    w->on_card = 0;
    w->call = ald_call_alone(s->run);
    if (part > 0) w->call.progress = NULL;
    if (part > 0 || s->task->silent) w->call.log = NULL;
    ald_pool_init(&w->pool, s->run->call.allocator);
    w->call.allocator = &w->pool.allocator;
}

/* Frees the pools and gives the failure of the first block that had one. */
static ald_status end_workers(const ald_block_workers *s)
{
    const worker *failed = NULL;
    for (int i = 0; i < s->task->parts; i++) {
        worker *w = &s->workers[i];
        ald_pool_free(&w->pool);
        s->run->on_card |= w->on_card;
        if (w->status < 0 && (!failed || w->number < failed->number)) failed = w;
    }
    if (!failed) return ALD_OK;
    *s->run->error = failed->error;
    return failed->status;
}

ald_status ald_block_task_run(ald_run *run, const ald_block_task *task)
{
    ald_block_workers s = {.run = run, .task = task, .began = now(), .begun = -1, .paused = INT64_MAX};
    s.has_places = !task->stream || ald_stream_has_places(task->stream);
    atomic_init(&s.failed, INT64_MAX);
    atomic_flag_clear(&s.lock);
    ALD_TRY(ald_scratch(run, task->parts, 1, sizeof *s.workers, &s.workers));
    for (int part = 0; part < task->parts; part++) begin_worker(&s, part);
    ald_turns_begin(&s.turns);
    s.turns.number = task->first;
    ald_together(task->parts, &s.live, work_on_blocks, &s);
    ald_turns_end(&s.turns);
    if (task->paused) *task->paused = s.paused < INT64_MAX ? s.paused : -1;
    return end_workers(&s);
}
