/* Regions stand in a list with their parts; threads of the crew take parts of any of them. */
#include "base/threads/crew.h"

#include "base/core/run.h"

#include <signal.h>
#include <stdatomic.h>

/* Regions often follow each other within microseconds, and a thread that sleeps takes some fifty of them to
 * wake: so it looks around for about as long before it sleeps. Measured with 16 threads, short fits of rsir,
 * lsir and sdpp took 5 to 15 % longer with 300 looks. */
enum { looks = 2000 };

/* On the stack of its caller, who leaves when all parts are finished. */
typedef struct region {
    ald_part_fn fn;
    void *work;
    int parts, next;
    atomic_int finished; /* written under the lock, as is the next */
    struct region *after;
} region;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t called; /* there are parts to do, or it is time to go */
    pthread_cond_t done;   /* all parts of a region are */
    region *regions;
    int wanted; /* threads, by the regions that are open */
    int size;
    int leaving;
    pthread_t threads[ALD_MOST_PARTS];
    atomic_uint calls; /* regions so far, and one at the end */
} crew = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .called = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

int ald_thread_start(pthread_t *thread, void *(*fn)(void *argument), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(thread, NULL, fn, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

static void look_around(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

/* It is held for less than a microsecond, and a thread that sleeps for it comes much later. */
static void lock_crew(void)
{
    for (int i = 0; i < looks; i++) {
        if (pthread_mutex_trylock(&crew.lock) == 0) return;
        look_around();
    }
    pthread_mutex_lock(&crew.lock);
}

/* Looks for the next region, without the lock. */
static void await_call(unsigned before)
{
    for (int i = 0; i < looks && atomic_load(&crew.calls) == before; i++) look_around();
}

/* Looks for the end of this one. */
static void await_end(region *r)
{
    for (int i = 0; i < looks && atomic_load(&r->finished) < r->parts; i++) look_around();
}

static region *open_region_locked(void)
{
    region *r = crew.regions;
    while (r && r->next == r->parts) r = r->after;
    return r;
}

static void do_part_locked(region *r)
{
    const int part = r->next++;
    pthread_mutex_unlock(&crew.lock);
    r->fn(r->work, part);
    lock_crew();
    if (atomic_fetch_add(&r->finished, 1) + 1 == r->parts) pthread_cond_broadcast(&crew.done);
}

static void *serve(void *unused)
{
    ald_thread_helps(1);
    lock_crew();
    for (;;) {
        const unsigned calls = atomic_load(&crew.calls);
        for (region *r; (r = open_region_locked());) do_part_locked(r);
        if (crew.leaving) break;
        pthread_mutex_unlock(&crew.lock);
        await_call(calls);
        lock_crew();
        while (!open_region_locked() && !crew.leaving) pthread_cond_wait(&crew.called, &crew.lock);
    }
    pthread_mutex_unlock(&crew.lock);
    return unused;
}

/* A child that was forked has none of the threads, but maybe the lock, taken, and conditions that are waited
 * for: it begins anew. */
static void begin_child(void)
{
    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.called, NULL);
    pthread_cond_init(&crew.done, NULL);
    crew.regions = NULL;
    crew.wanted = crew.size = crew.leaving = 0;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, begin_child);
}

/* A process that ends, or unloads the library, waits until they have left; not where one of them is at work,
 * as the end of a process does not wait for computations of other threads either. */
__attribute__((destructor)) static void dismiss(void)
{
    pthread_mutex_lock(&crew.lock);
    const int size = crew.regions ? 0 : crew.size;
    crew.leaving = 1;
    atomic_fetch_add(&crew.calls, 1);
    pthread_cond_broadcast(&crew.called);
    pthread_mutex_unlock(&crew.lock);
    for (int i = 0; i < size; i++) pthread_join(crew.threads[i], NULL);
}

/* Where the system has no more threads to give, those that are there do the work. */
static void grow_locked(void)
{
    while (!crew.leaving && crew.size < crew.wanted && crew.size < ALD_MOST_PARTS &&
           ald_thread_start(&crew.threads[crew.size], serve, NULL))
        crew.size++;
}

static void publish_locked(region *r)
{
    r->after = crew.regions;
    crew.regions = r;
    crew.wanted += r->parts - 1;
    grow_locked();
    atomic_fetch_add(&crew.calls, 1);
}

/* Without the lock, which those that wake want at once. */
static void call_crew(int parts, int everyone)
{
    if (everyone)
        pthread_cond_broadcast(&crew.called);
    else
        for (int i = 1; i < parts; i++) pthread_cond_signal(&crew.called);
}

static void withdraw_locked(const region *r)
{
    region **at = &crew.regions;
    while (*at != r) at = &(*at)->after;
    *at = r->after;
    crew.wanted -= r->parts - 1;
}

void ald_crew_run(int parts, ald_part_fn fn, void *work)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    region r = {.fn = fn, .work = work, .parts = parts};
    pthread_once(&watched, watch_forks);
    lock_crew();
    publish_locked(&r);
    const int everyone = parts > crew.size, first = r.next++;
    pthread_mutex_unlock(&crew.lock);
    call_crew(parts, everyone);
    fn(work, first);
    lock_crew();
    atomic_fetch_add(&r.finished, 1);
    while (r.next < r.parts) do_part_locked(&r);
    pthread_mutex_unlock(&crew.lock);
    await_end(&r);
    lock_crew();
    while (atomic_load(&r.finished) < r.parts) pthread_cond_wait(&crew.done, &crew.lock);
    withdraw_locked(&r);
    pthread_mutex_unlock(&crew.lock);
}
