#include "io/files/batch.h"

#include "base/core/given.h"
#include "io/files/system.h"

#include <string.h>

enum { most_files = 64 };

struct ald_batch {
    ald_arena arena;
    ald_waiting files[most_files];
    int count;
};

static ald_batch *new_batch(const ald_context *context)
{
    ald_batch *batch = context->allocator.resize(context->allocator.user, NULL, sizeof *batch);
    if (!batch) return NULL;
    memset(batch, 0, sizeof *batch);
    ald_arena_init(&batch->arena, &context->allocator);
    return batch;
}

static void free_batch(ald_context *context)
{
    ald_arena_free(&context->between.batch->arena);
    context->allocator.resize(context->allocator.user, context->between.batch, 0);
    context->between.batch = NULL;
}

static void let_go(const ald_system *system, const ald_waiting *file, int removing)
{
    if (removing) system->unlink(file->temporary);
    if (file->lock >= 0) system->close(file->lock);
}

static ald_waiting *find_place(ald_batch *batch, const char *target)
{
    for (int i = 0; i < batch->count; i++)
        if (strcmp(batch->files[i].target, target) == 0) return &batch->files[i];
    return batch->count < most_files ? &batch->files[batch->count] : NULL;
}

ald_status ald_batch_add(ald_run *run, const ald_waiting *file)
{
    ald_batch *batch = run->call.batch;
    ald_waiting *place = find_place(batch, file->target);
    if (!place)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "more than %d files are held back; place them first", most_files);
    const ald_waiting copy = {
        .temporary = ald_arena_text(&batch->arena, file->temporary, strlen(file->temporary)),
        .target = ald_arena_text(&batch->arena, file->target, strlen(file->target)),
        .lock = file->lock,
    };
    if (!copy.temporary || !copy.target) return ald_out_of_memory(run, (int64_t)strlen(file->target), 2, 1);
    if (place == &batch->files[batch->count])
        batch->count++;
    else
        let_go(run->context->system, place, 1);
    *place = copy;
    return ALD_OK;
}

ald_status ald_outputs_hold(ald_context *context, ald_error *error)
{
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    if (!context->between.batch) context->between.batch = new_batch(context);
    return context->between.batch ? ALD_OK
                                  : ald_fail(error, ALD_ERROR_MEMORY, "out of memory for a list of outputs");
}

ald_status ald_outputs_place(ald_context *context, ald_error *error)
{
    ald_run run;
    int kept;
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    ald_run_begin(&run, context, error);
    if (!context->between.batch) return ald_run_end(&run, ALD_OK);
    const ald_batch *batch = context->between.batch;
    const ald_status status = ald_pending_place(&run, batch->files, batch->count, &kept);
    for (int i = 0; i < batch->count; i++) let_go(context->system, &batch->files[i], status < 0 && !kept);
    free_batch(context);
    return ald_run_end(&run, status);
}

void ald_outputs_drop(ald_context *context)
{
    if (!context || !context->between.batch) return;
    for (int i = 0; i < context->between.batch->count; i++)
        let_go(context->system, &context->between.batch->files[i], 1);
    free_batch(context);
}
