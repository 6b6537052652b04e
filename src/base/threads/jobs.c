/* Lanes of workers take jobs from a common list; the first failure stops the others. */
#include "base/threads/jobs.h"

#include "base/threads/awaiting.h"
#include "base/threads/pacing.h"
#include "base/threads/threads.h"

#include <math.h>
#include <stdatomic.h>

typedef struct jobs {
    const ald_run *run; /* the caller's */
    int64_t count;
    const char *stage;
    ald_job_fn fn;
    void *work;
    const ald_job_kinds *kinds;
    atomic_int_fast64_t next;
    atomic_int stopped;
    ald_awaiting waiting; /* until nobody is busy */
    /* Under its lock: */
    int busy; /* lanes in the middle of a job */
    struct lane *lanes;
    int n_lanes;
} jobs;

/* One thread's part: silent, and asking the caller's progress only from the caller's thread. */
typedef struct lane {
    jobs *all;
    int number;
    ald_run run;       /* its bar is of the job */
    int64_t kind;      /* of it, or -1: it has none */
    double began;      /* of it, in seconds */
    double told;       /* how far it said it is, 0 to 1 */
    ald_status status; /* of the job that ended them all, if it ran here */
    ald_error error;
} lane;

/* The part of what is expected of its job that is done, in the unit of the pace: by the clock where jobs of
 * its kind were seen, else by what it says. */
static double running(const ald_pace *pace, const lane *l, double now)
{
    if (l->kind < 0) return 0.0;
    const double expected = ald_pace_expect(pace, l->kind);
    return ald_pace_is_known(pace, l->kind) ? fmin(now - l->began, expected) : expected * l->told;
}

/* Under the lock. */
static double part_done(const jobs *all)
{
    const double now = ald_pace_clock();
    double sum = 0.0;
    for (int i = 0; i < all->n_lanes; i++) sum += running(all->kinds->pace, &all->lanes[i], now);
    return ald_pace_part(all->kinds->pace, sum);
}

static const char *stage_of(const lane *l)
{
    const char *const *stages = l->all->kinds->stages;
    return stages && l->kind >= 0 ? stages[l->kind] : l->all->stage;
}

/* Whether to stop. */
static int ask(lane *l, double done)
{
    jobs *all = l->all;
    const ald_run *outer = all->run;
    pthread_mutex_lock(&all->waiting.lock);
    l->told = fmin(fmax(done, l->told), 1.0);
    const double part = l->number == 0 && outer->call.progress ? part_done(all) : 0.0;
    pthread_mutex_unlock(&all->waiting.lock);
    if (l->number == 0 && ald_tell_span(&outer->call, stage_of(l), part)) atomic_store(&all->stopped, 1);
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

static void begin_job(lane *l, int64_t at)
{
    const ald_job_kinds *kinds = l->all->kinds;
    pthread_mutex_lock(&l->all->waiting.lock);
    l->kind = kinds->kinds[at % kinds->period];
    l->began = ald_pace_clock();
    l->told = 0.0;
    pthread_mutex_unlock(&l->all->waiting.lock);
    ald_bar_begin(&l->run.bar);
}

static void end_job(lane *l)
{
    pthread_mutex_lock(&l->all->waiting.lock);
    ald_pace_note(l->all->kinds->pace, l->kind, ald_pace_clock() - l->began);
    l->kind = -1;
    pthread_mutex_unlock(&l->all->waiting.lock);
}

static void work_lane(lane *l)
{
    jobs *all = l->all;
    for (int64_t at; (at = atomic_fetch_add(&all->next, 1)) < all->count;) {
        begin_job(l, at);
        if (ask(l, 0.0)) return;
        l->status = all->fn(all->work, &l->run, l->number, at, &l->error);
        if (l->status < 0) atomic_store(&all->stopped, 1);
        if (l->status < 0) return;
        end_job(l);
    }
}

static int nobody_is_busy(const void *work)
{
    const jobs *all = work;
    return all->busy == 0;
}

/* Each lane asks by a progress function of its own, on whatever thread. The caller's thread, when there is
 * no job left for it, keeps asking until the others are done. */
static void run_lane(void *work, int number)
{
    lane *l = (lane *)work + number;
    const int helped = ald_thread_helps(0);
    /* The others may leave no job to the caller's thread, which alone asks. */
    const int stop = number == 0 && ask(l, 0.0);
    count_busy(l->all, 1);
    if (!stop) work_lane(l);
    count_busy(l->all, -1);
    ald_thread_helps(helped);
    while (number == 0 && !ald_await(&l->all->waiting, nobody_is_busy, l->all)) ask(l, 0.0);
}

int ald_jobs_lanes(const ald_run *run, int64_t count)
{
    return ald_parts(run, count, 1);
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

ald_status ald_jobs_run_paced(ald_run *run, int64_t count, const ald_job_kinds *kinds, const char *stage,
                              ald_job_fn fn, void *work)
{
    const int parts = ald_jobs_lanes(run, count);
    lane *lanes;
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *lanes, &lanes));
    jobs all = {
        .run = run,
        .count = count,
        .stage = stage,
        .fn = fn,
        .work = work,
        .kinds = kinds,
        .lanes = lanes,
        .n_lanes = parts,
    };
    for (int i = 0; i < parts; i++) {
        lanes[i] = (lane){.all = &all, .number = i, .kind = -1};
        ald_run_inside(&lanes[i].run, run, NULL);
        lanes[i].run.call.threads = 1;
        lanes[i].run.call.log = NULL;
        lanes[i].run.call.progress = on_progress;
        lanes[i].run.call.progress_user = &lanes[i];
        lanes[i].run.call.bar = &lanes[i].run.bar;
    }
    ald_pace_plan(kinds->pace, kinds->kinds, kinds->period, count);
    ald_awaiting_begin(&all.waiting);
    ald_parallel(parts, run_lane, lanes);
    ald_awaiting_end(&all.waiting);
    return outcome(run, &all, lanes, parts);
}

ald_status ald_jobs_run(ald_run *run, int64_t count, const char *stage, ald_job_fn fn, void *work)
{
    static const int64_t only = 0;
    ald_pace pace;
    ALD_TRY(ald_pace_new(run, 1, &pace));
    return ald_jobs_run_paced(run, count, &(ald_job_kinds){&pace, &only, 1, NULL}, stage, fn, work);
}
