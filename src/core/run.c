#include "core/run.h"

#include "core/budget.h"

#include <stdio.h>
#include <string.h>

void ald_run_begin(ald_run *run, const ald_context *context, ald_error *error)
{
    memset(run, 0, sizeof *run);
    run->context = context;
    run->error = error ? error : &run->unused_error;
    memset(run->error, 0, sizeof *run->error);
    ald_arena_init(&run->scratch, &context->allocator);
}

ald_status ald_run_end(ald_run *run, ald_status status)
{
    ald_arena_free(&run->scratch);
    if (status == ALD_OK) status = run->warning;
    run->error->status = status;
    return status;
}

void ald_run_fork(const ald_run *run, const ald_context *context, ald_run *worker)
{
    ald_run_begin(worker, context ? context : run->context, NULL);
    worker->settings = run->settings;
    worker->is_fork = 1;
}

void ald_run_fork_here(const ald_run *run, ald_run *worker)
{
    ald_run_fork(run, NULL, worker);
    worker->is_fork = run->is_fork;
    memcpy(worker->stage, run->stage, sizeof worker->stage);
    worker->done = run->done;
}

ald_status ald_run_join(ald_run *run, ald_run *worker, ald_status status)
{
    ald_arena_free(&worker->scratch);
    const int failed = worker->error->status < 0 && run->error->status >= 0;
    const int warned = worker->warning != ALD_OK && run->warning == ALD_OK && run->error->status >= 0;
    if (failed || warned) *run->error = *worker->error;
    if (warned) run->warning = worker->warning;
    return status;
}

ald_status ald_out_of_memory(ald_run *run, int64_t a, int64_t b, size_t size)
{
    size_t bytes;
    if (!ald_size_product(a, b, size, &bytes))
        return ald_fail(run->error, ALD_ERROR_MEMORY, "%lld x %lld elements are more than memory can address",
                        (long long)a, (long long)b);
    ald_budget *budget = run->context->budget;
    if (budget && bytes > ald_budget_left(budget))
        return ald_fail(run->error, ALD_ERROR_MEMORY,
                        "out of memory: %.1f MB for %lld x %lld elements, but only %.1f of the %.1f MB of "
                        "`max_memory` are "
                        "left",
                        (double)bytes / 1e6, (long long)a, (long long)b,
                        (double)ald_budget_left(budget) / 1e6, (double)budget->limit / 1e6);
    return ald_fail(run->error, ALD_ERROR_MEMORY, "out of memory: %.1f MB for %lld x %lld elements",
                    (double)bytes / 1e6, (long long)a, (long long)b);
}

ald_status ald_scratch(ald_run *run, int64_t a, int64_t b, size_t size, void *block)
{
    void *got = ald_arena_get(&run->scratch, a, b, size);
    memcpy(block, &got, sizeof got);
    return got ? ALD_OK : ald_out_of_memory(run, a, b, size);
}

ald_status ald_scratch_reals(ald_run *run, int64_t a, int64_t b, double **block)
{
    return ald_scratch(run, a, b, sizeof **block, block);
}

ald_status ald_scratch_wishes(ald_run *run, const ald_wish *wishes)
{
    for (; wishes->block; wishes++) ALD_TRY(ald_scratch_reals(run, wishes->a, wishes->b, wishes->block));
    return ALD_OK;
}

ald_status ald_scratch_zeros(ald_run *run, int64_t a, int64_t b, double **block)
{
    ALD_TRY(ald_scratch_reals(run, a, b, block));
    memset(*block, 0, (size_t)a * (size_t)b * sizeof **block);
    return ALD_OK;
}

void ald_warn(ald_run *run, ald_status warning, const char *format, ...)
{
    char text[ALD_MESSAGE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ald_log(run->context, ALD_LOG_WARNING, "%s", text);
    if (run->warning != ALD_OK) return;
    run->warning = warning;
    ald_fail(run->error, warning, "%s", text);
}

ald_status ald_progress(ald_run *run, const char *stage, double done)
{
    const ald_context *context = run->context;
    if (!context->progress) return ALD_OK;
    if (stage != run->stage) snprintf(run->stage, sizeof run->stage, "%s", stage);
    run->done = done;
    run->silent = 0.0;
    if (!context->progress(context->progress_user, stage, done)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_CANCELLED, "cancelled while %s", stage);
}

int ald_can_ask(const ald_run *run)
{
    return run->context->progress && !run->is_fork;
}

ald_status ald_ask_again(ald_run *run)
{
    if (!ald_can_ask(run)) return ALD_OK;
    return run->stage[0] ? ald_progress(run, run->stage, run->done) : ald_progress(run, "computing", -1.0);
}

ald_status ald_ask_after(ald_run *run, double operations)
{
    run->silent += operations;
    if (run->silent <= 0.5 * run->context->patience) return ALD_OK;
    run->silent = 0.0;
    return ald_ask_again(run);
}
