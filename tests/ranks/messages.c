/* messages [SECONDS]: what messages between ranks cost, for bench/ranks_model.py. Started by mpirun with two
 * ranks or more; rank 0 prints one line of JSON. Times are of the wall clock, the least of several:
 *
 *   latency    one number added up over all ranks
 *   send       bytes per second from one rank to the next, in messages of 32 MB
 *   sum        bytes per second of an array of 32 MB that is added up over all ranks */
#include "cluster/ranks/communicator.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { count = 4 * 1000 * 1000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Rank 1 hears from rank 0 and says that it has; the others have nothing to do. */
static void pass(ald_run *run, double *values)
{
    char heard = 0;
    if (ald_rank(run) == 0) {
        ald_send(run, 1, values, count * (int64_t)sizeof *values);
        ald_receive(run, 1, &heard, 1);
    } else if (ald_rank(run) == 1) {
        ald_receive(run, 0, values, count * (int64_t)sizeof *values);
        ald_send(run, 0, &heard, 1);
    }
}

static void add_one(ald_run *run, double *values)
{
    ald_all_sum(run, values, 1);
}

static void add_all(ald_run *run, double *values)
{
    ald_all_sum(run, values, count);
}

/* The least time of a call within so many seconds; all ranks make the same calls, as rank 0 decides. */
static double least(ald_run *run, double seconds, void (*call)(ald_run *, double *), double *values)
{
    double best = HUGE_VAL, spent = 0.0;
    int64_t goes_on = 1;
    while (goes_on > 0) {
        const double begun = now();
        call(run, values);
        const double took = now() - begun;
        best = fmin(best, took);
        spent += took;
        goes_on = ald_rank(run) == 0 && spent < seconds;
        ald_all_count(run, &goes_on, 1);
    }
    return best;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1.0, bytes = 8.0 * count;
    ald_error error;
    ald_ranks *ranks;
    ald_run run;
    int speaker;
    if (ald_ranks_join(&ranks, &error) < 0 || ald_ranks_size(ranks) < 2) return 1;
    ald_context *context = support_context(1, NULL);
    double *values = calloc(count, sizeof *values);
    if (!values || ald_context_set_ranks(context, ranks, &error) < 0) ald_ranks_stop(ranks, 1);
    ald_run_begin(&run, context, &error);
    const double latency = least(&run, seconds, add_one, values);
    const double send = least(&run, seconds, pass, values), sum = least(&run, seconds, add_all, values);
    if (ald_rank(&run) == 0)
        printf("{\"ranks\": %d, \"latency\": %.3g, \"send\": %.3g, \"sum\": %.3g}\n", ald_ranks_size(ranks),
               latency, bytes / send, bytes / sum);
    ald_run_end(&run, ALD_OK);
    free(values);
    ald_context_free(context);
    ald_ranks_settle(ranks, 0, &speaker);
    ald_ranks_leave(ranks);
    return 0;
}
