#include "methods/engines/patterns.h"

#include "base/numbers/hash.h"

#include <string.h>

ald_status ald_patterns_new(ald_run *run, int64_t most, int64_t k, ald_patterns *index)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)most) size *= 2;
    *index = (ald_patterns){.k = k, .mask = size - 1};
    ALD_TRY(ald_scratch(run, (int64_t)size, 1, sizeof *index->slots, &index->slots));
    memset(index->slots, 0, (size_t)size * sizeof *index->slots);
    return ALD_OK;
}

ald_status ald_patterns_find(ald_run *run, ald_patterns *index, const double *row, int64_t *number)
{
    const uint64_t hash = ald_hash(ALD_HASH_START, row, (size_t)index->k * sizeof *row);
    for (uint64_t at = hash & index->mask;; at = (at + 1) & index->mask) {
        *number = index->slots[at] - 1;
        if (*number < 0) {
            index->slots[at] = index->count + 1;
            break;
        }
        if (memcmp(row, index->patterns + *number * index->k, (size_t)index->k * sizeof *row) == 0)
            return ALD_OK;
    }
    *number = index->count;
    if ((index->count & (index->count - 1)) == 0) { /* grow at powers of two */
        const int64_t room = index->count ? 2 * index->count : 1;
        double *grown = ald_arena_resize(&run->scratch, index->patterns, room, index->k, sizeof *grown);
        if (!grown) return ald_out_of_memory(run, room, index->k, sizeof *grown);
        index->patterns = grown;
    }
    memcpy(index->patterns + index->count * index->k, row, (size_t)index->k * sizeof *row);
    index->count++;
    return ALD_OK;
}
