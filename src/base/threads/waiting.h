/* Waiting without sleeping, for what comes within microseconds. */
#ifndef ALD_THREADS_WAITING_H
#define ALD_THREADS_WAITING_H

#include <sched.h>

/* One look's worth; *waited counts them. On a busy machine others get the processor soon. */
static inline void ald_wait_a_little(int *waited)
{
    enum { patience = 100 };
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
    if (++*waited % patience == 0) sched_yield();
}

#endif
