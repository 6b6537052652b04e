/* The pace of jobs, stages within a stage and deadlines, see the header. */
#include "base/threads/pacing.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* A job takes no less by any clock: what is known is above 0. */
static const double least = 1e-9;

ald_status ald_pace_new(ald_run *run, int64_t n_kinds, ald_pace *pace)
{
    *pace = (ald_pace){.n_kinds = n_kinds};
    ALD_TRY(ALD_SCRATCH(run, {&pace->guesses, n_kinds, 1}, {&pace->seconds, n_kinds, 1}));
    ALD_TRY(ald_scratch(run, n_kinds, 1, sizeof *pace->done, &pace->done));
    ALD_TRY(ald_scratch(run, n_kinds, 1, sizeof *pace->left, &pace->left));
    for (int64_t k = 0; k < n_kinds; k++) {
        pace->guesses[k] = 1.0;
        pace->seconds[k] = 0.0;
        pace->done[k] = pace->left[k] = 0;
    }
    return ALD_OK;
}

int ald_pace_is_known(const ald_pace *pace, int64_t kind)
{
    return pace->done[kind] > 0;
}

/* Seconds per unit of the guesses. */
static double rate(const ald_pace *pace)
{
    return pace->priced > 0.0 ? pace->measured / pace->priced : 1.0;
}

static double mean_seconds(const ald_pace *pace, int64_t kind)
{
    return pace->seconds[kind] / (double)pace->done[kind];
}

double ald_pace_expect(const ald_pace *pace, int64_t kind)
{
    return ald_pace_is_known(pace, kind) ? mean_seconds(pace, kind) : rate(pace) * pace->guesses[kind];
}

/* Puts a kind into the sums (sign 1), or takes it out (-1). */
static void count_kind(ald_pace *pace, int64_t kind, double sign)
{
    const double left = (double)pace->left[kind];
    if (!ald_pace_is_known(pace, kind)) {
        pace->unknown += sign * left * pace->guesses[kind];
        return;
    }
    pace->known += sign * left * mean_seconds(pace, kind);
    pace->measured += sign * mean_seconds(pace, kind);
    pace->priced += sign * pace->guesses[kind];
}

void ald_pace_plan(ald_pace *pace, const int64_t *kinds, int64_t period, int64_t count)
{
    memset(pace->left, 0, (size_t)pace->n_kinds * sizeof *pace->left);
    pace->spent = pace->known = pace->unknown = pace->measured = pace->priced = 0.0;
    for (int64_t i = 0; i < period; i++) pace->left[kinds[i]] += count / period + (i < count % period);
    for (int64_t k = 0; k < pace->n_kinds; k++) count_kind(pace, k, 1.0);
}

void ald_pace_note(ald_pace *pace, int64_t kind, double seconds)
{
    const double taken = fmax(seconds, least);
    count_kind(pace, kind, -1.0);
    pace->seconds[kind] += taken;
    pace->done[kind]++;
    pace->left[kind]--;
    pace->spent += taken;
    count_kind(pace, kind, 1.0);
}

/* Sums that were taken out again may leave a hair of rounding. */
double ald_pace_left(const ald_pace *pace)
{
    return fmax(pace->known, 0.0) + rate(pace) * fmax(pace->unknown, 0.0);
}

double ald_pace_part(const ald_pace *pace, double running)
{
    const double left = ald_pace_left(pace), whole = pace->spent + left;
    return whole > 0.0 ? fmin((pace->spent + fmin(running, left)) / whole, 1.0) : 1.0;
}

double ald_pace_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int forward(void *user, const char *stage, double done)
{
    const ald_within_stage *w = user;
    (void)stage;
    return ald_tell_stage(&w->outer, w->stage, w->from + w->share * fmin(fmax(done, 0.0), 1.0));
}

void ald_within_enter(ald_run *run, const char *stage, ald_within_stage *within)
{
    *within = (ald_within_stage){.run = run, .outer = run->call, .stage = stage};
    ald_within_next(within, 0.0, 0.0);
    if (!run->call.progress) return;
    run->call.progress = forward;
    run->call.progress_user = within;
    run->call.bar = &within->bar;
}

void ald_within_next(ald_within_stage *within, double from, double share)
{
    within->from = from;
    within->share = share;
    ald_bar_begin(&within->bar);
}

void ald_within_leave(ald_within_stage *within)
{
    within->run->call = within->outer;
}

void ald_deadline_begin(ald_deadline *deadline, double (*clock)(void), double seconds)
{
    deadline->clock = clock;
    deadline->at = clock() + seconds;
    atomic_init(&deadline->armed, 0);
    atomic_init(&deadline->passed, 0);
}

void ald_deadline_arm(const ald_run *run)
{
    if (run->call.deadline) atomic_store(&run->call.deadline->armed, 1);
}

int ald_deadline_passes(const ald_run *run)
{
    ald_deadline *deadline = run->call.deadline;
    if (!deadline || !atomic_load(&deadline->armed)) return 0;
    if (deadline->clock() >= deadline->at) atomic_store(&deadline->passed, 1);
    return atomic_load(&deadline->passed);
}

int ald_deadline_was_passed(const ald_run *run)
{
    return run->call.deadline && atomic_load(&run->call.deadline->passed);
}
