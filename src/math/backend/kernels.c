/* The kernels of OpenBLAS, see the header. */
#define _GNU_SOURCE /* dladdr, dl_iterate_phdr */
#include "math/backend/kernels.h"

#include <alidade/status.h>
#include <cblas.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <link.h>
#endif

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

/* What OpenBLAS itself calls when it is loaded and unloaded; not there if it was built for one processor. */
void gotoblas_dynamic_init(void) __attribute__((weak));
void gotoblas_dynamic_quit(void) __attribute__((weak));

/* OpenBLAS reads the name from the environment. Other threads may be reading that, and setenv would move it
 * under their eyes: so a copy with the name in front takes its place meanwhile, and stays in memory. */
int ald_blas_take(const char *core)
{
    static char name[64];
    char **const usual = environ;
    size_t count = 0;
    while (usual && usual[count]) count++;
    static char **kept; /* the last one, behind whose end the one before stands: none is lost */
    char **copy = malloc((count + 3) * sizeof *copy);
    if (!copy || !gotoblas_dynamic_init || !gotoblas_dynamic_quit) {
        free(copy);
        return 0;
    }
    snprintf(name, sizeof name, "OPENBLAS_CORETYPE=%s", core);
    copy[0] = name;
    if (count) memcpy(copy + 1, usual, count * sizeof *copy);
    copy[count + 1] = NULL;
    copy[count + 2] = (char *)kept;
    kept = environ = copy;
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    environ = usual;
    return kept != NULL;
}

#if defined(__linux__)
/* Two objects, in the order in which they were loaded. */
typedef struct order {
    const void *ours, *other;
    int found; /* 1: ours came first, -1: the other */
} order;

static int look_at(struct dl_phdr_info *object, size_t size, void *user)
{
    order *o = user;
    (void)size;
    if (object->dlpi_addr == (uintptr_t)o->ours) o->found = 1;
    if (object->dlpi_addr == (uintptr_t)o->other) o->found = -1;
    return o->found;
}

/* Objects are listed before those that they bring along. */
static int was_loaded_with_us(void)
{
    static const char here = 0;
    char *(*const function)(void) = openblas_get_corename;
    Dl_info ours, other;
    void *theirs;
    memcpy(&theirs, &function, sizeof theirs);
    if (!dladdr(&here, &ours) || !dladdr(theirs, &other)) return 0;
    order o = {.ours = ours.dli_fbase, .other = other.dli_fbase};
    dl_iterate_phdr(look_at, &o);
    return o.found == 1;
}

__attribute__((constructor)) static void choose(void)
{
    const char *faster = ald_backend_faster();
    if (faster && was_loaded_with_us()) ald_blas_take(faster);
}
#endif
