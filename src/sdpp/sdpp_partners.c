/* Row i with the neighbour j gives the pair (min, max) the weight of row i. As in one process (pairs/pairs.h)
 * the weights of both directions are added, at the rank of the lower row, and pairs are in the order of their
 * lower row, then of the upper one: those of all ranks, one rank after the other, are those of one process in
 * the same order. Then half of the pairs of two ranks go to the rank of the upper row: chance says which, by
 * the numbers of the rows alone. Without that the first of two ranks would have three quarters of all pairs
 * where rows are in no order. */
#include "sdpp/sdpp_partners.h"

#include "divided/fetch_rows.h"
#include "divided/ring_nearest.h"
#include "divided/ring_within.h"
#include "graph/graph.h"
#include "linalg/take.h"
#include "numbers/ordering.h"
#include "ranks/exchange.h"

#include <stdlib.h>

typedef ald_sdpp_edge edge;

/* Who is a neighbour of the rows of this rank: of its row i those from pointers[i] on. */
typedef struct neighbourhood {
    const int64_t *pointers, *neighbours;
    const double *weights; /* NULL: 1 */
} neighbourhood;

/* Entry e, of row i of this rank. */
static edge edge_of(const ald_service *s, const neighbourhood *near, int64_t i, int64_t e)
{
    const int64_t own = s->rows->first + i, other = near->neighbours[e];
    return (edge){
        .low = own < other ? own : other,
        .high = own < other ? other : own,
        .weight =
            (near->weights ? near->weights[e] : 1.0) * (s->target->weights ? s->target->weights[own] : 1.0),
    };
}

static ald_status list_edges(ald_run *run, const ald_service *s, const neighbourhood *near, edge **edges,
                             int64_t *count)
{
    const int64_t n = s->rows->z.x.rows;
    const int64_t *const at = near->pointers;
    *count = 0;
    ALD_TRY(ald_scratch(run, at[n] - at[0], 1, sizeof **edges, edges));
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = at[i]; e < at[i + 1]; e++) (*edges)[(*count)++] = edge_of(s, near, i, e);
    return ALD_OK;
}

/* The rank of the lower row, or (goes_up) of the upper one: a bit of a product that mixes both numbers. */
static int rank_of(const ald_run *run, const ald_divided *rows, const edge *e, int may_go_up)
{
    const uint64_t mixed = (uint64_t)e->low * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)e->high;
    const int goes_up = may_go_up && mixed * UINT64_C(0xd1342543de82ef95) >> 63;
    return ald_divided_owner(run, rows, goes_up ? e->high : e->low);
}

/* The edges by the rank they go to, each rank's in their order; where those begin, in bytes. */
static ald_status sort_by_rank(ald_run *run, const ald_divided *rows, const edge *edges, int64_t count,
                               int may_go_up, edge **sorted, int64_t **begin)
{
    const int ranks = ald_rank_count(run);
    int64_t *next;
    ALD_TRY(ald_scratch(run, count, 1, sizeof **sorted, sorted));
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof *next, &next));
    for (int r = 0; r <= ranks; r++) next[r] = 0;
    for (int64_t e = 0; e < count; e++) next[rank_of(run, rows, &edges[e], may_go_up) + 1]++;
    for (int r = 0; r < ranks; r++) next[r + 1] += next[r];
    for (int r = 0; r <= ranks; r++) (*begin)[r] = next[r] * (int64_t)sizeof **sorted;
    for (int64_t e = 0; e < count; e++)
        (*sorted)[next[rank_of(run, rows, &edges[e], may_go_up)]++] = edges[e];
    return ALD_OK;
}

