/* Finished files put in their places, and the outputs that a context holds back until all are written
 * (ald_outputs_hold in <alidade/context.h>).
 *
 * One file replaces the old one by a rename. Of several, first the old ones are removed, but for that of the
 * first file; then the first is renamed, which replaces its old one; then the others are. The folders are
 * synced after each of these steps. Whenever the process ends, the files that are there are all old or all
 * new, and the first is there if it was before. */
#include "io/files/output.h"

#include "base/core/budget.h"
#include "base/core/error.h"
#include "io/files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { most_files = 64 };

static ald_status fail(ald_run *run, const char *path, const char *what, int number)
{
    return ald_fail(run->error, ALD_ERROR_IO, "%s: %s: %s", path, what, strerror(number));
}

/* A rename is kept only when the folder itself is synced. Some file systems cannot do that, and a folder may
 * be closed to reading. */
static ald_status sync_folder(ald_run *run, const ald_waiting *file, const char *what)
{
    const ald_system *system = run->context->system;
    const size_t length = ald_folder_length(file->target);
    char folder[PATH_MAX] = ".";
    if (length) memcpy(folder, file->target, length);
    if (length) folder[length] = '\0';
    const int open = system->open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (open < 0 && errno == EACCES) return ALD_OK;
    const int done = open >= 0 && (system->fsync(open) == 0 || errno == EINVAL || errno == ENOTSUP);
    const int number = errno;
    if (open >= 0) system->close(open);
    return done ? ALD_OK : fail(run, file->target, what, number);
}

/* Whether an earlier one of the files is in the same folder. */
static int folder_was_before(const ald_waiting *files, int i)
{
    const size_t length = ald_folder_length(files[i].target);
    for (int k = 0; k < i; k++)
        if (ald_folder_length(files[k].target) == length &&
            memcmp(files[k].target, files[i].target, length) == 0)
            return 1;
    return 0;
}

static ald_status sync_folders(ald_run *run, const ald_waiting *files, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        if (!folder_was_before(files, i)) ALD_TRY(sync_folder(run, &files[i], what));
    return ALD_OK;
}

static ald_status remove_old(ald_run *run, const ald_waiting *files, int count)
{
    for (int i = 1; i < count; i++)
        if (run->context->system->unlink(files[i].target) != 0 && errno != ENOENT)
            return fail(run, files[i].target, "the old file cannot be removed", errno);
    return sync_folders(run, files, count, "the old file cannot be removed from the disk");
}

static ald_status rename_files(ald_run *run, const ald_waiting *files, int count)
{
    for (int i = 0; i < count; i++)
        if (run->context->system->rename(files[i].temporary, files[i].target) != 0)
            return fail(run, files[i].target, "cannot be put in its place", errno);
    return sync_folders(run, files, count, "is in its place, but its folder cannot be written to the disk");
}

ald_status ald_files_place(ald_run *run, const ald_waiting *files, int count)
{
    if (count == 0) return ALD_OK;
    if (count > 1) ALD_TRY(remove_old(run, files, count));
    ALD_TRY(rename_files(run, files, 1));
    return rename_files(run, files + 1, count - 1);
}

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

/* The temporary file may be in its place already; then there is nothing under its name. */
static void let_go(const ald_system *system, const ald_waiting *file)
{
    system->unlink(file->temporary);
    if (file->lock >= 0) system->close(file->lock);
}

static ald_waiting *find_place(ald_batch *batch, const char *target)
{
    for (int i = 0; i < batch->count; i++)
        if (strcmp(batch->files[i].target, target) == 0) return &batch->files[i];
    return batch->count < most_files ? &batch->files[batch->count] : NULL;
}

ald_status ald_file_hold(ald_run *run, const ald_waiting *file)
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
        let_go(run->context->system, place);
    *place = copy;
    return ALD_OK;
}

ald_status ald_outputs_hold(ald_context *context, ald_error *error)
{
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    if (!context->between.batch) context->between.batch = new_batch(context);
    return context->between.batch ? ALD_OK : ald_no_memory_for(error, context->budget, "a list of outputs");
}

ald_status ald_outputs_place(ald_context *context, ald_error *error)
{
    ald_run run;
    ald_status status = ALD_OK;
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    ald_run_begin(&run, context, error);
    if (context->between.batch)
        status = ald_files_place(&run, context->between.batch->files, context->between.batch->count);
    ald_outputs_drop(context);
    return ald_run_end(&run, status);
}

void ald_outputs_drop(ald_context *context)
{
    if (!context || !context->between.batch) return;
    for (int i = 0; i < context->between.batch->count; i++)
        let_go(context->system, &context->between.batch->files[i]);
    free_batch(context);
}
