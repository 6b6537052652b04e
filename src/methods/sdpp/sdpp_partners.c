/* Row i with the neighbour j gives the pair of both the weight of row i. As in one process (pairs/pairs.h)
 * the weights of both directions are added. They meet at the rank that has both rows, or at that of one of
 * them: chance says which, by the numbers of the rows alone, so that ranks whose rows are neighbours share
 * their pairs evenly. */
#include "methods/sdpp/sdpp_partners.h"

#include "base/numbers/ordering.h"
#include "base/ranks/exchange.h"
#include "cluster/divided/fetch_rows.h"
#include "cluster/divided/first_graph.h"
#include "cluster/divided/ring_nearest.h"
#include "cluster/divided/ring_within.h"
#include "math/graph/graph.h"
#include "math/operator/take.h"

#include <stdlib.h>

/* A pair on its way to the rank of `row`; `partner` is above it, or of another rank. */
typedef struct edge {
    int64_t row, partner;
    double weight;
} edge;

/* Who is a neighbour of the rows of this rank: of its row i those from pointers[i] on. */
typedef struct neighbourhood {
    const int64_t *pointers, *neighbours;
    const double *weights; /* NULL: 1 */
} neighbourhood;

/* Whether a pair of two ranks goes to that of its upper row: a bit of a product that mixes both numbers. */
static int goes_up(int64_t low, int64_t high)
{
    const uint64_t mixed = (uint64_t)low * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)high;
    return (int)(mixed * UINT64_C(0xd1342543de82ef95) >> 63);
}

/* Entry e, of row i of this rank, and the rank it goes to. */
static edge edge_of(ald_run *run, const ald_service *s, const neighbourhood *near, int64_t i, int64_t e,
                    int *rank)
{
    const int64_t own = s->rows->first + i, other = near->neighbours[e];
    const int64_t low = own < other ? own : other, high = own < other ? other : own;
    const int of_low = ald_divided_owner(run, s->rows, low), of_high = ald_divided_owner(run, s->rows, high);
    const int up = of_low != of_high && goes_up(low, high);
    *rank = up ? of_high : of_low;
    return (edge){
        .row = up ? high : low,
        .partner = up ? low : high,
        .weight =
            (near->weights ? near->weights[e] : 1.0) * (s->target->weights ? s->target->weights[own] : 1.0),
    };
}

/* The edges of this rank's rows, by the rank they go to; where those of each rank begin, in bytes. */
static ald_status sort_by_rank(ald_run *run, const ald_service *s, const neighbourhood *near, edge **edges,
                               int64_t **begin)
{
    const int64_t n = s->rows->z.x.rows, size = (int64_t)sizeof **edges;
    const int64_t *const at = near->pointers;
    const int ranks = ald_rank_count(run);
    int rank;
    int64_t *next;
    ALD_TRY(ald_scratch(run, at[n] - at[0], 1, sizeof **edges, edges));
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof **begin, begin));
    ALD_TRY(ald_scratch(run, ranks + 1, 1, sizeof *next, &next));
    for (int r = 0; r <= ranks; r++) next[r] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = at[i]; e < at[i + 1]; e++) {
            edge_of(run, s, near, i, e, &rank);
            next[rank + 1]++;
        }
    for (int r = 0; r < ranks; r++) next[r + 1] += next[r];
    for (int r = 0; r <= ranks; r++) (*begin)[r] = next[r] * size;
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = at[i]; e < at[i + 1]; e++) {
            const edge made = edge_of(run, s, near, i, e, &rank);
            (*edges)[next[rank]++] = made;
        }
    return ALD_OK;
}

