#include "base/threads/awaiting.h"

#include <errno.h>
#include <time.h>

/* How long the caller is not asked, in nanoseconds: a tenth of what a person takes for an answer at once. */
enum { pause_ns = 50 * 1000 * 1000, second_ns = 1000 * 1000 * 1000 };

/* By a clock that nobody sets. */
void ald_awaiting_begin(ald_awaiting *waiting)
{
    pthread_condattr_t attributes;
    pthread_mutex_init(&waiting->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&waiting->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void ald_awaiting_end(ald_awaiting *waiting)
{
    pthread_cond_destroy(&waiting->changed);
    pthread_mutex_destroy(&waiting->lock);
}

int ald_await(ald_awaiting *waiting, int (*is_over)(const void *work), const void *work)
{
    struct timespec until;
    int late = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += pause_ns;
    until.tv_sec += until.tv_nsec / second_ns;
    until.tv_nsec %= second_ns;
    pthread_mutex_lock(&waiting->lock);
    while (!is_over(work) && late != ETIMEDOUT)
        late = pthread_cond_timedwait(&waiting->changed, &waiting->lock, &until);
    const int over = is_over(work);
    pthread_mutex_unlock(&waiting->lock);
    return over;
}
