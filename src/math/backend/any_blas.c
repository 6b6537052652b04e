/* What a library on any BLAS answers (ALD_FORTRAN_BLAS): which it is, and which kernels it has, is not known.
 * It stands in the place of backend.c and kernels.c. */
#include "math/backend/backend.h"
#include "math/backend/kernels.h"

#include <alidade/status.h>
#include <string.h>

const ald_backend *ald_backend_find(const char *name)
{
    if (!name || strcmp(name, ald_backend_openblas.name) == 0) return &ald_backend_openblas;
    return strcmp(name, ald_backend_plain.name) == 0 ? &ald_backend_plain : NULL;
}

const char *ald_backend_name(void)
{
    return "BLAS and LAPACK of the program";
}

const char *ald_backend_faster(void)
{
    return NULL;
}

int ald_blas_is_slow(void)
{
    return 0;
}
