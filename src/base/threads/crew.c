#include "base/threads/crew.h"

#include "base/core/run.h"

#include <stdatomic.h>

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