/* Edges become those that come to this rank, in scratch. Agrees on `status`, that of making them. */
static ald_status exchange(ald_run *run, ald_status status, const ald_divided *rows, int may_go_up,
                           edge **edges, int64_t *count)
{
    edge *sorted = NULL;
    int64_t *begin = NULL;
    ald_gathered got;
    if (status >= 0) status = sort_by_rank(run, rows, *edges, *count, may_go_up, &sorted, &begin);
    ALD_TRY(ald_all_exchange(run, status, &run->scratch, sorted, begin, &got));
    ald_arena_drop(&run->scratch, sorted);
    *edges = (edge *)(void *)got.bytes;
    *count = got.begin[ald_rank_count(run)] / (int64_t)sizeof **edges;
    return ALD_OK;
}

static int by_rows(const void *a, const void *b)
{
    const edge *one = a, *two = b;
    if (one->low != two->low) return one->low < two->low ? -1 : 1;
    return (one->high > two->high) - (one->high < two->high);
}

/* In their order, the directions of a pair as one; loops and those of weight 0 are none. */
static int64_t unite(edge *edges, int64_t count)
{
    int64_t kept = 0;
    qsort(edges, (size_t)count, sizeof *edges, by_rows);
    for (int64_t e = 0; e < count;) {
        edge made = edges[e++];
        for (; e < count && edges[e].low == made.low && edges[e].high == made.high; e++)
            made.weight += edges[e].weight;
        if (made.weight != 0.0 && made.low != made.high) edges[kept++] = made;
    }
    return kept;
}

static int is_here(const ald_divided *rows, int64_t row)
{
    return row >= rows->first && row < rows->first + rows->z.x.rows;
}

/* The partners that other ranks have, each once and in order. */
static ald_status list_partners(ald_run *run, const ald_divided *rows, const edge *edges, int64_t count,
                                int64_t **list, int64_t *length)
{
    int64_t found = 0, kept = 0;
    ALD_TRY(ald_scratch(run, count, 1, sizeof **list, list));
    for (int64_t e = 0; e < count; e++)
        if (!is_here(rows, edges[e].high)) (*list)[found++] = edges[e].high;
    ald_sort_whole(found, *list);
    for (int64_t e = 0; e < found; e++)
        if (e == 0 || (*list)[e] != (*list)[kept - 1]) (*list)[kept++] = (*list)[e];
    *length = kept;
    return ALD_OK;
}

/* The pairs from edges in order; rows by their numbers here. */
static ald_status make_pairs(ald_run *run, const ald_divided *rows, const edge *edges, int64_t count,
                             const int64_t *list, int64_t length, ald_sdpp_share *share)
{
    const int64_t own = rows->z.x.rows, n = own + length;
    int64_t *pointers, *places;
    double *weights;
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *pointers, &pointers));
    ALD_TRY(ald_scratch(run, count, 1, sizeof *places, &places));
    ALD_TRY(ald_scratch_reals(run, count, 1, &weights));
    for (int64_t i = 0; i <= n; i++) pointers[i] = 0;
    for (int64_t e = 0; e < count; e++) {
        const int64_t partner = edges[e].high;
        const int64_t *at = NULL;
        if (!is_here(rows, partner))
            at = bsearch(&partner, list, (size_t)length, sizeof *list, ald_compare_whole);
        pointers[edges[e].low - rows->first + 1]++;
        places[e] = at ? own + (at - list) : partner - rows->first;
        weights[e] = edges[e].weight;
    }
    for (int64_t i = 0; i < n; i++) pointers[i + 1] += pointers[i];
    share->n = n;
    return ald_pairs_merge(run, n, pointers, places, weights, NULL, &share->pairs.pairs);
}

/* delta^2 by the targets of the rows that are here. */
static ald_status measure(ald_run *run, const ald_service *s, const int64_t *list, ald_sdpp_share *share)
{
    const ald_sdpp_settings settings = ald_sdpp_settings_of(run);
    const int64_t own = s->rows->z.x.rows;
    ald_target target;
    const ald_problem problem = {.n = share->n, .target = &target};
    int64_t *which;
    share->pairs.wanted = 0.0;
    if (share->n == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, share->n, 1, sizeof *which, &which));
    for (int64_t i = 0; i < share->n; i++) which[i] = i < own ? s->rows->first + i : list[i - own];
    ALD_TRY(ald_target_take(run, s->target, which, share->n, &target));
    return ald_sdpp_find_squares(run, &problem, &settings, NULL, &share->pairs);
}

