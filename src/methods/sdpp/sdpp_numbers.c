/* One process numbers pairs by their lower row, then by the upper one (pairs/pairs.h), and draws a random
 * number for each in that order. A pair lies with the rank of either row (sdpp_partners.c), so that the order
 * in which ranks have them is another: each rank tells the names of its pairs to the rank of their lower
 * rows, which numbers them and tells the numbers. 24 and 8 bytes per pair are sent; the few that are drawn
 * are kept. */
#include "methods/sdpp/sdpp_numbers.h"

#include "base/ranks/exchange.h"
#include "methods/sdpp/sdpp_starts.h"

#include <stdlib.h>
#include <string.h>

typedef struct name {
    int64_t low, high; /* rows of the whole file */
    int64_t place;     /* of the pair */
} name;

typedef struct telling {
    ald_sdpp_numbered *pairs; /* of this rank */
    name *names;              /* theirs, in the order of the rows, so that those for a rank stand together */
    int64_t *begin;           /* of the names for each rank, in bytes */
} telling;

static int by_rows(const void *a, const void *b)
{
    const name *one = a, *two = b;
    if (one->low != two->low) return one->low < two->low ? -1 : 1;
    return (one->high > two->high) - (one->high < two->high);
}

/* The pair of entry e of row i, still without a number. */
static ald_sdpp_numbered pair_of(const ald_service *s, const ald_sdpp_share *share, int64_t i, int64_t e)
{
    const ald_pairs *pairs = &share->pairs.pairs;
    const int64_t j = pairs->partners[e];
    const int turned = ald_sdpp_share_row(s, share, j) < ald_sdpp_share_row(s, share, i);
    return (ald_sdpp_numbered){
        .low = turned ? j : i,
        .high = turned ? i : j,
        .weight = pairs->weights[e],
    };
}

static ald_status list_names(ald_run *run, const ald_service *s, const ald_sdpp_share *share, telling *t)
{
    const ald_pairs *pairs = &share->pairs.pairs;
    int64_t k = 0;
    ALD_TRY(ald_scratch(run, pairs->count, 1, sizeof *t->pairs, &t->pairs));
    ALD_TRY(ald_scratch(run, pairs->count, 1, sizeof *t->names, &t->names));
    ALD_TRY(ald_scratch(run, ald_rank_count(run) + 1, 1, sizeof *t->begin, &t->begin));
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++, k++) {
            const ald_sdpp_numbered pair = pair_of(s, share, i, e);
            t->pairs[k] = pair;
            t->names[k] = (name){
                .low = ald_sdpp_share_row(s, share, pair.low),
                .high = ald_sdpp_share_row(s, share, pair.high),
                .place = k,
            };
        }
    qsort(t->names, (size_t)pairs->count, sizeof *t->names, by_rows);
    k = 0;
    for (int r = 0; r <= ald_rank_count(run); r++) {
        while (k < pairs->count && ald_divided_owner(run, s->rows, t->names[k].low) < r) k++;
        t->begin[r] = k * (int64_t)sizeof *t->names;
    }
    return ALD_OK;
}

/* The numbers, from 0, of the names that were received, in their places. */
static ald_status number_names(ald_run *run, int64_t count, name *names, int64_t **numbers)
{
    ALD_TRY(ald_scratch(run, count, 1, sizeof **numbers, numbers));
    for (int64_t k = 0; k < count; k++) names[k].place = k;
    qsort(names, (size_t)count, sizeof *names, by_rows);
    for (int64_t k = 0; k < count; k++) (*numbers)[names[k].place] = k;
    return ALD_OK;
}

/* How many pairs the ranks before this one have numbered, and all of them. */
static ald_status count_before(ald_run *run, int64_t own, int64_t *before, int64_t *all)
{
    ald_gathered counts;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, &own, (int64_t)sizeof own, &counts));
    *before = *all = 0;
    for (int r = 0; r < ald_rank_count(run); r++) {
        int64_t count;
        memcpy(&count, counts.bytes + counts.begin[r], sizeof count);
        if (r < ald_rank(run)) *before += count;
        *all += count;
    }
    return ALD_OK;
}

/* Keeps the numbers of the names received. */
static ald_status keep_drawn(ald_run *run, const telling *t, int64_t count, const int64_t *told,
                             ald_sdpp_numbers *numbers)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++) {
        if (told[k] % numbers->every) continue;
        t->pairs[t->names[k].place].number = told[k];
        t->names[kept++].place = t->names[k].place;
    }
    numbers->count = kept;
    ALD_TRY(ald_scratch(run, kept, 1, sizeof *numbers->drawn, &numbers->drawn));
    for (int64_t k = 0; k < kept; k++) numbers->drawn[k] = t->pairs[t->names[k].place];
    return ALD_OK;
}

ald_status ald_sdpp_number_pairs(ald_run *run, const ald_service *s, const ald_sdpp_share *share,
                                 ald_sdpp_numbers *numbers)
{
    const int ranks = ald_rank_count(run);
    telling t = {0};
    ald_gathered names, told;
    int64_t before;
    int64_t *own = NULL;
    const ald_status listed = list_names(run, s, share, &t);
    ALD_TRY(ald_all_exchange(run, listed, &run->scratch, t.names, t.begin, &names));
    const int64_t count = names.begin[ranks] / (int64_t)sizeof(name);
    ALD_TRY(count_before(run, count, &before, &numbers->all));
    numbers->every = ald_sdpp_drawn_every(numbers->all);
    const ald_status numbered = number_names(run, count, (name *)(void *)names.bytes, &own);
    for (int64_t k = 0; numbered >= 0 && k < count; k++) own[k] += before;
    for (int r = 0; r <= ranks; r++)
        names.begin[r] = names.begin[r] / (int64_t)sizeof(name) * (int64_t)sizeof *own;
    ALD_TRY(ald_all_exchange(run, numbered, &run->scratch, own, names.begin, &told));
    const ald_status kept =
        ald_all_agree(run, keep_drawn(run, &t, share->pairs.pairs.count,
                                      (const int64_t *)(const void *)told.bytes, numbers));
    void *const done[] = {t.pairs, t.names, names.bytes, own, told.bytes};
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) ald_arena_drop(&run->scratch, done[i]);
    return kept;
}
