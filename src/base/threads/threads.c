/* OpenBLAS's thread count, parallel regions and the crew of threads behind them. Count and crew are facts of
 * the process, and so exceptions to "no global mutable state", each under a lock. */
#include "base/threads/threads.h"

#include "base/core/run.h"

#include <cblas.h>
#include <stdatomic.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    int fits;    /* verbs that compute at this moment */
    int regions; /* parallel regions of ours at this moment */
    int wanted;  /* the smallest number of threads that the fits want */
    int before;  /* what OpenBLAS had before the first of them */
} blas = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void apply_locked(void)
{
    if (blas.fits == 0 && blas.regions == 0)
        openblas_set_num_threads(blas.before);
    else
        openblas_set_num_threads(blas.regions > 0 || blas.fits > 1 ? 1 : blas.wanted);
}

static void count(int fits, int regions, int wanted)
{
    pthread_mutex_lock(&blas.lock);
    if (blas.fits == 0 && blas.regions == 0) {
        blas.before = openblas_get_num_threads();
        blas.wanted = wanted;
    }
    if (wanted < blas.wanted) blas.wanted = wanted;
    blas.fits += fits;
    blas.regions += regions;
    apply_locked();
    pthread_mutex_unlock(&blas.lock);
}

/* The holder of the lock no longer exists. */
static void begin_child(void)
{
    pthread_mutex_init(&blas.lock, NULL);
    ald_crew_forget();
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, begin_child);
}

void ald_threads_begin(int threads)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, watch_forks);
    ald_crew_open();
    count(1, 0, threads);
}

void ald_threads_end(void)
{
    count(-1, 0, INT32_MAX);
    ald_crew_close();
}

void ald_threads_few(void)
{
    count(0, 0, 1);
}

void ald_threads_pause(void)
{
    count(0, 1, INT32_MAX);
}

void ald_threads_resume(void)
{
    count(0, -1, INT32_MAX);
}

typedef struct part_call {
    ald_part_fn fn;
    void *work;
    int part;
} part_call;

static void *run_part(void *argument)
{
    const part_call *call = argument;
    ald_thread_helps(1);
    call->fn(call->work, call->part);
    return NULL;
}

void ald_parallel(int parts, ald_part_fn fn, void *work)
{
    if (parts <= 1) {
        fn(work, 0);
        return;
    }
    pthread_t threads[ALD_MOST_PARTS];
    part_call calls[ALD_MOST_PARTS];
    unsigned char started[ALD_MOST_PARTS] = {0};
    ald_threads_pause();
    if (ald_crew_run(parts, fn, work)) {
        ald_threads_resume();
        return;
    }
    for (int part = 1; part < parts; part++) {
        calls[part] = (part_call){fn, work, part};
        started[part] = pthread_create(&threads[part], NULL, run_part, &calls[part]) == 0;
    }
    fn(work, 0);
    for (int part = 1; part < parts; part++) {
        if (started[part])
            pthread_join(threads[part], NULL);
        else
            fn(work, part);
    }
    ald_threads_resume();
}

/* A part that begins when the gate is opened. */
typedef struct gated_call {
    part_call call;
    pthread_mutex_t *gate;
} gated_call;

static void *run_gated(void *argument)
{
    gated_call *gated = argument;
    pthread_mutex_lock(gated->gate);
    pthread_mutex_unlock(gated->gate);
    return run_part(&gated->call);
}

void ald_together(int parts, int *live, ald_part_fn fn, void *work)
{
    pthread_t threads[ALD_MOST_PARTS];
    gated_call calls[ALD_MOST_PARTS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    ald_threads_pause();
    pthread_mutex_lock(&gate);
    for (*live = 1; *live < parts; ++*live) {
        calls[*live] = (gated_call){{fn, work, *live}, &gate};
        if (pthread_create(&threads[*live], NULL, run_gated, &calls[*live]) != 0) break;
    }
    pthread_mutex_unlock(&gate);
    fn(work, 0);
    for (int part = 1; part < *live; part++) pthread_join(threads[part], NULL);
    pthread_mutex_destroy(&gate);
    ald_threads_resume();
}

void ald_turns_begin(ald_turns *turns)
{
    *turns = (ald_turns){.number = 0};
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->called, NULL);
}

void ald_turns_end(ald_turns *turns)
{
    pthread_cond_destroy(&turns->called);
    pthread_mutex_destroy(&turns->lock);
}

int ald_turns_await(ald_turns *turns, int64_t number)
{
    pthread_mutex_lock(&turns->lock);
    while (turns->number != number && !turns->stopped) pthread_cond_wait(&turns->called, &turns->lock);
    const int go = !turns->stopped;
    pthread_mutex_unlock(&turns->lock);
    return go;
}

static void call(ald_turns *turns, int next, int stop)
{
    pthread_mutex_lock(&turns->lock);
    turns->number += next;
    turns->stopped |= stop;
    pthread_cond_broadcast(&turns->called);
    pthread_mutex_unlock(&turns->lock);
}

void ald_turns_next(ald_turns *turns)
{
    call(turns, 1, 0);
}

void ald_turns_stop(ald_turns *turns)
{
    call(turns, 0, 1);
}

