/* The ring: in round b every rank puts its b-th block of rows on it. After `ranks` steps, in each of
 * which a block goes to the next rank, all have seen all blocks of the round. Sent by each rank: its
 * share of all rows, ranks - 1 times. In memory: the block that is here, the one that comes, and the one
 * as numbers.
 *
 * A block is searched as soon as it is here, against all rows of the rank. Which neighbours are found
 * does not depend on the order in which blocks come: distances are of two rows alone, and equal ones go
 * by the number. */
#include "cluster/divided/neighbours.h"

#include "base/numbers/ordering.h"
#include "cluster/ranks/communicator.h"
#include "math/graph/build.h"
#include "math/graph/nearest.h"
#include "math/near/near_pairs.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { block_bytes = 1 << 24 };

/* Looks at some rows, the first of which has the number `first`; they lie in memory that goes with them,
 * as does what is asked of the scratch. It may not call other ranks, which do not wait for each other in
 * it. */
typedef ald_status (*ring_fn)(ald_run *run, void *work, int64_t first, const ald_operator *rows);

typedef struct ring {
    const ald_divided *rows;
    ring_fn look;
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

/* This rank's block of the round, and room for those of the other ranks. */
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
    ald_record record = {.arena = &run->scratch, .bytes = r->block, .size = size};
    ald_operator rows;
    int64_t first;
    if (size == 0) return ALD_OK;
    ALD_TRY(ald_record_take_count(run, &record, &first));
    ALD_TRY(ald_rows_take(run, &record, 1, &r->rows->z, &rows));
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

/* Each rank sees each row once, its own too, in an order of its own. The ranks agree on failures. */
static ald_status ring_pass(ald_run *run, const ald_divided *rows, ring_fn look, void *work)
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

typedef struct nearest_search {
    ald_points own;
    ald_nearest nearest;
} nearest_search;

static ald_status look_nearest(ald_run *run, void *work, int64_t first, const ald_operator *rows)
{
    nearest_search *s = work;
    ald_points queries = s->own, references;
    if (queries.n == 0) return ALD_OK;
    ALD_TRY(ald_points_new(run, &(ald_rows){.z = rows}, &references));
    ALD_TRY(ald_points_join(run, &references, &queries));
    s->nearest.first = first;
    return ald_nearest_look(run, &queries, &references, 0, &s->nearest);
}

static ald_status begin_nearest(ald_run *run, const ald_divided *rows, int64_t k, nearest_search *s)
{
    const int64_t n = rows->z.x.rows;
    if (k < 1 || k >= rows->total)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "`n_neighbors` is %lld, but with %lld rows each has only %lld others: choose 1 to %lld",
            (long long)k, (long long)rows->total, (long long)rows->total - 1, (long long)rows->total - 1);
    ALD_TRY(ald_nearest_begin(run, n, k, &s->nearest));
    s->nearest.own = rows->first;
    return n > 0 ? ald_points_new(run, &(ald_rows){.z = &rows->z}, &s->own) : ALD_OK;
}

ald_status ald_ring_nearest(ald_run *run, const ald_divided *rows, int64_t k, int64_t **neighbours,
                            double **squares)
{
    nearest_search s = {.own = {.n = 0}};
    ALD_TRY(ald_all_agree(run, begin_nearest(run, rows, k, &s)));
    ALD_TRY(ring_pass(run, rows, look_nearest, &s));
    ald_nearest_end(rows->z.x.rows, &s.nearest);
    *neighbours = s.nearest.neighbours;
    *squares = s.nearest.squares;
    return ALD_OK;
}

typedef struct ball_search {
    ald_points own;
    double radius;
    int64_t first, number; /* of the references, and of the first row of this rank */
    int64_t *next;         /* rows: neighbours so far, then where the next one goes */
    int64_t *neighbours;   /* NULL: they are counted */
} ball_search;

static double limit(const void *self, int64_t query)
{
    (void)query;
    const double radius = ((const ball_search *)self)->radius;
    return radius * radius * (1.0 + 8.0 * DBL_EPSILON);
}

static void take(void *self, int64_t query, int64_t reference, double square)
{
    ball_search *s = self;
    const int64_t number = s->first + reference;
    if (number == s->number + query || !(sqrt(square) < s->radius)) return;
    if (s->neighbours) s->neighbours[s->next[query]] = number;
    s->next[query]++;
}

static ald_status look_within(ald_run *run, void *work, int64_t first, const ald_operator *rows)
{
    ball_search *s = work;
    ald_points queries = s->own, references;
    if (queries.n == 0) return ALD_OK;
    ALD_TRY(ald_points_new(run, &(ald_rows){.z = rows}, &references));
    ALD_TRY(ald_points_join(run, &references, &queries));
    s->first = first;
    const ald_pair_search search = {&queries, &references, 0, limit, take, s, "searching neighbours"};
    return ald_pair_search_run(run, &search);
}

