/* Each pair is told to the rank of its lower row, which then knows all pairs of its rows and in which order
 * they come, and tells their numbers back. */
#include "sdpp/sdpp_numbers.h"

#include "ranks/exchange.h"

#include <stdlib.h>
#include <string.h>

/* As it is asked about: by its rows. */
typedef struct asked {
    int64_t low, high;
} asked;

/* As it is answered; `at`: its place among those that were asked about. */
typedef struct known {
    asked pair;
    int64_t at;
} known;

static asked pair_of(const ald_sdpp_share *share, int64_t i, int64_t e)
{
    const int64_t a = share->which[i], b = share->which[share->pairs.pairs.partners[e]];
    return (asked){a < b ? a : b, a < b ? b : a};
}

/* All pairs of this rank by the rank of their lower row: where those of each begin (ranks + 1, in bytes), and
 * which of the pairs each is. */
static ald_status list_pairs(ald_run *run, const ald_divided *rows, const ald_sdpp_share *share, asked **list,
                             int64_t **places, int64_t **begin)
{
    const ald_pairs *pairs = &share->pairs.pairs;
    const int ranks = ald_rank_count(run);
    int64_t *next;
    ALD_TRY(ald_scratch(run, pairs->count, 1, sizeof **list, list));
    ALD_TRY(ald_scratch(run, pairs->count, 1, sizeof **places, places));
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof *next, &next));
    memset(next, 0, (size_t)(ranks + 1) * sizeof *next);
    for (int64_t i = 0; i < share->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++)
            next[ald_divided_owner(run, rows, pair_of(share, i, e).low) + 1]++;
    for (int r = 0; r < ranks; r++) next[r + 1] += next[r];
    for (int r = 0; r <= ranks; r++) (*begin)[r] = next[r] * (int64_t)sizeof **list;
    for (int64_t i = 0, number = 0; i < share->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++) {
            const asked pair = pair_of(share, i, e);
            const int64_t at = next[ald_divided_owner(run, rows, pair.low)]++;
            (*list)[at] = pair;
            (*places)[at] = number++;
        }
    return ALD_OK;
}

static int by_rows(const void *a, const void *b)
{
    const asked *one = &((const known *)a)->pair, *two = &((const known *)b)->pair;
    if (one->low != two->low) return one->low < two->low ? -1 : 1;
    return (one->high > two->high) - (one->high < two->high);
}

/* Pairs of the ranks before this one, where each has been asked about `count`. */
static ald_status count_before(ald_run *run, int64_t count, int64_t *before)
{
    ald_gathered counts;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, &count, (int64_t)sizeof count, &counts));
    *before = 0;
    for (int r = 0; r < ald_rank(run); r++) {
        int64_t other;
        memcpy(&other, counts.bytes + counts.begin[r], sizeof other);
        *before += other;
    }
    return ALD_OK;
}

/* The numbers of those that were asked about, as they stand there; the first of this rank is `before`. */
static ald_status answer(ald_run *run, const ald_gathered *got, int64_t count, int64_t before,
                         int64_t **numbers, int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    const asked *pairs = (const asked *)(const void *)got->bytes;
    known *sorted;
    ALD_TRY(ald_scratch(run, count, 1, sizeof **numbers, numbers));
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    ALD_TRY(ald_scratch(run, count, 1, sizeof *sorted, &sorted));
    for (int r = 0; r <= ranks; r++)
        (*begin)[r] = got->begin[r] / (int64_t)sizeof *pairs * (int64_t)sizeof **numbers;
    for (int64_t k = 0; k < count; k++) sorted[k] = (known){pairs[k], k};
    qsort(sorted, (size_t)count, sizeof *sorted, by_rows);
    for (int64_t k = 0; k < count; k++) (*numbers)[sorted[k].at] = before + k;
    return ALD_OK;
}

/* In scratch that is released afterwards. */
static ald_status ask_numbers(ald_run *run, ald_status status, const ald_divided *rows, ald_sdpp_share *share)
{
    asked *list = NULL;
    int64_t *places = NULL, *begin = NULL, *numbers = NULL, *back = NULL;
    ald_gathered got, told;
    int64_t before;
    if (status >= 0) status = list_pairs(run, rows, share, &list, &places, &begin);
    ALD_TRY(ald_all_exchange(run, status, &run->scratch, list, begin, &got));
    const int64_t count = got.begin[ald_rank_count(run)] / (int64_t)sizeof *list;
    ALD_TRY(count_before(run, count, &before));
    status = answer(run, &got, count, before, &numbers, &back);
    ALD_TRY(ald_all_exchange(run, status, &run->scratch, numbers, back, &told));
    const int64_t *all = (const int64_t *)(const void *)told.bytes;
    for (int64_t k = 0; k < share->pairs.pairs.count; k++) share->numbers[places[k]] = all[k];
    return ALD_OK;
}

ald_status ald_sdpp_number_pairs(ald_run *run, const ald_divided *rows, ald_sdpp_share *share)
{
    const ald_status status =
        ald_scratch(run, share->pairs.pairs.count, 1, sizeof *share->numbers, &share->numbers);
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_status numbered = ask_numbers(run, status, rows, share);
    ald_arena_release(&run->scratch, mark);
    return numbered;
}
