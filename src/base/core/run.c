/* A run from its beginning to its end: errors, warnings, progress and requests to stop. */
#include "base/core/run.h"

#include "base/core/budget.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void begin(ald_run *run, const ald_context *context, const ald_call *call, ald_error *error)
{
    memset(run, 0, sizeof *run);
    run->context = context;
    run->call = *call;
    run->error = error ? error : &run->unused_error;
    memset(run->error, 0, sizeof *run->error);
    ald_arena_init(&run->scratch, call->allocator);
}

void ald_run_begin(ald_run *run, const ald_context *context, ald_error *error)
{
    const ald_call call = {
        .allocator = &context->allocator,
        .threads = context->threads,
        .ranks = context->ranks,
        .discards = context->discards,
        .log = context->log,
        .log_user = context->log_user,
        .progress = context->progress,
        .progress_user = context->progress_user,
        .batch = context->between.batch,
        .bar = context->progress ? &run->bar : NULL,
        .news = &run->news,
    };
    begin(run, context, &call, error);
    ald_bar_begin(&run->bar);
}

ald_call ald_call_alone(const ald_run *run)
{
    ald_call alone = run->call;
    alone.threads = 1;
    alone.ranks = NULL;
    return alone;
}

void ald_run_inside(ald_run *run, const ald_run *outer, ald_error *error)
{
    begin(run, outer->context, &outer->call, error);
}

enum { news_none, news_coming, news_written, news_said };

static void say_news(const ald_run *run)
{
    int written = news_written;
    if (run->call.log && atomic_compare_exchange_strong(&run->call.news->state, &written, news_said))
        ald_log(run, ALD_LOG_INFO, "%s", run->call.news->line);
}

void ald_log_once(const ald_run *run, const char *format, ...)
{
    ald_news *news = run->call.news;
    int none = news_none;
    if (atomic_compare_exchange_strong(&news->state, &none, news_coming)) {
        va_list list;
        va_start(list, format);
        vsnprintf(news->line, sizeof news->line, format, list);
        va_end(list);
        atomic_store(&news->state, news_written);
    }
    say_news(run);
}

ald_status ald_run_end(ald_run *run, ald_status status)
{
    if (run->call.news == &run->news) say_news(run);
    ald_arena_free(&run->scratch);
    if (status == ALD_OK) status = run->warning;
    run->error->status = status;
    if (run->call.bar == &run->bar && status >= 0)
        run->call.progress(run->call.progress_user, run->bar.stage[0] ? run->bar.stage : "done", 1.0);
    return status;
}

void ald_run_fork(const ald_run *run, ald_run *worker)
{
    ald_run_inside(worker, run, NULL);
    worker->settings = run->settings;
    worker->is_fork = 1;
}

void ald_run_fork_here(const ald_run *run, ald_run *worker)
{
    ald_run_fork(run, worker);
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
    run->on_card |= worker->on_card;
    return status;
}

ald_status ald_out_of_memory(ald_run *run, int64_t a, int64_t b, size_t size)
{
    size_t bytes;
    if (!ald_size_product(a, b, size, &bytes))
        return ald_fail(run->error, ALD_ERROR_MEMORY, "%lld x %lld elements are more than memory can address",
                        (long long)a, (long long)b);
    ald_budget *budget = run->context->budget;
    char asked[32], limit[32];
    ald_size_text(bytes, asked);
    if (ald_budget_refused(budget))
        return ald_fail(run->error, ALD_ERROR_MEMORY,
                        "out of memory: %s for %lld x %lld elements are more than is left of `max_memory`, "
                        "which is %s",
                        asked, (long long)a, (long long)b, ald_size_text(budget->limit, limit));
    return ald_fail(run->error, ALD_ERROR_MEMORY, "out of memory: %s for %lld x %lld elements", asked,
                    (long long)a, (long long)b);
}

ald_status ald_get(ald_run *run, ald_arena *arena, int64_t a, int64_t b, size_t size, void *block)
{
    void *got = ald_arena_get(arena, a, b, size);
    memcpy(block, &got, sizeof got);
    return got ? ALD_OK : ald_out_of_memory(run, a, b, size);
}

enum { cleared_at_once = 1 << 21 }; /* bytes; larger blocks ask in between */

