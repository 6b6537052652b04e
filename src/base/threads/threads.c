/* OpenBLAS's thread count, parallel regions, turns. The count is a fact of the process, and so an exception
 * to "no global mutable state", under a lock. */
#include "base/threads/threads.h"

#include "base/core/run.h"

#ifdef ALD_HAVE_OPENBLAS
#include <cblas.h>
#else /* the BLAS of the program, where there is one, may be OpenBLAS */
void openblas_set_num_threads(int count) __attribute__((weak));
int openblas_get_num_threads(void) __attribute__((weak));
#endif
#include <stdatomic.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    int fits;    /* verbs that compute at this moment */
    int regions; /* parallel regions of ours at this moment */
    int lent;    /* calls of LAPACK that may have all threads */
    int wanted;  /* the smallest number of threads that the fits want */
    int before;  /* what OpenBLAS had before the first of them */
} blas = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int has_openblas(void)
{
#ifdef ALD_HAVE_OPENBLAS
    return 1;
#else
    return openblas_set_num_threads && openblas_get_num_threads;
#endif
}

/* Without OpenBLAS there is nothing to set. */
static void set_blas_threads(int count)
{
    if (has_openblas()) openblas_set_num_threads(count);
}

static int blas_threads(void)
{
    return has_openblas() ? openblas_get_num_threads() : 1;
}

static int spare_locked(void)
{
    return blas.fits == 1 && blas.regions == 0 ? blas.wanted : 1;
}

static void apply_locked(void)
{
    const int is_over = blas.fits == 0 && blas.regions == 0;
    const int ours = blas.lent > 0 ? spare_locked() : 1;
    set_blas_threads(is_over ? blas.before : ours);
}

typedef struct change {
    int fits, regions, lent, wanted;
} change;

static void count(change c)
{
    pthread_mutex_lock(&blas.lock);
    if (blas.fits == 0 && blas.regions == 0) {
        blas.before = blas_threads();
        blas.wanted = INT32_MAX;
    }
    if (c.wanted > 0 && c.wanted < blas.wanted) blas.wanted = c.wanted;
    blas.fits += c.fits;
    blas.regions += c.regions;
    blas.lent += c.lent;
    apply_locked();
    pthread_mutex_unlock(&blas.lock);
}

/* The holder of the lock no longer exists. */
static void begin_child(void)
{
    pthread_mutex_init(&blas.lock, NULL);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, begin_child);
}

void ald_threads_begin(int threads)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, watch_forks);
    count((change){.fits = 1, .wanted = threads});
}

void ald_threads_end(void)
{
    count((change){.fits = -1});
}

void ald_threads_few(void)
{
    count((change){.wanted = 1});
}

void ald_threads_pause(void)
{
    count((change){.regions = 1});
}

void ald_threads_resume(void)
{
    count((change){.regions = -1});
}

void ald_threads_lend(void)
{
    count((change){.lent = 1});
}

void ald_threads_return(void)
{
    count((change){.lent = -1});
}

int ald_threads_spare(void)
{
    pthread_mutex_lock(&blas.lock);
    const int spare = spare_locked();
    pthread_mutex_unlock(&blas.lock);
    return spare;
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
    ald_threads_pause();
    ald_crew_run(parts, fn, work);
    ald_threads_resume();
}

/* Tasks that are taken by one part after the other. */
typedef struct tasks {
    ald_part_fn fn;
    void *work;
    int count;
    atomic_int next;
} tasks;

static void take_tasks(void *work, int part)
{
    tasks *t = work;
    (void)part;
    for (int task; (task = atomic_fetch_add(&t->next, 1)) < t->count;) t->fn(t->work, task);
}

void ald_tasks(int threads, int count, ald_part_fn fn, void *work)
{
    tasks t = {.fn = fn, .work = work, .count = count};
    ald_parallel(threads < count ? threads : count, take_tasks, &t);
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
        if (!ald_thread_start(&threads[*live], run_gated, &calls[*live])) break;
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

void ald_gate_begin(ald_gate *gate, int room)
{
    *gate = (ald_gate){.room = room};
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->left, NULL);
}

void ald_gate_end(ald_gate *gate)
{
    pthread_cond_destroy(&gate->left);
    pthread_mutex_destroy(&gate->lock);
}

void ald_gate_enter(ald_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->room == 0) pthread_cond_wait(&gate->left, &gate->lock);
    gate->room--;
    pthread_mutex_unlock(&gate->lock);
}

void ald_gate_leave(ald_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->room++;
    pthread_cond_signal(&gate->left);
    pthread_mutex_unlock(&gate->lock);
}
