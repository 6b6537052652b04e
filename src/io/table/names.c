#include "io/table/names.h"

#include "base/core/utf8.h"
#include "base/numbers/hash.h"

#include <string.h>

ald_status ald_name_index_new(ald_run *run, int64_t capacity, ald_name_index *index)
{
    int64_t size = 16;
    while (size / 2 < capacity) size *= 2;
    ALD_TRY(ald_scratch(run, size, 1, sizeof *index->slots, &index->slots));
    memset(index->slots, 0, (size_t)size * sizeof *index->slots);
    index->mask = (uint64_t)size - 1;
    return ALD_OK;
}

/* The slot that holds the name, or the free one where it belongs. */
static ald_name_slot *slot_of(const ald_name_index *index, const char *name, size_t length)
{
    for (uint64_t at = ald_hash(ALD_HASH_START, name, length);; at++) {
        ald_name_slot *slot = &index->slots[at & index->mask];
        if (!slot->name) return slot;
        if (strncmp(slot->name, name, length) == 0 && slot->name[length] == '\0') return slot;
    }
}

void ald_name_index_add(ald_name_index *index, const char *name, int64_t value)
{
    if (!name) return;
    ald_name_slot *slot = slot_of(index, name, strlen(name));
    if (slot->name) return;
    slot->name = name;
    slot->value = value;
}

int64_t ald_name_index_find(const ald_name_index *index, const char *name, size_t length)
{
    const ald_name_slot *slot = slot_of(index, name, length);
    return slot->name ? slot->value : -1;
}

static int is_utf8(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const int sequence = ald_utf8_sequence(text + i, length - i);
        if (sequence == 0) return 0;
        i += (size_t)sequence;
    }
    return 1;
}

ald_status ald_text_make_utf8(ald_run *run, ald_arena *arena, char **text)
{
    const size_t length = *text ? strlen(*text) : 0;
    if (is_utf8(*text, length)) return ALD_OK;
    char *copy = ald_utf8_copy(arena, *text, length);
    if (!copy) return ald_out_of_memory(run, (int64_t)length, 2, 1);
    *text = copy;
    return ALD_OK;
}
