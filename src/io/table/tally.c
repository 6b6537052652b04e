#include "io/table/tally.h"

#include "base/numbers/hash.h"
#include "io/table/table.h"

#include <string.h>

static uint64_t hash_of(int64_t column, double cell)
{
    return ald_hash(ald_hash(ALD_HASH_START, &column, sizeof column), &cell, sizeof cell);
}

/* The slot of the cell, or the free one where it belongs. */
static int64_t *find_slot(const ald_tally *tally, int64_t column, double cell)
{
    for (uint64_t at = hash_of(column, cell) & tally->mask;; at = (at + 1) & tally->mask) {
        const ald_tally_entry *e = tally->slots[at] ? &tally->entries[tally->slots[at] - 1] : NULL;
        if (!e || (e->column == column && memcmp(&e->cell, &cell, sizeof cell) == 0))
            return &tally->slots[at];
    }
}

static ald_status widen(ald_run *run, ald_tally *tally)
{
    const uint64_t size = tally->slots ? 2 * (tally->mask + 1) : 64;
    int64_t *slots = ald_arena_resize(&run->scratch, tally->slots, (int64_t)size, 1, sizeof *slots);
    if (!slots) return ald_out_of_memory(run, (int64_t)size, 1, sizeof *slots);
    memset(slots, 0, (size_t)size * sizeof *slots);
    tally->slots = slots;
    tally->mask = size - 1;
    for (int64_t i = 0; i < tally->n; i++)
        *find_slot(tally, tally->entries[i].column, tally->entries[i].cell) = i + 1;
    return ALD_OK;
}

ald_status ald_tally_add(ald_run *run, ald_tally *tally, int64_t column, double cell, int64_t times, int more,
                         int64_t *count)
{
    if (!tally->slots || 2 * (uint64_t)(tally->n + 1) > tally->mask) ALD_TRY(widen(run, tally));
    int64_t *slot = find_slot(tally, column, cell);
    *count = 0;
    if (!*slot && !more) return ALD_OK;
    if (!*slot) {
        ALD_TRY(ald_grow(run, &run->scratch, &tally->entries, &tally->capacity, tally->n + 1,
                         sizeof *tally->entries));
        tally->entries[tally->n++] = (ald_tally_entry){cell, column, 0};
        *slot = tally->n;
    }
    *count = tally->entries[*slot - 1].count += times;
    return ALD_OK;
}
