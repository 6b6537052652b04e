/* Each rank tells each other one which of its rows it wants; the answers are these rows. */
#include "cluster/divided/fetch_rows.h"

#include "base/ranks/exchange.h"
#include "cluster/divided/row_parcel.h"

#include <string.h>

/* Where the rows of each rank begin in the list, in bytes: ranks + 1. */
static ald_status divide_list(ald_run *run, const ald_divided *rows, const int64_t *numbers, int64_t count,
                              int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    for (int64_t i = 0, r = 0; r <= ranks; r++) {
        while (i < count && numbers[i] < rows->begin[r]) i++;
        (*begin)[r] = i * (int64_t)sizeof *numbers;
    }
    return ALD_OK;
}

/* The rows that the others want, one parcel for each; `wanted` are their numbers. */
static ald_status pack(ald_run *run, const ald_divided *rows, const ald_gathered *wanted, ald_record *parcel,
                       int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    (*begin)[0] = 0;
    for (int r = 0; r < ranks; r++) {
        int64_t *which = (int64_t *)(void *)(wanted->bytes + wanted->begin[r]);
        const int64_t count = (wanted->begin[r + 1] - wanted->begin[r]) / (int64_t)sizeof *which;
        for (int64_t i = 0; i < count; i++) which[i] -= rows->first;
        ALD_TRY(ald_rows_put(run, &rows->z, which, 0, count, parcel));
        (*begin)[r + 1] = parcel->size;
    }
    return ALD_OK;
}

static ald_status unpack(ald_run *run, const ald_divided *rows, const ald_gathered *got,
                         ald_operator *fetched)
{
    const int ranks = ald_rank_count(run);
    ald_record *parcels;
    ALD_TRY(ald_scratch(run, ranks, 1, sizeof *parcels, &parcels));
    for (int r = 0; r < ranks; r++)
        parcels[r] = (ald_record){
            .arena = &run->scratch,
            .bytes = got->bytes + got->begin[r],
            .size = got->begin[r + 1] - got->begin[r],
        };
    return ald_rows_taken(run, parcels, ranks, &rows->z, fetched);
}

ald_status ald_fetch_rows(ald_run *run, ald_status status, const ald_divided *rows, const int64_t *numbers,
                          int64_t count, ald_operator *fetched)
{
    ald_arena passing; /* what is on the way, so that only the rows stay in scratch */
    ald_record parcel = {.arena = &passing};
    ald_gathered wanted, got = {0};
    int64_t *begin = NULL, *places = NULL;
    ald_arena_init(&passing, run->call.allocator);
    if (status >= 0) status = divide_list(run, rows, numbers, count, &begin);
    status = ald_all_exchange(run, status, &passing, numbers, begin, &wanted);
    if (status >= 0) {
        status = pack(run, rows, &wanted, &parcel, &places);
        status = ald_all_exchange(run, status, &passing, parcel.bytes, places, &got);
    }
    if (status >= 0) status = ald_all_agree(run, unpack(run, rows, &got, fetched));
    ald_arena_free(&passing);
    return status;
}
