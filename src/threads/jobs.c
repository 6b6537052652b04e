#include "threads/jobs.h"

#include "threads/awaiting.h"
#include "threads/deadline.h"
#include "threads/threads.h"

#include <math.h>
#include <stdatomic.h>

typedef struct jobs {
    const ald_context *context;
    int64_t count;
    const char *stage;
    ald_job_fn fn;
    void *work;
    ald_job_costs costs;
    double unit; /* of `finished`: a whole is 1e12 of them */
    atomic_int_fast64_t next, finished;
    atomic_int stopped;
    ald_awaiting waiting; /* until nobody is busy */
    int busy;             /* lanes in the middle of a job */
} jobs;

/* How long the caller is not asked while others end their jobs, in nanoseconds. */

/* One thread's view of the context: silent, and asking the caller's progress only from the caller's thread.
 */
typedef struct lane {
    jobs *all;
    int number;
    ald_context context;
    ald_bar bar;       /* of its job */
    double cost;       /* of it, as a part of all */
    ald_status status; /* of the job that ended them all, if it ran here */
    ald_error error;
} lane;

/* Whether to stop. Other lanes are about as far in their jobs as this one. */
static int ask(const lane *l, double done)
{
    jobs *all = l->all;
    const ald_context *outer = all->context;
    const double part = 1e-12 * (double)atomic_load(&all->finished) + l->cost * fmax(done, 0.0);
    if (l->number == 0 && ald_tell_span(outer, all->stage, fmin(part, 1.0))) atomic_store(&all->stopped, 1);
    if (ald_deadline_passes(outer)) atomic_store(&all->stopped, 1);
    return atomic_load(&all->stopped);
}

static int on_progress(void *user, const char *stage, double done)
{
    (void)stage;
    return ask(user, done);
}

static void count_busy(jobs *all, int more)
{
    pthread_mutex_lock(&all->waiting.lock);
    all->busy += more;
    if (all->busy == 0) pthread_cond_signal(&all->waiting.changed);
    pthread_mutex_unlock(&all->waiting.lock);
}

static void work_lane(lane *l)
{
    jobs *all = l->all;
    for (int64_t at; (at = atomic_fetch_add(&all->next, 1)) < all->count;) {
        l->cost = all->costs.costs[at % all->costs.period] * all->unit;
        ald_bar_begin(&l->bar);
        if (ask(l, 0.0)) return;
        l->status = all->fn(all->work, &l->context, l->number, at, &l->error);
        if (l->status < 0) atomic_store(&all->stopped, 1);
        if (l->status < 0) return;
        atomic_fetch_add(&all->finished, (int_fast64_t)(1e12 * l->cost));
    }
}

static int nobody_is_busy(const void *work)
{
    const jobs *all = work;
    return all->busy == 0;
}

/* The caller's thread, when there is no job left for it, goes on asking until the others are done. */
static void run_lane(void *work, int number)
{
    lane *l = (lane *)work + number;
    count_busy(l->all, 1);
    work_lane(l);
    count_busy(l->all, -1);
    while (number == 0 && !ald_await(&l->all->waiting, nobody_is_busy, l->all)) ask(l, 0.0);
}

int ald_jobs_lanes(const ald_context *context, int64_t jobs)
{
    return ald_parts(context, jobs, 1);
}

/* What ended them: the failure of a job, which may have made others stop as cancelled; or the caller's wish.
 */
static ald_status outcome(ald_run *run, const jobs *all, const lane *lanes, int count)
{
    for (int i = 0; i < count; i++)
        if (lanes[i].status < 0 && lanes[i].status != ALD_ERROR_CANCELLED)
            return ald_fail(run->error, lanes[i].status, "%s", lanes[i].error.message);
    if (!atomic_load(&all->stopped)) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_CANCELLED, "cancelled while %s", all->stage);
}

/* The unit in which the costs of all jobs are 1. */
static double unit_of(int64_t count, ald_job_costs costs)
{
    double sum = 0.0, rest = 0.0;
    for (int64_t i = 0; i < costs.period; i++) sum += costs.costs[i];
    for (int64_t i = 0; i < count % costs.period; i++) rest += costs.costs[i];
    return 1.0 / ((double)(count / costs.period) * sum + rest);
}

ald_status ald_jobs_run_by_cost(ald_run *run, int64_t count, ald_job_costs costs, const char *stage,
                                ald_job_fn fn, void *work)
{
    const int parts = ald_jobs_lanes(run->context, count);
    jobs all = {
        .context = run->context,
        .count = count,
        .stage = stage,
        .fn = fn,
        .work = work,
        .costs = costs,
        .unit = unit_of(count, costs),
    };
    lane *lanes;
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *lanes, &lanes));
    for (int i = 0; i < parts; i++) {
        lanes[i] = (lane){.all = &all, .number = i, .context = *run->context};
        lanes[i].context.threads = 1;
        lanes[i].context.log = NULL;
        lanes[i].context.progress = on_progress;
        lanes[i].context.progress_user = &lanes[i];
        lanes[i].context.bar = &lanes[i].bar;
    }
    ald_awaiting_begin(&all.waiting);
    ald_parallel(parts, run_lane, lanes);
    ald_awaiting_end(&all.waiting);
    return outcome(run, &all, lanes, parts);
}

ald_status ald_jobs_run(ald_run *run, int64_t count, const char *stage, ald_job_fn fn, void *work)
{
    static const double equal = 1.0;
    return ald_jobs_run_by_cost(run, count, (ald_job_costs){&equal, 1}, stage, fn, work);
}
