/* Rows that are equal in X and target are found by a 64-bit number made of each: among n different rows two
 * numbers are equal with probability n^2/2^65, which is 3e-8 for a million. Stored zeros and others are
 * equal, 0 and -0 too. */
#include "judge/splitting/duplicates.h"

#include "math/operator/entry.h"

#include <string.h>

static const uint64_t odd = 0x9e3779b97f4a7c15U;

static ald_status print_rows(ald_run *run, const ald_subset *data, uint64_t **prints)
{
    const ald_target *y = &data->y;
    const int64_t n = data->x.rows;
    uint64_t *of_target;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **prints, prints));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *of_target, &of_target));
    memset(of_target, 0, (size_t)n * sizeof *of_target);
    ald_matrix_row_fingerprints(run, &data->x, *prints);
    if (y->kind == ALD_TARGET_REAL || y->kind == ALD_TARGET_LABELS)
        ald_matrix_row_fingerprints(run, &y->values, of_target);
    for (int64_t i = 0; i < n; i++) {
        if (y->kind == ALD_TARGET_CLASSES) of_target[i] = (uint64_t)y->classes[i] + 1;
        if (y->labelled && !y->labelled[i]) of_target[i] = 0;
        (*prints)[i] = ((*prints)[i] ^ (of_target[i] * odd)) * odd;
    }
    return ALD_OK;
}

/* A table of row numbers by their prints, at least half empty. */
ald_status ald_duplicates_find(ald_run *run, const ald_subset *data, int64_t *same)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = data->x.rows;
    int64_t size = 4;
    int64_t *table;
    uint64_t *prints;
    while (size < 2 * n) size *= 2;
    ALD_TRY(print_rows(run, data, &prints));
    ALD_TRY(ald_scratch(run, size, 1, sizeof *table, &table));
    for (int64_t k = 0; k < size; k++) table[k] = -1;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = (int64_t)((prints[i] ^ prints[i] >> 32) & (uint64_t)(size - 1));
        while (table[at] >= 0 && prints[table[at]] != prints[i]) at = (at + 1) & (size - 1);
        if (table[at] < 0) table[at] = i;
        same[i] = table[at];
    }
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}
