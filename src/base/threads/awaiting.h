/* Waiting for another thread without going deaf: a lock and a condition, and waits of a twentieth of a
 * second, between which the caller can be asked whether to stop. */
#ifndef ALD_THREADS_AWAITING_H
#define ALD_THREADS_AWAITING_H

#include <pthread.h>

typedef struct ald_awaiting {
    pthread_mutex_t lock; /* of what `is_over` looks at */
    pthread_cond_t changed;
} ald_awaiting;

void ald_awaiting_begin(ald_awaiting *waiting);
void ald_awaiting_end(ald_awaiting *waiting);
/* Until is_over(work), but not long; what it says at the end. It is called under the lock. */
int ald_await(ald_awaiting *waiting, int (*is_over)(const void *work), const void *work);

#endif
