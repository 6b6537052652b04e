#include "api/lanes.h"

#include "backend/threads.h"

#include <math.h>
#include <stdatomic.h>

typedef struct shared {
    int64_t count;
    const char *stage;
    ald_lane_fn fn;
    void *work;
    const ald_context *outer;
    atomic_llong next, finished;
    atomic_int stopped;
} shared;

/* One thread's view of the context: it asks the caller's progress only from the caller's thread. */
typedef struct lane {
    shared *all;
    int number;
    ald_context context;
    ald_error error;
    ald_status status;
} lane;

static int on_progress(void *user, const char *what, double done)
{
    const lane *l = user;
    shared *all = l->all;
    const ald_context *outer = all->outer;
    (void)what;
    const double part = fmin(((double)atomic_load(&all->finished) + fmax(done, 0.0)) / (double)all->count, 1.0);
    if (l->number == 0 && outer->progress && outer->progress(outer->progress_user, all->stage, part))
        atomic_store(&all->stopped, 1);
    return atomic_load(&all->stopped);
}

static void run_lane(void *work, int number)
{
    lane *l = (lane *)work + number;
    shared *all = l->all;
    for (int64_t at; !atomic_load(&all->stopped) && (at = atomic_fetch_add(&all->next, 1)) < all->count;) {
        if (on_progress(l, all->stage, 0.0)) return;
        l->status = all->fn(all->work, &l->context, number, at, &l->error);
        if (l->status < 0) {
            atomic_store(&all->stopped, 1);
            return;
        }
        atomic_fetch_add(&all->finished, 1);
    }
}

int ald_stops_all(ald_status status)
{
    return status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED;
}

/* The first error that is not just the wish to stop, which another lane may have made of it. */
static ald_status outcome(ald_run *run, const shared *all, const lane *lanes, int parts)
{
    for (int i = 0; i < parts; i++)
        if (lanes[i].status < 0 && lanes[i].status != ALD_ERROR_CANCELLED)
            return ald_fail(run->error, lanes[i].status, "%s", lanes[i].error.message);
    if (atomic_load(&all->stopped)) return ald_fail(run->error, ALD_ERROR_CANCELLED, "cancelled while %s", all->stage);
    return ALD_OK;
}

ald_status ald_lanes_run(ald_run *run, const ald_context *context, int64_t count, const char *stage, ald_lane_fn fn,
                         void *work)
{
    const int parts = ald_parts(context, count, 1);
    shared all = {.count = count, .stage = stage, .fn = fn, .work = work, .outer = context};
    lane *l;
    if (count < 1) return ALD_OK;
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *l, &l));
    for (int i = 0; i < parts; i++) {
        l[i] = (lane){.all = &all, .number = i, .context = *context};
        l[i].context.threads = 1;
        l[i].context.log = NULL;
        l[i].context.progress = on_progress;
        l[i].context.progress_user = &l[i];
    }
    ald_parallel(parts, run_lane, l);
    return outcome(run, &all, l, parts);
}
