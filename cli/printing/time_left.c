/* A command is a few calls of the library, each of which goes from 0 to 1. The first ones (reading) have a
 * share by what the verb expects; any other takes nearly all that is left, and what comes behind it is short.
 *
 * With d the part of the call that is done after t seconds of it, and t' the time at which half of d was
 * done, the call will take (1 - d) times
 *
 *   sqrt(t / d * (t - t') / (d - d/2)),
 *
 * the mean, as factors go, of the speed since its beginning and of that of late. */
#include "progress.h"

#include <math.h>

static const double usual_share = 0.99;

void cli_time_left_expect(cli_time_left *t, double share)
{
    t->expected = share;
}

static void begin_call(cli_time_left *t, double now)
{
    t->base = t->begun ? t->base + t->width : 0.0;
    t->width = t->expected > 0.0 ? t->expected : usual_share;
    t->width *= 1.0 - t->base;
    t->is_last = t->expected == 0.0;
    t->expected = 0.0;
    t->began = now;
    t->done = 0.0;
    t->reached = 0;
    t->when[0] = now;
    t->begun = 1;
}

double cli_time_left_at(cli_time_left *t, double now, double done)
{
    if (!t->begun || (done >= 0.0 && done < t->done - 1e-9)) begin_call(t, now);
    t->done = fmin(fmax(done, t->done), 1.0);
    while (t->reached < CLI_SAMPLES && t->done * CLI_SAMPLES >= (double)(t->reached + 1))
        t->when[++t->reached] = now;
    t->told = fmax(t->told, t->base + t->width * t->done);
    return t->told;
}

double cli_time_left_seconds(const cli_time_left *t, double now)
{
    if (!t->begun || !(t->done > 0.0)) return -1.0;
    const double elapsed = now - t->began, all = elapsed / t->done;
    const int half = (int)(t->done * CLI_SAMPLES / 2.0);
    const double since = t->done - (double)half / CLI_SAMPLES, late = (now - t->when[half]) / since;
    const double speed = half > 0 && late > 0.0 ? sqrt(all * late) : all;
    const double after = t->is_last ? 0.0 : 1.0 - t->base - t->width; /* at the speed of this one */
    return speed * (1.0 - t->done) + (t->width > 0.0 ? elapsed / t->done * after / t->width : 0.0);
}
