/* In round b every rank puts its b-th block of rows on the ring. After `ranks` steps, in each of which a
 * block goes to the next rank, all have seen all blocks of the round. Sent by each rank: its share of all
 * rows, ranks - 1 times. In memory: the block that is here, the one that comes, and the one as numbers. */
#include "cluster/divided/ring.h"

#include "base/ranks/exchange.h"
#include "cluster/divided/row_parcel.h"

#include <string.h>

enum { block_bytes = 1 << 24 };

typedef struct ring {
    const ald_divided *rows;
    ald_ring_fn look;
    void *work;
    int64_t each, rounds;          /* rows of a block of this rank; rounds of all */
    int64_t *sizes;                /* of the blocks of the round, by rank */
    unsigned char *block, *coming; /* room for the largest of them */
    ald_status status;             /* of this rank: a rank that has failed still passes blocks on */
} ring;

/* Rows of a block; at least one, so that there is an end. */
static int64_t rows_at_once(const ald_divided *rows)
{
    const ald_operator *z = &rows->z;
    const double bytes = z->x.rows > 0 ? ald_matrix_bytes(&z->x) / (double)z->x.rows : 1.0;
    const double fitting = (double)block_bytes / (bytes + 1.0);
    if (rows->at_once > 0) return rows->at_once;
    if (fitting < 1.0) return 1;
    return fitting < 1e6 ? (int64_t)fitting : (int64_t)1e6;
}

/* As many as the rank with the most blocks has. */
static ald_status count_rounds(ald_run *run, ring *r)
{
    double rounds = (double)((r->rows->z.x.rows + r->each - 1) / r->each);
    ALD_TRY(ald_all_largest(run, &rounds, 1));
    r->rounds = (int64_t)rounds;
    return ALD_OK;
}

/* The own block of the round, and room for those of the others. */
static ald_status begin_round(ald_run *run, ring *r, int64_t round)
{
    const int64_t n = r->rows->z.x.rows, from = round * r->each, left = n - from;
    ald_record own = {.arena = &run->scratch};
    ald_gathered all;
    int64_t most = 0;
    ald_status status = r->status;
    if (status >= 0) status = ald_record_put_count(run, &own, r->rows->first + from);
    if (status >= 0 && left > 0)
        status = ald_rows_put(run, &r->rows->z, NULL, from, left < r->each ? left : r->each, &own);
    if (left <= 0) own.size = 0;
    ALD_TRY(ald_all_gather(run, status, &run->scratch, &own.size, (int64_t)sizeof own.size, &all));
    r->sizes = (int64_t *)(void *)all.bytes;
    for (int k = 0; k < ald_rank_count(run); k++)
        if (r->sizes[k] > most) most = r->sizes[k];
    status = ald_scratch(run, most, 1, 1, &r->block);
    if (status >= 0) status = ald_scratch(run, most, 1, 1, &r->coming);
    if (status >= 0 && own.size) memcpy(r->block, own.bytes, (size_t)own.size);
    ald_arena_drop(&run->scratch, own.bytes);
    return ald_all_agree(run, status);
}

static ald_status look_at_block(ald_run *run, const ring *r, int64_t size)
{
    ald_record parcel = {.arena = &run->scratch, .bytes = r->block, .size = size};
    ald_operator rows;
    int64_t first;
    if (size == 0) return ALD_OK;
    ALD_TRY(ald_record_take_count(run, &parcel, &first));
    ALD_TRY(ald_rows_taken(run, &parcel, 1, &r->rows->z, &rows));
    return r->look(run, r->work, first, &rows);
}

static void see_block(ald_run *run, ring *r, int64_t size)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    if (r->status >= 0) r->status = look_at_block(run, r, size);
    ald_arena_release(&run->scratch, mark);
}

static void pass_block(ald_run *run, ring *r, int step)
{
    const int ranks = ald_rank_count(run), rank = ald_rank(run), to = (rank + 1) % ranks,
              from = (rank - 1 + ranks) % ranks;
    const int64_t here = r->sizes[(rank - step + ranks) % ranks],
                  coming = r->sizes[(from - step + ranks) % ranks];
    const ald_status status = ald_pass_on(run, to, r->block, here, from, r->coming, coming);
    unsigned char *const block = r->block;
    r->block = r->coming;
    r->coming = block;
    if (r->status >= 0) r->status = status;
}

static ald_status run_round(ald_run *run, ring *r, int64_t round)
{
    const int ranks = ald_rank_count(run), rank = ald_rank(run);
    ALD_TRY(begin_round(run, r, round));
    for (int step = 0; step < ranks; step++) {
        see_block(run, r, r->sizes[(rank - step + ranks) % ranks]);
        if (step + 1 < ranks) pass_block(run, r, step);
    }
    return ALD_OK;
}

ald_status ald_ring_pass(ald_run *run, const ald_divided *rows, ald_ring_fn look, void *work)
{
    ring r = {.rows = rows, .look = look, .work = work, .each = rows_at_once(rows)};
    ALD_TRY(count_rounds(run, &r));
    for (int64_t round = 0; round < r.rounds; round++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(run_round(run, &r, round));
        ald_arena_release(&run->scratch, mark);
    }
    return ald_all_agree(run, r.status);
}
