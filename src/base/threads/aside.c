/* The computation has its own thread, memory and copies of its arrays; abandoned ones are counted. */
#include "base/threads/aside.h"

#include "base/core/budget.h"
#include "base/threads/awaiting.h"
#include "base/threads/crew.h"
#include "base/threads/large_copy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that a computation touches. It belongs to the thread of the caller until it is left, and to the thread
 * of the computation from then on. */
typedef struct parcel {
    ald_context context; /* as the caller's, but silent and with an allocator of its own */
    ald_run run;
    ald_status (*compute)(ald_run *run, const int64_t *sizes, double *const *arrays);
    int64_t sizes[2];
    double *arrays[ALD_ASIDE_MOST];
    ald_awaiting waiting; /* for the end; its lock is of what follows */
    ald_status status;
    int is_done, is_left;
} parcel;

/* Those left behind, of this process: a child that was forked has none of the threads. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count;
    _Atomic pid_t process; /* read without the lock, which a fork may have left taken */
} left = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void count_left(int change)
{
    pthread_mutex_lock(&left.lock);
    if (left.process != getpid()) left.count = 0;
    left.process = getpid();
    left.count += change;
    pthread_cond_broadcast(&left.changed);
    pthread_mutex_unlock(&left.lock);
}

__attribute__((destructor)) void ald_aside_wait(void)
{
    if (left.process != getpid()) return;
    pthread_mutex_lock(&left.lock);
    while (left.count > 0) pthread_cond_wait(&left.changed, &left.lock);
    pthread_mutex_unlock(&left.lock);
}

static void *standard_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

/* An empty parcel with an allocator that has what the caller's budget has left; NULL: no memory. */
static parcel *new_parcel(const ald_context *caller)
{
    const ald_allocator standard = {.resize = standard_resize};
    const size_t limit = caller->budget ? ald_budget_left(caller->budget) : SIZE_MAX;
    ald_budget *budget = ald_budget_new(&standard, limit);
    if (!budget) return NULL;
    const ald_allocator own = ald_budget_allocator(budget);
    parcel *p = own.resize(own.user, NULL, sizeof *p);
    if (!p) standard_resize(NULL, budget, 0);
    if (!p) return NULL;
    memset(p, 0, sizeof *p);
    p->context = (ald_context){
        .allocator = own,
        .budget = budget,
        .threads = caller->threads,
        .backend = caller->backend,
        .system = caller->system,
        .patience = caller->patience,
    };
    ald_run_begin(&p->run, &p->context, NULL);
    return p;
}

static void free_parcel(parcel *p)
{
    const ald_allocator own = p->context.allocator;
    ald_run_end(&p->run, ALD_OK);
    ald_awaiting_end(&p->waiting);
    own.resize(own.user, p, 0);
}

/* The arrays in `p`; ALD_ERROR_MEMORY: there is none for them. */
static ald_status fill_parcel(ald_run *run, parcel *p, const ald_aside_task *task)
{
    for (int i = 0; i < ALD_ASIDE_MOST; i++) {
        const ald_aside_array *array = &task->arrays[i];
        if (!array->data) continue;
        p->arrays[i] = ald_arena_get(&p->run.scratch, array->count, 1, sizeof *array->data);
        if (!p->arrays[i]) return ALD_ERROR_MEMORY;
        if (array->is_read) ALD_TRY(ald_copy_large(run, array->count, array->data, p->arrays[i]));
    }
    return ALD_OK;
}

/* A parcel, or NULL where there is no memory for one; the caller may want to stop. */
static ald_status pack(ald_run *run, const ald_aside_task *task, parcel **made)
{
    parcel *p = new_parcel(run->context);
    *made = NULL;
    if (!p) return ALD_OK;
    ald_awaiting_begin(&p->waiting);
    p->compute = task->compute;
    memcpy(p->sizes, task->sizes, sizeof p->sizes);
    const ald_status status = fill_parcel(run, p, task);
    if (status >= 0)
        *made = p;
    else
        free_parcel(p);
    return status == ALD_ERROR_MEMORY ? ALD_OK : status;
}

static ald_status unpack(ald_run *run, const parcel *p, const ald_aside_task *task)
{
    for (int i = 0; i < ALD_ASIDE_MOST; i++) {
        const ald_aside_array *array = &task->arrays[i];
        if (!array->data || !array->is_written) continue;
        ALD_TRY(ald_copy_large(run, array->count, p->arrays[i], array->data));
    }
    return ALD_OK;
}

static void *compute(void *argument)
{
    parcel *p = argument;
    const ald_status status = p->compute(&p->run, p->sizes, p->arrays);
    pthread_mutex_lock(&p->waiting.lock);
    p->status = status;
    p->is_done = 1;
    const int is_left = p->is_left;
    pthread_cond_signal(&p->waiting.changed);
    pthread_mutex_unlock(&p->waiting.lock);
    if (!is_left) return NULL;
    free_parcel(p);
    count_left(-1);
    return NULL;
}

static int has_ended(const void *work)
{
    const parcel *p = work;
    return p->is_done;
}

/* 0: it has ended meanwhile, and is the caller's still. */
static int leave(parcel *p)
{
    pthread_mutex_lock(&p->waiting.lock);
    const int leaves = !p->is_done;
    if (leaves) count_left(1);
    p->is_left = leaves;
    pthread_mutex_unlock(&p->waiting.lock);
    return leaves;
}

/* What the computation came to, and the parcel freed. */
static ald_status take(ald_run *run, parcel *p, const ald_aside_task *task)
{
    const ald_status status = p->status, unpacked = status >= 0 ? unpack(run, p, task) : ALD_OK;
    if (status != ALD_ERROR_MEMORY) ald_run_join(run, &p->run, status);
    free_parcel(p);
    if (status == ALD_ERROR_MEMORY) return ald_here(run, task);
    return unpacked < 0 ? unpacked : status;
}

ald_status ald_here(ald_run *run, const ald_aside_task *task)
{
    double *arrays[ALD_ASIDE_MOST];
    for (int i = 0; i < ALD_ASIDE_MOST; i++) arrays[i] = task->arrays[i].data;
    return task->compute(run, task->sizes, arrays);
}

ald_status ald_aside(ald_run *run, const ald_aside_task *task)
{
    pthread_t thread;
    ald_status wish = ALD_OK;
    parcel *p = NULL;
    if (ald_can_ask(run)) ALD_TRY(pack(run, task, &p));
    if (p && !ald_thread_start(&thread, compute, p)) {
        free_parcel(p);
        p = NULL;
    }
    if (!p) return ald_here(run, task);
    while (wish >= 0 && !ald_await(&p->waiting, has_ended, p)) wish = ald_ask_again(run);
    if (wish < 0 && leave(p)) {
        pthread_detach(thread);
        return wish;
    }
    pthread_join(thread, NULL);
    if (wish >= 0) return take(run, p, task);
    free_parcel(p);
    return wish;
}