static ald_status begin_within(ald_run *run, const ald_divided *rows, ald_ring_ball *ball, ball_search *s)
{
    const int64_t n = rows->z.x.rows;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *s->next, &s->next));
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *ball->pointers, &ball->pointers));
    memset(s->next, 0, (size_t)n * sizeof *s->next);
    return n > 0 ? ald_points_new(run, &(ald_rows){.z = &rows->z}, &s->own) : ALD_OK;
}

ald_status ald_ring_within(ald_run *run, const ald_divided *rows, ald_ring_ball *ball)
{
    const int64_t n = rows->z.x.rows;
    ball_search s = {.radius = ball->radius, .number = rows->first};
    ALD_TRY(ald_all_agree(run, begin_within(run, rows, ball, &s)));
    ALD_TRY(ring_pass(run, rows, look_within, &s));
    ball->isolated = ald_graph_place(n, s.next, ball->pointers);
    ALD_TRY(ald_all_agree(run, ald_scratch(run, ball->pointers[n], 1, sizeof *s.neighbours, &s.neighbours)));
    ALD_TRY(ring_pass(run, rows, look_within, &s));
    for (int64_t i = 0; i < n; i++)
        ald_sort_whole(ball->pointers[i + 1] - ball->pointers[i], s.neighbours + ball->pointers[i]);
    ball->neighbours = s.neighbours;
    return ALD_OK;
}

/* All rows, which rank 0 wants; the other ranks want none. */
static ald_status list_wanted(ald_run *run, const ald_divided *rows, int64_t **numbers, int64_t *count)
{
    *count = ald_rank(run) == 0 ? rows->total : 0;
    ALD_TRY(ald_scratch(run, *count, 1, sizeof **numbers, numbers));
    for (int64_t i = 0; i < *count; i++) (*numbers)[i] = i;
    return ALD_OK;
}

/* For each rank: where the neighbours of its rows begin, then these. `begin`: ranks + 1, in bytes. */
static ald_status pack(ald_run *run, const ald_divided *rows, const ald_graph *graph, ald_record *record,
                       int64_t *begin)
{
    for (int r = 0; r < ald_rank_count(run); r++) {
        const int64_t *at = graph->pointers + rows->begin[r];
        const int64_t count = rows->begin[r + 1] - rows->begin[r];
        ALD_TRY(ald_record_put(run, record, at, count + 1, sizeof *at));
        ALD_TRY(ald_record_put(run, record, graph->neighbours + at[0], at[count] - at[0],
                               sizeof *graph->neighbours));
        ALD_TRY(ald_record_seal(run, record));
        begin[r + 1] = record->size;
    }
    return ALD_OK;
}

static ald_status unpack(ald_run *run, ald_record *record, ald_graph *own)
{
    ALD_TRY(ald_record_take_array(run, record, &own->pointers, own->n + 1, sizeof *own->pointers));
    const int64_t first = own->pointers[0];
    for (int64_t i = 0; i <= own->n; i++) own->pointers[i] -= first;
    return ald_record_take_array(run, record, &own->neighbours, own->pointers[own->n],
                                 sizeof *own->neighbours);
}

/* What rank 0 has for each, in the scratch of `run`; `begin` is 0 throughout elsewhere. */
static ald_status build(ald_run *run, const ald_divided *rows, const ald_graph_options *options,
                        ald_graph *own, ald_record *record, int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    ald_operator all;
    ald_graph graph;
    int64_t *numbers = NULL;
    int64_t count = 0;
    const ald_status listed = list_wanted(run, rows, &numbers, &count);
    ALD_TRY(ald_fetch_rows(run, listed, rows, numbers, count, &all));
    ald_status status = ald_scratch(run, ranks + 1, 1, sizeof **begin, begin);
    for (int r = 0; status >= 0 && r <= ranks; r++) (*begin)[r] = 0;
    if (status < 0 || ald_rank(run) > 0) return status;
    ALD_TRY(ald_graph_build(run, &all, options, &graph));
    own->isolated = graph.isolated;
    own->how = graph.how;
    return pack(run, rows, &graph, record, *begin);
}

ald_status ald_first_graph(ald_run *run, const ald_divided *rows, const ald_graph_options *options,
                           ald_graph *own)
{
    int64_t *begin = NULL;
    ald_gathered got = {0};
    ald_run apart; /* all rows are in its scratch, until they are not needed any more */
    *own = (ald_graph){.n = rows->z.x.rows, .recall = 1.0};
    ald_run_fork_here(run, &apart);
    ald_record record = {.arena = &apart.scratch};
    ald_status status = build(&apart, rows, options, own, &record, &begin);
    status =
        ald_run_join(run, &apart, ald_all_exchange(&apart, status, &run->scratch, record.bytes, begin, &got));
    ALD_TRY(ald_all_agree(run, status));
    ald_record mine = {.arena = &run->scratch, .bytes = got.bytes, .size = got.begin[1]};
    return ald_all_agree(run, unpack(run, &mine, own));
}
