/* A run: one call of a public verb, or a part of one. It carries the context, what this call has otherwise
 * than the context, the scratch memory, the settings and where the error goes, so that internal functions
 * take it first and need nothing else. */
#ifndef ALD_CORE_RUN_H
#define ALD_CORE_RUN_H

#include "base/core/context.h"
#include "base/core/error.h"
#include "base/core/memory.h"

#include <alidade/method.h>

#include <stdatomic.h>

/* How far a call is, over all its stages: what the caller hears never falls, and is 1 at the end. All runs
 * of a call share one.
 *
 * A span is the part of the call that is under way, [begin, begin + width]. In it a stage has its place by
 * the plan, where one was made; a stage that nobody announced takes four fifths of what is left of the span.
 */
enum { ALD_MOST_STAGES = 8 };
typedef struct ald_bar {
    double begin, width;
    double reached, share; /* of the span: where the stage begins, and how long it is */
    double last;           /* of the stage, 0 to 1 */
    double told;           /* of the call */
    char stage[64];
    int planned;
    struct {
        const char *stage;
        double reached, share;
    } plan[ALD_MOST_STAGES];
} ald_bar;

/* A line that a call says once; all its runs share it. Those on other threads have no log: what they have to
 * say is said by the run that began the call, at its end. */
typedef struct ald_news {
    atomic_int state; /* nothing, being written, written, said */
    char line[300];
} ald_news;

/* What belongs to a call and not to the context. It begins as the context says; the runs inside a call
 * inherit it, and a part of a call that needs something else (one thread, no log, its own progress) changes
 * the copy of its run, never the context. */
typedef struct ald_call {
    const ald_allocator *allocator;
    int threads;
    const struct ald_communicator *ranks; /* who shares the work; NULL: nobody */
    const struct ald_held *held;          /* rows on a card (math/device/held.h); NULL: none */
    int discards;                         /* what is written is discarded (context.h) */
    void (*log)(void *user, ald_log_level level, const char *line);
    void *log_user;
    int (*progress)(void *user, const char *stage, double done);
    void *progress_user;
    ald_bar *bar;                  /* how far it is; NULL: nobody listens */
    ald_news *news;                /* ald_log_once */
    struct ald_deadline *deadline; /* NULL: there is none */
    struct ald_batch *batch;       /* outputs held back to appear together; NULL: none are */
    struct ald_tryout *tryout;     /* fits are tried and thrown away (tryout.h); NULL: they are not */
} ald_call;

typedef struct ald_run {
    const ald_context *context;
    ald_call call;
    ald_error *error;
    ald_error unused_error; /* stands in if the caller passes none, so that warnings can be recorded */
    const ald_settings *settings;
    ald_arena scratch;
    /* Names of the rows and columns of X for messages; NULL: none. */
    const char *const *row_names;
    const char *const *feature_names;
    ald_status warning; /* ALD_OK, or the first warning */
    int64_t available;  /* number of components there are, set by a method that refuses more; 0: none did */
    int on_card;        /* whether a card has computed for it */
    int is_fork;        /* beside another run, perhaps on another thread: nobody may be asked */
    char stage[64];     /* the last report to the caller: stage and fraction done */
    double done;
    double silent; /* operations since then, as reported to ald_ask_after */
    ald_bar bar;   /* of the run that began the call, as are */
    ald_news news;
} ald_run;

/* That of a worker, which computes on one thread and by itself. */
ald_call ald_call_alone(const ald_run *run);

/* Clears the error. Every begun run is ended. */
void ald_run_begin(ald_run *run, const ald_context *context, ald_error *error);
/* Frees the scratch; gives back `status`, or the warning when that is ALD_OK. */
ald_status ald_run_end(ald_run *run, ald_status status);

/* A run that is part of the call of `outer`, with an error (NULL: its own) and scratch of its own. Clears the
 * error. */
void ald_run_inside(ald_run *run, const ald_run *outer, ald_error *error);
/* The same beside `run`, for a worker thread: with its settings. It may not be moved. Every fork is joined,
 * by the thread of `run`. */
void ald_run_fork(const ald_run *run, ald_run *worker);
/* The same for work on the thread of `run`, which may ask the caller. */
void ald_run_fork_here(const ald_run *run, ald_run *worker);
/* Frees the worker's scratch and hands its failure on, or its warning, unless `run` has one already; gives
 * back `status`. */
ald_status ald_run_join(ald_run *run, ald_run *worker, ald_status status);

