/* Whether OpenBLAS can get its buffers in this process (blas_room.h). */
#include "math/backend/blas_room.h"

#include "math/backend/blas.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { mega = 1 << 20 };

/* Per process, like OpenBLAS and its buffers. */
static atomic_int ready;

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
    static double a[n * n]; /* only read, and not const so that it takes no room in the file */
    static _Thread_local double c[n * n];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0, a, n, a, n, 0.0, c, n);
}

/* Two threads that come here at once ask twice, and each finds room for two buffers or stops. */
int ald_blas_ready(void)
{
    if (atomic_load(&ready)) return 1;
    if (is_limited()) {
        if (!can_map((size_t)ALD_BLAS_THREAD_MB * mega)) return 0;
        take_buffer();
    }
    atomic_store(&ready, 1);
    return 1;
}