int ald_parts(const ald_run *run, int64_t items, int64_t grain)
{
    int64_t parts = grain > 0 ? items / grain : items;
    if (parts > run->call.threads) parts = run->call.threads;
    if (parts > ALD_MOST_PARTS) parts = ALD_MOST_PARTS;
    return parts < 1 ? 1 : (int)parts;
}

int64_t ald_part_begin(int64_t items, int parts, int part)
{
    const int64_t each = items / parts, rest = items % parts;
    return each * part + (part < rest ? part : rest);
}

/* Regions often follow each other within microseconds, and a thread that sleeps takes some fifty of them to
 * wake: so it looks around for about as long before it sleeps. */
enum { looks = 1000 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t called; /* there are parts to do, or it is time to go */
    pthread_cond_t done;   /* all parts of the region are, or the region is over */
    int openings;
    int busy, leaving;
    pthread_t threads[ALD_MOST_PARTS];
    int size;
    ald_part_fn fn;
    void *work;
    int parts, next;     /* of the region */
    atomic_int finished; /* written under the lock, as is the next */
    atomic_uint calls;   /* regions so far, and one at the end */
} crew = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .called = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

static void look_around(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

/* Looks for the next region, without the lock. */
static void await_call(unsigned before)
{
    for (int i = 0; i < looks && atomic_load(&crew.calls) == before; i++) look_around();
}

/* Looks for the end of this one. */
static void await_end(int parts)
{
    for (int i = 0; i < looks && atomic_load(&crew.finished) < parts; i++) look_around();
}

static void do_part_locked(void)
{
    const int part = crew.next++;
    const ald_part_fn fn = crew.fn;
    void *work = crew.work;
    pthread_mutex_unlock(&crew.lock);
    fn(work, part);
    pthread_mutex_lock(&crew.lock);
    if (atomic_fetch_add(&crew.finished, 1) + 1 == crew.parts) pthread_cond_broadcast(&crew.done);
}

static void *serve(void *unused)
{
    ald_thread_helps(1);
    pthread_mutex_lock(&crew.lock);
    for (;;) {
        const unsigned calls = atomic_load(&crew.calls);
        while (crew.next < crew.parts) do_part_locked();
        if (crew.leaving) break;
        pthread_mutex_unlock(&crew.lock);
        await_call(calls);
        pthread_mutex_lock(&crew.lock);
        while (crew.next == crew.parts && !crew.leaving) pthread_cond_wait(&crew.called, &crew.lock);
    }
    pthread_mutex_unlock(&crew.lock);
    return unused;
}

/* A child that was forked has none of the threads, but maybe the lock, taken, and conditions that are waited
 * for: it begins anew. */
void ald_crew_forget(void)
{
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.called, NULL);
    pthread_cond_init(&crew.done, NULL);
    crew.size = crew.openings = crew.busy = crew.leaving = crew.parts = crew.next = 0;
}

void ald_crew_open(void)
{
    pthread_mutex_lock(&crew.lock);
    while (crew.leaving) pthread_cond_wait(&crew.done, &crew.lock);
    crew.openings++;
    pthread_mutex_unlock(&crew.lock);
}

void ald_crew_close(void)
{
    pthread_mutex_lock(&crew.lock);
    if (crew.openings > 0) crew.openings--; /* in a child its parent may have opened it */
    if (crew.openings > 0 || crew.size == 0) {
        pthread_mutex_unlock(&crew.lock);
        return;
    }
    while (crew.busy) pthread_cond_wait(&crew.done, &crew.lock);
    crew.leaving = 1;
    atomic_fetch_add(&crew.calls, 1);
    pthread_cond_broadcast(&crew.called);
    pthread_mutex_unlock(&crew.lock);
    for (int i = 0; i < crew.size; i++) pthread_join(crew.threads[i], NULL);
    pthread_mutex_lock(&crew.lock);
    crew.size = crew.leaving = 0;
    pthread_cond_broadcast(&crew.done);
    pthread_mutex_unlock(&crew.lock);
}

/* Where the system has no more threads to give, those that are there do the work. */
static void grow_locked(int wanted)
{
    while (crew.size < wanted && pthread_create(&crew.threads[crew.size], NULL, serve, NULL) == 0)
        crew.size++;
}

int ald_crew_run(int parts, ald_part_fn fn, void *work)
{
    pthread_mutex_lock(&crew.lock);
    if (crew.openings == 0 || crew.busy || crew.leaving) {
        pthread_mutex_unlock(&crew.lock);
        return 0;
    }
    crew.busy = 1;
    grow_locked(parts - 1);
    crew.fn = fn;
    crew.work = work;
    crew.parts = parts;
    crew.next = 0;
    atomic_store(&crew.finished, 0);
    atomic_fetch_add(&crew.calls, 1);
    pthread_cond_broadcast(&crew.called);
    do_part_locked();
    while (crew.next < crew.parts) do_part_locked();
    pthread_mutex_unlock(&crew.lock);
    await_end(parts);
    pthread_mutex_lock(&crew.lock);
    while (crew.finished < crew.parts) pthread_cond_wait(&crew.done, &crew.lock);
    crew.busy = 0;
    pthread_cond_broadcast(&crew.done);
    pthread_mutex_unlock(&crew.lock);
    return 1;
}
