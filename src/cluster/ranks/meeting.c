/* Ranks look whether the others have come, sleep in between, and pass the failure of the lowest rank on. */
#include "cluster/ranks/meeting.h"

#include <time.h>

/* Seconds that a rank waits for the others once it has failed. */
static const double patience = 4.0;

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

typedef struct waiting {
    ald_run *run;
    double until; /* 0: as long as it takes */
    int stopped;
} waiting;

/* A rank that is cancelled while it waits has promised to come: the others may be on their way. */
static int stops(void *user)
{
    waiting *w = user;
    if (w->until > 0.0) return now() > w->until;
    const ald_error before = *w->run->error;
    if (ald_ask_again(w->run) >= 0) return 0;
    *w->run->error = before;
    w->stopped = 1;
    w->until = now() + patience;
    return 0;
}

/* The lowest rank that has failed, so many ranks at a time: no memory may be needed to tell that there is
 * none. */
static int find_failed(const ald_communicator *ranks, int failed)
{
    enum { at_once = 64 };
    for (int first = 0; first < ranks->size; first += at_once) {
        int64_t flags[at_once] = {0};
        if (ranks->rank >= first && ranks->rank < first + at_once) flags[ranks->rank - first] = failed;
        for (int64_t i = 0; i < at_once; i += ranks->most)
            ranks->messages->count(ranks->self, flags + i,
                                   (int)(at_once - i < ranks->most ? at_once - i : ranks->most));
        for (int i = 0; i < at_once; i++)
            if (flags[i]) return first + i;
    }
    return 0;
}

static void hear_error(const ald_communicator *ranks, int from, ald_error *error)
{
    const int64_t size = (int64_t)sizeof *error;
    for (int64_t done = 0; done < size; done += ranks->most) {
        const int64_t left = size - done;
        ranks->messages->hear(ranks->self, from, (char *)error + done,
                              (int)(left < ranks->most ? left : ranks->most));
    }
}

static ald_status end_with(const ald_communicator *ranks, const ald_error *error, int known)
{
    if (!ranks->ending) return error->status;
    ranks->ending->known = known;
    ranks->ending->lost = !known;
    ranks->ending->error = *error;
    return error->status;
}

/* All are here, and some have failed. */
static ald_status hear_failure(ald_run *run, const ald_communicator *ranks, ald_status status)
{
    ald_error failure = *run->error;
    failure.status = status;
    hear_error(ranks, find_failed(ranks, status < 0), &failure);
    *run->error = failure;
    return end_with(ranks, &failure, 1);
}

static ald_status miss(ald_run *run, const ald_communicator *ranks, ald_status status)
{
    if (status >= 0)
        status = ald_fail(run->error, ALD_ERROR_CANCELLED, "cancelled while waiting for the other ranks");
    run->error->status = status;
    return end_with(ranks, run->error, 0);
}

ald_status ald_meet_known(ald_run *run, const ald_communicator *ranks)
{
    const struct ald_ending *e = ranks->ending;
    if (!e || !(e->known || e->lost)) return ALD_OK;
    *run->error = e->error;
    return e->error.status;
}

ald_status ald_meet(ald_run *run, const ald_communicator *ranks, ald_status status)
{
    ALD_TRY(ald_meet_known(run, ranks));
    if (status >= 0 && ranks->ending && ranks->ending->stopped)
        status = ald_fail(run->error, ALD_ERROR_CANCELLED, "cancelled while waiting for the other ranks");
    waiting w = {.run = run, .until = status < 0 ? now() + patience : 0.0};
    const int failures = ranks->messages->meet(ranks->self, status < 0, stops, &w);
    if (failures < 0) return miss(run, ranks, status);
    if (failures > 0) return hear_failure(run, ranks, status);
    if (ranks->ending) ranks->ending->stopped = w.stopped;
    return status;
}
