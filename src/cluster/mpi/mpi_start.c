/* The communicator over MPI. This folder is a separate module, the only place that names MPI.
 *
 * Errors of MPI end all ranks, which is its default: they could not be reported. Sums are formed on rank 0
 * and broadcast, so that all ranks have the same bytes. All calls are nonblocking, and polled from time to
 * time: MPI's own wait would keep the processor busy, which other ranks or programs may need. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cluster/ranks/communicator.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { tag = 1 };

/* Open MPI leaves memory behind, and unloads its parts before a sanitizer looks for it: then nobody can tell
 * whose it was. What is left by starting it is therefore not looked at, and the rest while its parts are
 * still there (tests/ranks/leaks.txt). */
#ifdef __SANITIZE_ADDRESS__
void __lsan_disable(void);
void __lsan_enable(void);
void __lsan_do_leak_check(void);
#endif

static void ignore_leaks(int begin)
{
#ifdef __SANITIZE_ADDRESS__
    begin ? __lsan_disable() : __lsan_enable();
#else
    (void)begin;
#endif
}

static void look_for_leaks(void)
{
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();
#endif
}

typedef struct channel {
    MPI_Comm work, ends; /* copies of the world: nothing that is left over in one disturbs the other */
    int rank, size;
    int failures; /* of the last meeting */
} channel;

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* First busy, for ranks that come at the same time; then asleep, for at most so many nanoseconds. A rank does
 * not yield: beside busy programs Linux (6.18) runs those first, and every question costs a time slice. */
enum { while_apart = 1000000, while_passing = 100000 };
static void rest(int64_t asked, int64_t longest)
{
    enum { busy = 20, shortest = 20000 };
    if (asked < busy) return;
    const int64_t wait = shortest * (asked - busy + 1);
    const struct timespec pause = {.tv_nsec = wait < longest ? wait : longest};
    nanosleep(&pause, NULL);
}

static void await(MPI_Request request)
{
    int done = 0;
    for (int64_t asked = 0;; asked++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return;
        rest(asked, while_passing);
    }
}

static int meet(void *self, int failed, int (*stop)(void *user), void *user)
{
    const double interval = 0.05;
    channel *c = self;
    MPI_Request request;
    int done = 0;
    double last = now();
    int *failures = &c->failures; /* may still be written to when this rank has given up */
    *failures = failed;
    MPI_Iallreduce(MPI_IN_PLACE, failures, 1, MPI_INT, MPI_SUM, c->work, &request);
    for (int64_t asked = 0;; asked++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) return *failures;
        rest(asked, while_apart);
        if (now() - last < interval) continue;
        last = now();
        if (stop(user)) return -1; /* it is left open: this rank says nothing more on this channel */
    }
}

static void broadcast(const channel *c, int from, void *values, int count, MPI_Datatype type)
{
    MPI_Request request;
    MPI_Ibcast(values, count, type, from, c->work, &request);
    await(request);
}

static void hear(void *self, int from, void *bytes, int count)
{
    broadcast(self, from, bytes, count, MPI_BYTE);
}

static void send(void *self, int to, const void *bytes, int count)
{
    MPI_Request request;
    MPI_Isend(bytes, count, MPI_BYTE, to, tag, ((channel *)self)->work, &request);
    await(request);
}

static void receive(void *self, int from, void *bytes, int count)
{
    MPI_Request request;
    MPI_Irecv(bytes, count, MPI_BYTE, from, tag, ((channel *)self)->work, &request);
    await(request);
}

static void add(const channel *c, void *values, int count, MPI_Datatype type)
{
    const void *own = c->rank == 0 ? MPI_IN_PLACE : values;
    MPI_Request request;
    MPI_Ireduce(own, values, count, type, MPI_SUM, 0, c->work, &request);
    await(request);
    broadcast(c, 0, values, count, type);
}

static void add_counts(void *self, int64_t *values, int count)
{
    add(self, values, count, MPI_INT64_T);
}

static void add_reals(void *self, double *values, int count)
{
    add(self, values, count, MPI_DOUBLE);
}

static int settle(void *self, int code, double seconds, int *codes)
{
    const channel *c = self;
    const double began = now();
    MPI_Request request;
    int done = 0;
    MPI_Iallgather(&code, 1, MPI_INT, codes, 1, MPI_INT, c->ends, &request);
    for (int64_t asked = 0; !done; asked++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && seconds >= 0.0 && now() - began > seconds) return 0;
        if (!done) rest(asked, while_apart);
    }
    return 1;
}

static void leave(void *self)
{
    look_for_leaks();
    MPI_Finalize();
    free(self);
}

static void stop_all(void *self, int code)
{
    (void)self;
    MPI_Abort(MPI_COMM_WORLD, code);
}

static const ald_messages by_mpi = {
    .meet = meet,
    .hear = hear,
    .send = send,
    .receive = receive,
    .count = add_counts,
    .sum = add_reals,
    .settle = settle,
    .leave = leave,
    .stop_all = stop_all,
};

/* The cores that this rank may use, divided by the ranks of the machine that may use the same; and how many
 * ranks that machine has. */
static int threads_of(int *neighbours)
{
    cpu_set_t own;
    cpu_set_t *all;
    MPI_Comm machine;
    int count = 0, alike = 0;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof own, &own) != 0) CPU_SET(0, &own);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &count);
    all = calloc((size_t)count, sizeof *all);
    if (!all) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, machine);
    for (int r = 0; r < count; r++) alike += CPU_EQUAL(&own, &all[r]) != 0;
    free(all);
    MPI_Comm_free(&machine);
    *neighbours = count;
    const int threads = CPU_COUNT(&own) / alike;
    return threads > 0 ? threads : 1;
}

/* ALD_RANKS_MOST, for tests: messages of so few elements that counts beyond an int can be tried. */
static int64_t longest_message(void)
{
    const char *text = getenv("ALD_RANKS_MOST");
    const long given = text ? strtol(text, NULL, 10) : 0;
    return given > 0 && given < INT_MAX ? given : INT_MAX;
}

const char *ald_mpi_start(ald_communicator *made);

__attribute__((visibility("default"))) const char *ald_mpi_start(ald_communicator *made)
{
    int level, neighbours;
    channel *c = calloc(1, sizeof *c);
    if (!c) return "out of memory";
    ignore_leaks(1);
    setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0); /* see rest */
    const int started = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    ignore_leaks(0);
    if (started != MPI_SUCCESS) {
        free(c);
        return "MPI_Init_thread failed";
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c->size);
    MPI_Comm_dup(MPI_COMM_WORLD, &c->work);
    MPI_Comm_dup(MPI_COMM_WORLD, &c->ends);
    const int threads = threads_of(&neighbours);
    *made = (ald_communicator){
        .rank = c->rank,
        .size = c->size,
        .threads = threads,
        .neighbours = neighbours,
        .most = longest_message(),
        .messages = &by_mpi,
        .self = c,
    };
    return NULL;
}
