#include "threads/blas_room.h"

#include <cblas.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { mega = 1 << 20 };

static struct {
    pthread_mutex_t lock;
    atomic_int ready;
} room = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int is_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* Mapped and given back at once. */
static int can_map(size_t bytes)
{
    void *place = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return 0;
    munmap(place, bytes);
    return 1;
}

int ald_blas_threads(int wanted)
{
    if (!is_limited()) return wanted;
    while (wanted > 1 && !can_map((size_t)wanted * 2 * ALD_BLAS_THREAD_MB * mega)) wanted /= 2;
    return wanted;
}

/* A product too large for the kernels that need no buffer; OpenBLAS keeps what it maps here. */
static void take_buffer(void)
{
    enum { n = 128 };
    static double a[n * n], c[n * n];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0, a, n, a, n, 0.0, c, n);
}

int ald_blas_ready(void)
{
    if (atomic_load(&room.ready)) return 1;
    pthread_mutex_lock(&room.lock);
    if (!atomic_load(&room.ready) && is_limited() && can_map((size_t)ALD_BLAS_THREAD_MB * mega)) {
        take_buffer();
        atomic_store(&room.ready, 1);
    }
    if (!is_limited()) atomic_store(&room.ready, 1);
    pthread_mutex_unlock(&room.lock);
    return atomic_load(&room.ready);
}
