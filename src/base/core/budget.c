/* An allocator that counts what is in use and refuses what would exceed the limit. */
#include "base/core/budget.h"

#include "base/core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Before each block; its size keeps the block aligned for any type. */
typedef struct block_head {
    _Alignas(max_align_t) size_t size; /* of the block with its head */
} block_head;

size_t ald_budget_left(ald_budget *budget)
{
    const size_t used = atomic_load(&budget->used);
    return used < budget->limit ? budget->limit - used : 0;
}

int ald_budget_refused(ald_budget *budget)
{
    return budget && atomic_load(&budget->refused);
}

/* Takes the bytes first and gives them back when they are too many, so that two threads cannot both have the
 * last. */
static int take(ald_budget *budget, size_t bytes)
{
    const size_t before = atomic_fetch_add(&budget->used, bytes);
    if (bytes <= budget->limit && before <= budget->limit - bytes) return 1;
    atomic_fetch_sub(&budget->used, bytes);
    atomic_store(&budget->refused, 1);
    return 0;
}

static void *grow(ald_budget *budget, block_head *old, size_t size)
{
    const size_t before = old ? old->size : 0, after = size + sizeof *old;
    if (after < size || (after > before && !take(budget, after - before))) return NULL;
    block_head *head = budget->inner.resize(budget->inner.user, old, after);
    if (!head && after > before) atomic_fetch_sub(&budget->used, after - before);
    if (!head) return NULL;
    if (after < before) atomic_fetch_sub(&budget->used, before - after);
    head->size = after;
    return head + 1;
}

static void release(ald_budget *budget, block_head *old)
{
    const ald_allocator inner = budget->inner;
    const size_t size = old->size;
    inner.resize(inner.user, old, 0);
    if (atomic_fetch_sub(&budget->used, size) == size) inner.resize(inner.user, budget, 0);
}

static void *budget_resize(void *user, void *block, size_t size)
{
    ald_budget *budget = user;
    block_head *old = block ? (block_head *)block - 1 : NULL;
    if (size > 0) return grow(budget, old, size);
    if (old) release(budget, old);
    return NULL;
}

ald_budget *ald_budget_new(const ald_allocator *inner, size_t limit)
{
    ald_budget *budget = inner->resize(inner->user, NULL, sizeof *budget);
    if (budget) *budget = (ald_budget){.inner = *inner, .limit = limit};
    return budget;
}

ald_allocator ald_budget_allocator(ald_budget *budget)
{
    return (ald_allocator){.resize = budget_resize, .user = budget};
}

const char *ald_size_text(size_t bytes, char text[32])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1000.0 && unit < 3; unit++) value /= 1000.0;
    snprintf(text, 32, "%.3g %s", value, units[unit]);
    return text;
}

ald_status ald_no_memory_for(ald_error *error, ald_budget *budget, const char *what)
{
    char limit[32];
    if (!ald_budget_refused(budget)) return ald_fail(error, ALD_ERROR_MEMORY, "out of memory for %s", what);
    return ald_fail(error, ALD_ERROR_MEMORY, "out of memory for %s: `max_memory` is %s", what,
                    ald_size_text(budget->limit, limit));
}

/* The number in a small file, SIZE_MAX where there is none or the word "max". */
static size_t number_in(const char *path)
{
    unsigned long long number;
    FILE *file = fopen(path, "re");
    if (!file) return SIZE_MAX;
    const int got = fscanf(file, "%llu", &number);
    fclose(file);
    return got == 1 && number < SIZE_MAX ? (size_t)number : SIZE_MAX;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A group's limit counts for the groups below it as well. */
static size_t limit_along(const char *root, char *path, const char *name)
{
    char file[1024];
    size_t least = SIZE_MAX;
    for (;;) {
        snprintf(file, sizeof file, "%s%s/%s", root, path, name);
        least = smaller(least, number_in(file));
        char *slash = strrchr(path, '/');
        if (!slash) return least;
        *slash = '\0';
    }
}

/* Lines `number:controllers:path`; version 2 has no controllers, version 1 a hierarchy for each. */
static size_t container_memory(void)
{
    char line[600];
    size_t least = SIZE_MAX;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path) continue;
        *path++ = '\0';
        if (controllers[1] == '\0')
            least = smaller(least, limit_along("/sys/fs/cgroup", path, "memory.max"));
        else if (strcmp(controllers + 1, "memory") == 0)
            least = smaller(least, limit_along("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
    }
    if (file) fclose(file);
    return least;
}

/* Read once, 0 until then: a context should cost nothing. */
static _Atomic size_t container;

size_t ald_machine_memory(void)
{
    if (atomic_load(&container) == 0) atomic_store(&container, container_memory());
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    const size_t machine = pages > 0 && size > 0 ? (size_t)pages * (size_t)size : SIZE_MAX;
    return smaller(machine, atomic_load(&container));
}