/* a * b elements in `arena`, or an error that says how much was asked for; `block` is the address of a
 * pointer to them. Cleared; made larger or smaller, with the old block where it fails; a text with its end.
 */
ald_status ald_get(ald_run *run, ald_arena *arena, int64_t a, int64_t b, size_t size, void *block);
ald_status ald_get_clear(ald_run *run, ald_arena *arena, int64_t a, int64_t b, size_t size, void *block);
ald_status ald_resize(ald_run *run, ald_arena *arena, void *block, int64_t a, int64_t b, size_t size);
/* A copy of `count` elements; NULL stays NULL. */
ald_status ald_keep(ald_run *run, ald_arena *arena, const void *from, int64_t count, size_t size,
                    void *block);
ald_status ald_keep_text(ald_run *run, ald_arena *arena, const char *text, size_t length, char **copy);

/* The same of the scratch. */
ald_status ald_scratch_clear(ald_run *run, int64_t a, int64_t b, size_t size, void *block);
ald_status ald_scratch(ald_run *run, int64_t a, int64_t b, size_t size, void *block);
ald_status ald_scratch_reals(ald_run *run, int64_t a, int64_t b, double **block);
ald_status ald_scratch_zeros(ald_run *run, int64_t a, int64_t b, double **block);

/* Several arrays of reals in one request: ALD_TRY(ALD_SCRATCH(run, {&gram, k, k}, {&values, k, 1})). Each is
 * a block of its own. */
typedef struct ald_wish {
    double **block;
    int64_t a, b;
} ald_wish;
#define ALD_SCRATCH(run, ...) ald_scratch_wishes(run, (const ald_wish[]){__VA_ARGS__, {NULL, 0, 0}})
ald_status ald_scratch_wishes(ald_run *run, const ald_wish *wishes);

/* The error for "no memory for a x b of size". */
ald_status ald_out_of_memory(ald_run *run, int64_t a, int64_t b, size_t size);

/* A line for the caller's log. */
void ald_log(const ald_run *run, ald_log_level level, const char *format, ...) ALD_PRINTF(3, 4);
/* The same for information that a call needs once, whichever of its runs has it first. */
void ald_log_once(const ald_run *run, const char *format, ...) ALD_PRINTF(2, 3);
/* Notes a warning: the run continues and its result is valid. The first one is kept in the error's
 * message. */
void ald_warn(ald_run *run, ald_status warning, const char *format, ...) ALD_PRINTF(3, 4);

/* A stage of a plan, and what it costs beside the others. */
typedef struct ald_stage_cost {
    const char *stage;
    double cost;
} ald_stage_cost;
/* Announces the stages of the span, in their order; without a caller who listens nothing is done. */
void ald_plan_stages(const ald_run *run, const ald_stage_cost *stages, int count);
/* The same where costs are seconds on one thread, which the log gets too. */
void ald_plan_seconds(const ald_run *run, const ald_stage_cost *stages, int count);
/* What follows is that part of the present span: from `from` on, `share` long. Left by giving back what it
 * was before. */
typedef struct ald_span {
    double begin, width;
} ald_span;
ald_span ald_span_enter(const ald_run *run, double from, double share);
void ald_span_leave(const ald_run *run, ald_span before);
/* Reports how far the whole span is. What the caller answers: 0: continue. */
int ald_tell_span(const ald_call *call, const char *stage, double done);
/* The same for a stage, where there is a progress function. */
int ald_tell_stage(const ald_call *call, const char *stage, double done);
/* A bar at its beginning. */
void ald_bar_begin(ald_bar *bar);

/* Tells the caller how far a stage is (negative: unknown); ALD_ERROR_CANCELLED when it wants to stop. On a
 * thread that helps it does nothing. */
ald_status ald_progress(ald_run *run, const char *stage, double done);
/* Whether this thread does parts of what another one runs: then the caller is not asked here, even by the
 * other's run. Gives back what was said before. */
int ald_thread_helps(int helps);
/* Whether this thread may call the progress function. */
int ald_can_ask(const ald_run *run);
/* The same question as the last one, from work that is long and does not know how far it is. */
ald_status ald_ask_again(ald_run *run);
/* The same in a loop, each step of which takes about so many operations, a value that comes from memory as
 * ALD_VALUE_WORK: asks when a tenth of the context's patience is used up, as touching memory for the first
 * time may take several times as long. */
ald_status ald_ask_after(ald_run *run, double operations);
#define ALD_VALUE_WORK 5.0
/* The same of a value that is written where nothing was before: the system makes pages for it. */
#define ALD_PAGE_WORK (6.0 * ALD_VALUE_WORK)

#endif