static int by_rows(const void *a, const void *b)
{
    const edge *one = a, *two = b;
    if (one->row != two->row) return one->row < two->row ? -1 : 1;
    return (one->partner > two->partner) - (one->partner < two->partner);
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
        if (!is_here(rows, edges[e].partner)) (*list)[found++] = edges[e].partner;
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
        const int64_t partner = edges[e].partner;
        const int64_t *at = NULL;
        if (!is_here(rows, partner))
            at = bsearch(&partner, list, (size_t)length, sizeof *list, ald_compare_whole);
        pointers[edges[e].row - rows->first + 1]++;
        places[e] = at ? own + (at - list) : partner - rows->first;
        weights[e] = edges[e].weight;
    }
    for (int64_t i = 0; i < n; i++) pointers[i + 1] += pointers[i];
    share->n = n;
    return ald_pairs_merge(run, n, pointers, places, weights, NULL, &share->pairs.pairs);
}

int64_t ald_sdpp_share_row(const ald_service *s, const ald_sdpp_share *share, int64_t i)
{
    const int64_t own = s->rows->z.x.rows;
    return i < own ? s->rows->first + i : share->list[i - own];
}

/* delta^2 by the targets of the rows that are here. */
static ald_status measure(ald_run *run, const ald_service *s, ald_sdpp_share *share)
{
    const ald_sdpp_settings settings = ald_sdpp_settings_of(run);
    ald_target target;
    const ald_problem problem = {.n = share->n, .target = &target};
    int64_t *which;
    share->pairs.wanted = 0.0;
    if (share->n == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, share->n, 1, sizeof *which, &which));
    for (int64_t i = 0; i < share->n; i++) which[i] = ald_sdpp_share_row(s, share, i);
    ALD_TRY(ald_target_take(run, s->target, which, share->n, &target));
    return ald_sdpp_find_squares(run, &problem, &settings, NULL, &share->pairs);
}

static ald_status settle(ald_run *run, const ald_service *s, ald_gathered *got, int64_t **list,
                         int64_t *length, ald_sdpp_share *share)
{
    edge *edges = (edge *)(void *)got->bytes;
    const int64_t count = got->begin[ald_rank_count(run)] / (int64_t)sizeof *edges;
    qsort(edges, (size_t)count, sizeof *edges, by_rows);
    ALD_TRY(list_partners(run, s->rows, edges, count, list, length));
    ALD_TRY(make_pairs(run, s->rows, edges, count, *list, *length, share));
    share->list = *list;
    return measure(run, s, share);
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

static ald_status near_first(ald_run *run, const ald_service *s, ald_graph_kind kind, ald_sdpp_share *share,
                             neighbourhood *near)
{
    const ald_graph_options options = {.kind = kind};
    ald_graph own;
    ALD_TRY(ald_first_graph(run, s->rows, &options, &own));
    share->isolated = own.isolated;
    share->how = own.how;
    *near = (neighbourhood){own.pointers, own.neighbours, NULL};
    return ALD_OK;
}

static ald_status find_near(ald_run *run, const ald_service *s, const ald_sdpp_wanted *wanted,
                            ald_sdpp_share *share, neighbourhood *near)
{
    if (wanted->first > 0) return near_first(run, s, (ald_graph_kind)wanted->first, share, near);
    if (wanted->neighbours > 0) return near_most(run, s, wanted->neighbours, near);
    return wanted->radius > 0.0 ? near_within(run, s, wanted->radius, &share->isolated, near)
                                : near_given(run, s, near);
}

ald_status ald_sdpp_find_share(ald_run *run, const ald_service *s, const ald_sdpp_wanted *wanted,
                               ald_sdpp_share *share)
{
    int64_t *begin = NULL, *list = NULL;
    int64_t length = 0;
    edge *edges = NULL;
    neighbourhood near = {0};
    ald_gathered got;
    *share = (ald_sdpp_share){.own = &s->rows->z};
    ALD_TRY(find_near(run, s, wanted, share, &near));
    const ald_status sorted = sort_by_rank(run, s, &near, &edges, &begin);
    ALD_TRY(ald_all_exchange(run, sorted, &run->scratch, edges, begin, &got));
    ald_arena_drop(&run->scratch, edges);
    const ald_status settled = settle(run, s, &got, &list, &length, share);
    return ald_fetch_rows(run, settled, s->rows, list, length, &share->partners);
}
