/* A run: one call of a public verb. It carries the context, the scratch memory, the settings and where the
 * error goes, so that internal functions take it first and need nothing else. */
#ifndef ALD_CORE_RUN_H
#define ALD_CORE_RUN_H

#include "core/context.h"
#include "core/error.h"
#include "core/memory.h"

#include <alidade/method.h>

typedef struct ald_run {
    const ald_context *context;
    ald_error *error;
    ald_error unused_error; /* stands in when the caller passes none, so that warnings can be told */
    const ald_settings *settings;
    ald_arena scratch;
    /* Names of the rows and columns of X for messages; NULL: none. */
    const char *const *row_names;
    const char *const *feature_names;
    ald_status warning; /* ALD_OK, or the first warning */
    int64_t available;  /* how many components there are, told by a method that refuses more; 0: none did */
    int is_fork;        /* beside another run, perhaps on another thread: nobody may be asked */
    char stage[64];     /* what the caller was told last, and how far that was */
    double done;
    double silent; /* operations since then, as far as ald_ask_after was told of them */
} ald_run;

/* Clears the error. Every begun run is ended. */
void ald_run_begin(ald_run *run, const ald_context *context, ald_error *error);
/* Frees the scratch; gives back `status`, or the warning when that is ALD_OK. */
ald_status ald_run_end(ald_run *run, ald_status status);

/* A run beside another one, for a worker thread or with a context of its own (NULL: that of `run`): the
 * settings of `run`, but an error and scratch of its own. It may not be moved. Every fork is joined, by the
 * thread of `run`. */
void ald_run_fork(const ald_run *run, const ald_context *context, ald_run *worker);
/* The same for work on the thread of `run`, which may ask the caller. */
void ald_run_fork_here(const ald_run *run, ald_run *worker);
/* Frees the worker's scratch and hands its failure on, or its warning, unless `run` has one already; gives
 * back `status`. */
ald_status ald_run_join(ald_run *run, ald_run *worker, ald_status status);

/* a * b elements of scratch in `block`, or an error that says how much was asked for. */
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

/* The error for "no memory for a x b of size"; for arenas other than the scratch. */
ald_status ald_out_of_memory(ald_run *run, int64_t a, int64_t b, size_t size);

/* Notes a warning: the run goes on and its result is valid. The first one is kept in the error's message. */
void ald_warn(ald_run *run, ald_status warning, const char *format, ...) ALD_PRINTF(3, 4);

/* Tells the caller how far a stage is (negative: unknown); ALD_ERROR_CANCELLED when it wants to stop. */
ald_status ald_progress(ald_run *run, const char *stage, double done);
/* Whether there is somebody to ask on this thread. */
int ald_can_ask(const ald_run *run);
/* The same question as the last one, from work that is long and does not know how far it is. */
ald_status ald_ask_again(ald_run *run);
/* The same in a loop, each step of which takes about so many operations, a value that comes from memory as
 * ALD_VALUE_WORK: asks when half of the context's patience is used up. */
ald_status ald_ask_after(ald_run *run, double operations);
#define ALD_VALUE_WORK 5.0

#endif