ald_status ald_get_clear(ald_run *run, ald_arena *arena, int64_t a, int64_t b, size_t size, void *block)
{
    unsigned char *bytes;
    ALD_TRY(ald_get(run, arena, a, b, size, &bytes));
    memcpy(block, &bytes, sizeof bytes);
    for (size_t all = (size_t)(a * b) * size, done = 0, part; done < all; done += part) {
        part = all - done < cleared_at_once ? all - done : cleared_at_once;
        if (all > part) ALD_TRY(ald_ask_after(run, ALD_PAGE_WORK / 8.0 * (double)part));
        memset(bytes + done, 0, part);
    }
    return ALD_OK;
}

ald_status ald_resize(ald_run *run, ald_arena *arena, void *block, int64_t a, int64_t b, size_t size)
{
    void *old;
    memcpy(&old, block, sizeof old);
    void *got = ald_arena_resize(arena, old, a, b, size);
    if (!got) return ald_out_of_memory(run, a, b, size);
    memcpy(block, &got, sizeof got);
    return ALD_OK;
}

ald_status ald_keep(ald_run *run, ald_arena *arena, const void *from, int64_t count, size_t size, void *block)
{
    void *made = NULL;
    if (from) ALD_TRY(ald_get(run, arena, count, 1, size, &made));
    if (from && count > 0) memcpy(made, from, (size_t)count * size);
    memcpy(block, &made, sizeof made);
    return ALD_OK;
}

ald_status ald_keep_text(ald_run *run, ald_arena *arena, const char *text, size_t length, char **copy)
{
    *copy = ald_arena_text(arena, text, length);
    return *copy ? ALD_OK : ald_out_of_memory(run, (int64_t)length + 1, 1, 1);
}

ald_status ald_scratch(ald_run *run, int64_t a, int64_t b, size_t size, void *block)
{
    return ald_get(run, &run->scratch, a, b, size, block);
}

ald_status ald_scratch_clear(ald_run *run, int64_t a, int64_t b, size_t size, void *block)
{
    return ald_get_clear(run, &run->scratch, a, b, size, block);
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
    ALD_TRY(ald_scratch_clear(run, a, b, sizeof **block, block));
    return 8 * a * b > cleared_at_once ? ALD_OK : ald_ask_after(run, ALD_PAGE_WORK * (double)(a * b));
}

void ald_log(const ald_run *run, ald_log_level level, const char *format, ...)
{
    if (!run->call.log) return;
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    run->call.log(run->call.log_user, level, line);
}

void ald_warn(ald_run *run, ald_status warning, const char *format, ...)
{
    char text[ALD_MESSAGE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ald_log(run, ALD_LOG_WARNING, "%s", text);
    if (run->warning != ALD_OK) return;
    run->warning = warning;
    ald_fail(run->error, warning, "%s", text);
}

void ald_bar_begin(ald_bar *bar)
{
    *bar = (ald_bar){.width = 1.0};
}

void ald_plan_stages(const ald_run *run, const ald_stage_cost *stages, int count)
{
    ald_bar *bar = run->call.bar;
    double total = 0.0, before = 0.0;
    if (!bar || count > ALD_MOST_STAGES) return;
    for (int i = 0; i < count; i++) total += stages[i].cost;
    for (bar->planned = 0; total > 0.0 && bar->planned < count; bar->planned++) {
        const ald_stage_cost *stage = &stages[bar->planned];
        bar->plan[bar->planned].stage = stage->stage;
        bar->plan[bar->planned].reached = before / total;
        bar->plan[bar->planned].share = stage->cost / total;
        before += stage->cost;
    }
}

void ald_plan_seconds(const ald_run *run, const ald_stage_cost *stages, int count)
{
    char text[512] = "";
    double total = 0.0;
    size_t used = 0;
    ald_plan_stages(run, stages, count);
    if (!run->call.log) return;
    for (int i = 0; i < count; i++) total += stages[i].cost;
    for (int i = 0; i < count && used < sizeof text; i++)
        if (stages[i].cost > 0.01 * total)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.2g", used ? ", " : "",
                                     stages[i].stage, stages[i].cost);
    ald_log(run, ALD_LOG_DEBUG, "expected on one thread: about %.2g s (%s)", total, text);
}

