/* The list is a text of hashes of 16 digits with a blank behind each, in rising order: it does not depend on
 * the order in which parts were added. Its length grows by 17 bytes a part. */
#include "fit/updating/counted_parts.h"

#include "base/numbers/hash.h"

#include <stdio.h>
#include <string.h>

enum { digits = 16, item = digits + 1 };

static const char key[] = "alidade.parts";

/* The hash of the sums: equal rows have equal sums, in whatever order they are read, up to rounding. */
static void print_hash(const ald_moments *m, char text[static item + 1])
{
    uint64_t hash = ald_hash_reals(ALD_HASH_START, &m->n, 1);
    hash = ald_hash_reals(hash, m->mean, m->d);
    hash = ald_hash_reals(hash, m->scatter, m->d * m->d);
    snprintf(text, item + 1, "%016llx ", (unsigned long long)hash);
}

static ald_status copy(ald_run *run, ald_arena *arena, const char *text, char **made)
{
    *made = ald_arena_text(arena, text, strlen(text));
    return *made ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(text), 1, 1);
}

ald_status ald_parts_of(ald_run *run, ald_arena *arena, const ald_model *model, const ald_moments *m,
                        char **parts)
{
    const char *known = ald_model_text(model, key);
    char own[item + 1];
    print_hash(m, own);
    return copy(run, arena, known && strlen(known) % item == 0 ? known : own, parts);
}

/* Where the hash stands, or would stand. */
static size_t place_of(const char *parts, const char *hash, int *found)
{
    size_t low = 0, high = strlen(parts) / item;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (strncmp(parts + middle * item, hash, digits) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = strncmp(parts + low * item, hash, digits) == 0;
    return low * item;
}

ald_status ald_parts_add(ald_run *run, ald_arena *arena, const char *others, char **parts, int64_t *already)
{
    size_t length = strlen(*parts);
    const size_t more = strlen(others);
    char *made = ald_arena_get(arena, (int64_t)(length + more + 1), 1, 1);
    if (!made) return ald_out_of_memory(run, (int64_t)(length + more + 1), 1, 1);
    memcpy(made, *parts, length + 1);
    *already = 0;
    for (size_t i = 0; i + item <= more; i += item) {
        int found;
        const size_t at = place_of(made, others + i, &found);
        *already += found;
        if (found) continue;
        memmove(made + at + item, made + at, length - at + 1);
        memcpy(made + at, others + i, item);
        length += item;
    }
    *parts = made;
    return ALD_OK;
}

ald_status ald_parts_take(ald_run *run, const ald_moments *m, const ald_moments *left, char **parts)
{
    char hash[item + 1];
    int found;
    print_hash(m, hash);
    const size_t at = place_of(*parts, hash, &found);
    print_hash(left, hash);
    if (!found || strlen(*parts) == item) return copy(run, &run->scratch, hash, parts);
    memmove(*parts + at, *parts + at + item, strlen(*parts + at + item) + 1);
    return ALD_OK;
}

ald_status ald_parts_store(ald_run *run, const char *parts, const ald_moments *m, ald_model *model)
{
    char own[item + 1];
    print_hash(m, own);
    return strcmp(parts, own) == 0 ? ALD_OK : ald_model_set_text(run, model, key, parts);
}
