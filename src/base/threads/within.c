#include "base/threads/within.h"

#include <math.h>

static int forward(void *user, const char *stage, double done)
{
    const ald_within *w = user;
    (void)stage;
    return ald_tell_stage(&w->outer, w->stage, w->from + w->share * fmin(fmax(done, 0.0), 1.0));
}

void ald_within_enter(ald_run *run, const char *stage, ald_within *within)
{
    *within = (ald_within){.run = run, .outer = run->call, .stage = stage};
    ald_within_next(within, 0.0, 0.0);
    if (!run->call.progress) return;
    run->call.progress = forward;
    run->call.progress_user = within;
    run->call.bar = &within->bar;
}

void ald_within_next(ald_within *within, double from, double share)
{
    within->from = from;
    within->share = share;
    ald_bar_begin(&within->bar);
}

void ald_within_leave(ald_within *within)
{
    within->run->call = within->outer;
}