ald_span ald_span_enter(const ald_run *run, double from, double share)
{
    ald_bar *bar = run->call.bar;
    if (!bar) return (ald_span){0.0, 1.0};
    const ald_span before = {bar->begin, bar->width};
    const double told = bar->told;
    ald_bar_begin(bar);
    bar->begin = before.begin + before.width * from;
    bar->width = before.width * share;
    bar->told = told;
    return before;
}

void ald_span_leave(const ald_run *run, ald_span before)
{
    ald_bar *bar = run->call.bar;
    if (!bar) return;
    const double end = bar->stage[0] ? bar->begin + bar->width : 0.0; /* nothing was reported: as if
                                                                         skipped */
    const double told = fmin(fmax(bar->told, end), 1.0);
    ald_bar_begin(bar);
    bar->begin = before.begin;
    bar->width = before.width;
    bar->told = told;
    bar->reached = before.width > 0.0 ? fmin(fmax((told - before.begin) / before.width, 0.0), 1.0) : 1.0;
}

/* The position of the stage: by the plan, or after those before it. A planned stage that occurs again
 * continues where it was; one that was not planned, beside a plan, has no place (0). */
static int place_stage(ald_bar *bar, const char *stage, double done)
{
    const int same = strncmp(bar->stage, stage, sizeof bar->stage - 1) == 0;
    const double unplanned = 0.8;
    for (int i = 0; i < bar->planned; i++) {
        if (strcmp(bar->plan[i].stage, stage) != 0) continue;
        bar->reached = bar->plan[i].reached;
        bar->share = bar->plan[i].share;
        return 1;
    }
    if (bar->planned > 0) return 0;
    if (same && !(done < bar->last - 0.05)) return 1;
    bar->reached += bar->share;
    bar->share = unplanned * (1.0 - bar->reached);
    return 1;
}

static void tell_bar(ald_bar *bar, const char *stage, double done)
{
    const int placed = place_stage(bar, stage, done);
    if (stage != bar->stage) snprintf(bar->stage, sizeof bar->stage, "%s", stage);
    if (!placed) return;
    bar->last = fmax(done, 0.0);
    const double part = bar->reached + bar->share * fmin(bar->last, 1.0);
    bar->told = fmax(bar->told, fmin(bar->begin + bar->width * part, 1.0));
}

/* Nothing is known before something was done. */
static int tell(const ald_call *call, const char *stage, double done)
{
    const ald_bar *bar = call->bar;
    const double shown = bar->told > 0.0 || done >= 0.0 ? bar->told : done;
    return call->progress(call->progress_user, stage, shown);
}

int ald_tell_span(const ald_call *call, const char *stage, double done)
{
    ald_bar *bar = call->bar;
    if (!call->progress) return 0;
    bar->told = fmax(bar->told, fmin(bar->begin + bar->width * fmin(done, 1.0), 1.0));
    if (stage != bar->stage) snprintf(bar->stage, sizeof bar->stage, "%s", stage);
    return tell(call, stage, done);
}

int ald_tell_stage(const ald_call *call, const char *stage, double done)
{
    tell_bar(call->bar, stage, done);
    return tell(call, stage, done);
}

static _Thread_local int is_helping;

ald_status ald_progress(ald_run *run, const char *stage, double done)
{
    if (!run->call.progress || is_helping) return ALD_OK;
    if (stage != run->stage) snprintf(run->stage, sizeof run->stage, "%s", stage);
    run->done = done;
    run->silent = 0.0;
    if (!ald_tell_stage(&run->call, stage, done)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_CANCELLED, "cancelled while %s", stage);
}

int ald_thread_helps(int helps)
{
    const int before = is_helping;
    is_helping = helps;
    return before;
}

int ald_can_ask(const ald_run *run)
{
    return run->call.progress && !run->is_fork && !is_helping;
}

ald_status ald_ask_again(ald_run *run)
{
    if (!ald_can_ask(run)) return ALD_OK;
    return run->stage[0] ? ald_progress(run, run->stage, run->done) : ald_progress(run, "computing", -1.0);
}

ald_status ald_ask_after(ald_run *run, double operations)
{
    if (!ald_can_ask(run)) return ALD_OK;
    run->silent += operations;
    if (run->silent <= 0.1 * run->context->patience) return ALD_OK;
    run->silent = 0.0;
    return ald_ask_again(run);
}
