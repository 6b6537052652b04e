/* For LD_PRELOAD: the monotonic clock goes by the processor time of the process, divided by WORK_THREADS, so
 * that what a program tells of time can be held to what it did on a machine that others use too. Waits with
 * an end, which is by the true clock, last 50 ms at most. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double threads(void)
{
    const char *text = getenv("WORK_THREADS");
    const double count = text ? strtod(text, NULL) : 1.0;
    return count >= 1.0 ? count : 1.0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock != CLOCK_MONOTONIC) return (int)syscall(SYS_clock_gettime, clock, time);
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, time);
    const double seconds = ((double)time->tv_sec + 1e-9 * (double)time->tv_nsec) / threads();
    time->tv_sec = (time_t)seconds;
    time->tv_nsec = (long)(1e9 * (seconds - (double)time->tv_sec));
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *unused)
{
    const long pause = 50L * 1000 * 1000, second = 1000L * 1000 * 1000;
    struct timespec until;
    (void)unused;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &until);
    until.tv_nsec += pause;
    until.tv_sec += until.tv_nsec / second;
    until.tv_nsec %= second;
    return pthread_cond_clockwait(condition, lock, CLOCK_MONOTONIC, &until);
}
