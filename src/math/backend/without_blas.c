/* What a library without OpenBLAS answers (ALD_BLAS=OFF): the plain backend computes, it maps no buffers and
 * there are no other kernels to take. It stands in the place of backend.c, blas_room.c and kernels.c. */
#include "math/backend/backend.h"
#include "math/backend/blas_room.h"
#include "math/backend/kernels.h"

#include <alidade/status.h>
#include <string.h>

const ald_backend *ald_backend_find(const char *name)
{
    return !name || strcmp(name, ald_backend_plain.name) == 0 ? &ald_backend_plain : NULL;
}

const char *ald_backend_name(void)
{
    return ald_backend_plain.name;
}

const char *ald_backend_faster(void)
{
    return NULL;
}

int ald_blas_threads(int wanted)
{
    return wanted;
}

/* About as slow as the oldest kernels are. */
int ald_blas_is_slow(void)
{
    return 1;
}
