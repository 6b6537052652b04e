#include "math/backend/blas_core.h"

#include <alidade/status.h>
#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* From before AVX. Those with AVX alone are left out: who takes them has looked at the processor. */
static const char *const old_cores[] = {
    "Katmai",  "Coppermine", "Northwood", "Prescott",     "Banias",    "Atom",   "Core2", "Penryn",
    "Nehalem", "Dunnington", "Opteron",   "Opteron_SSE3", "Barcelona", "Bobcat", "Nano",
};

const char *ald_blas_faster_than(const char *core, int has_avx2, int has_avx512)
{
    int is_old = 0;
    for (size_t i = 0; i < sizeof old_cores / sizeof *old_cores; i++)
        is_old |= strcmp(core, old_cores[i]) == 0;
    if (!is_old || !has_avx2) return NULL;
    return has_avx512 ? "SkylakeX" : "Haswell";
}

int ald_blas_is_slow(void)
{
    return ald_blas_faster_than(openblas_get_corename(), 1, 0) != NULL;
}

const char *ald_backend_faster(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (getenv("OPENBLAS_CORETYPE")) return NULL;
    return ald_blas_faster_than(openblas_get_corename(), avx2, avx512);
#else
    return NULL;
#endif
}
