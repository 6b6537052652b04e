#include "io/table/grow.h"

#include <string.h>

static ald_status set_capacity(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t wanted,
                               size_t size)
{
    void *elements;
    memcpy(&elements, block, sizeof elements);
    elements = ald_arena_resize(arena, elements, wanted, 1, size);
    if (!elements) return ald_out_of_memory(run, wanted, 1, size);
    memcpy(block, &elements, sizeof elements);
    *capacity = wanted;
    return ALD_OK;
}

ald_status ald_grow(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t needed,
                    size_t size)
{
    if (needed <= *capacity) return ALD_OK;
    const int64_t least = 64, more = *capacity <= INT64_MAX / 2 ? *capacity + *capacity / 2 : INT64_MAX;
    const int64_t wanted = more > needed ? more : needed;
    return set_capacity(run, arena, block, capacity, wanted > least ? wanted : least, size);
}

ald_status ald_grow_trim(ald_run *run, ald_arena *arena, void *block, int64_t *capacity, int64_t count,
                         size_t size)
{
    if (*capacity > 0 && count == *capacity) return ALD_OK;
    return set_capacity(run, arena, block, capacity, count, size);
}
