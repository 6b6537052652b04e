/* Classes and labels in another order, among more of them. */
#include "methods/moments/exact.h"
#include "methods/moments/moments.h"

#include <string.h>

static ald_status zeros(ald_run *run, ald_arena *arena, int64_t a, int64_t b, double **array)
{
    *array = ald_arena_get(arena, a, b, sizeof **array);
    if (!*array) return ald_out_of_memory(run, a, b, sizeof **array);
    memset(*array, 0, (size_t)a * (size_t)b * sizeof **array);
    return ALD_OK;
}

/* Block p of `size` reals goes to places[p] of `count` blocks; the others are 0. NULL stays NULL. */
static ald_status move_blocks(ald_run *run, ald_arena *arena, int64_t before, const int64_t *places,
                              int64_t count, int64_t size, double **blocks)
{
    double *moved;
    if (!*blocks) return ALD_OK;
    ALD_TRY(zeros(run, arena, count, size, &moved));
    for (int64_t p = 0; p < before; p++)
        memcpy(moved + places[p] * size, *blocks + p * size, (size_t)size * sizeof *moved);
    *blocks = moved;
    return ALD_OK;
}

/* A pattern per class, so they are moved with the classes. */
static ald_status move_classes(ald_run *run, ald_arena *arena, const int64_t *places, int64_t k,
                               ald_moments *m)
{
    const int64_t before = m->patterns, d = m->d;
    ALD_TRY(move_blocks(run, arena, before, places, k, 1, &m->count));
    ALD_TRY(move_blocks(run, arena, before, places, k, d, &m->centre));
    ALD_TRY(move_blocks(run, arena, before, places, k, d * d, &m->within));
    ALD_TRY(move_blocks(run, arena, before, places, k, 3 * d, &m->exact.centre));
    ALD_TRY(move_blocks(run, arena, before, places, k, 3 * ald_packed(d), &m->exact.within));
    ALD_TRY(zeros(run, arena, k, k, &m->pattern));
    for (int64_t c = 0; c < k; c++) m->pattern[c * k + c] = 1.0;
    m->patterns = k;
    return ALD_OK;
}

/* Patterns stay where they are, and have more columns. */
static ald_status move_labels(ald_run *run, ald_arena *arena, const int64_t *places, int64_t k,
                              ald_moments *m)
{
    double *pattern;
    ALD_TRY(zeros(run, arena, m->patterns, k, &pattern));
    for (int64_t p = 0; p < m->patterns; p++)
        for (int64_t j = 0; j < m->k; j++) pattern[p * k + places[j]] = m->pattern[p * m->k + j];
    m->pattern = pattern;
    return ALD_OK;
}

ald_status ald_moments_renumber(ald_run *run, ald_arena *arena, const int64_t *places, int64_t k,
                                ald_moments *m)
{
    ALD_TRY(m->kind == ALD_TARGET_CLASSES ? move_classes(run, arena, places, k, m)
                                          : move_labels(run, arena, places, k, m));
    m->k = k;
    return ALD_OK;
}