/* From here on the lower row of an edge is the one that is here. */
static void turn(const ald_divided *rows, edge *edges, int64_t count)
{
    for (int64_t e = 0; e < count; e++) {
        if (is_here(rows, edges[e].low)) continue;
        const int64_t here = edges[e].high;
        edges[e].high = edges[e].low;
        edges[e].low = here;
    }
    qsort(edges, (size_t)count, sizeof *edges, by_rows);
}

static ald_status settle(ald_run *run, const ald_service *s, edge *edges, int64_t count, int64_t **list,
                         int64_t *length, ald_sdpp_share *share)
{
    turn(s->rows, edges, count);
    ALD_TRY(list_partners(run, s->rows, edges, count, list, length));
    ALD_TRY(make_pairs(run, s->rows, edges, count, *list, *length, share));
    return measure(run, s, *list, share);
}

static ald_status near_given(ald_run *run, const ald_service *s, neighbourhood *near)
{
    ald_graph graph;
    ALD_TRY(ald_all_agree(run, ald_graph_from_matrix(run, s->graph, s->rows->total, &graph)));
    *near = (neighbourhood){graph.pointers + s->rows->first, graph.neighbours, graph.weights};
    return ALD_OK;
}

static ald_status near_within(ald_run *run, const ald_service *s, double radius, int64_t *isolated,
                              neighbourhood *near)
{
    ald_ring_ball ball = {.radius = radius};
    ALD_TRY(ald_ring_within(run, s->rows, &ball));
    *isolated = ball.isolated;
    *near = (neighbourhood){ball.pointers, ball.neighbours, NULL};
    return ALD_OK;
}

static ald_status near_most(ald_run *run, const ald_service *s, int64_t k, neighbourhood *near)
{
    const int64_t n = s->rows->z.x.rows;
    int64_t *neighbours, *pointers;
    double *squares;
    ALD_TRY(ald_ring_nearest(run, s->rows, k, &neighbours, &squares));
    ALD_TRY(ald_all_agree(run, ald_scratch(run, n + 1, 1, sizeof *pointers, &pointers)));
    for (int64_t i = 0; i <= n; i++) pointers[i] = i * k;
    *near = (neighbourhood){pointers, neighbours, NULL};
    ald_arena_drop(&run->scratch, squares);
    return ALD_OK;
}

static ald_status find_near(ald_run *run, const ald_service *s, const ald_sdpp_wanted *wanted,
                            int64_t *isolated, neighbourhood *near)
{
    *isolated = 0;
    if (wanted->neighbours > 0) return near_most(run, s, wanted->neighbours, near);
    return wanted->radius > 0.0 ? near_within(run, s, wanted->radius, isolated, near)
                                : near_given(run, s, near);
}

ald_status ald_sdpp_find_share(ald_run *run, const ald_service *s, const ald_sdpp_wanted *wanted,
                               ald_sdpp_share *share)
{
    int64_t *list = NULL;
    int64_t length = 0, count = 0;
    edge *edges = NULL;
    neighbourhood near = {0};
    *share = (ald_sdpp_share){.own = &s->rows->z};
    ALD_TRY(find_near(run, s, wanted, &share->isolated, &near));
    const ald_status listed = list_edges(run, s, &near, &edges, &count);
    edge *const directed = edges;
    ALD_TRY(exchange(run, listed, s->rows, 0, &edges, &count));
    ald_arena_drop(&run->scratch, directed);
    share->edges = edges;
    share->edge_count = count = unite(edges, count);
    ALD_TRY(exchange(run, ALD_OK, s->rows, 1, &edges, &count));
    const ald_status settled = settle(run, s, edges, count, &list, &length, share);
    return ald_fetch_rows(run, settled, s->rows, list, length, &share->partners);
}
