/* Row i with the neighbour j gives the pair of both the weight of row i. As in one process
 * (graph/pairs.h) the weights of both directions are added. They meet at the rank that has both rows, or
 * at that of one of them: chance says which, by the numbers of the rows alone, so that ranks whose rows
 * are neighbours share their pairs evenly.
 *
 * One process numbers pairs by their lower row, then by the upper one, and draws a random number for each
 * in that order. The order in which ranks have them is another: each rank sends the names of its pairs to
 * the rank of their lower rows, which numbers them and sends the numbers back. 24 and 8 bytes per pair
 * are sent; the few that are drawn are kept. */
#include "cluster/divided/pair_share.h"

#include "base/numbers/ordering.h"
#include "cluster/divided/neighbours.h"
#include "cluster/ranks/communicator.h"
#include "math/operator/entry.h"

#include <stdlib.h>
#include <string.h>

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
                             const int64_t *list, int64_t length, ald_pair_share *share)
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

/* The number in the whole file of a row that has the number i here. */
static int64_t whole_row(const ald_service *s, const ald_pair_share *share, int64_t i)
{
    const int64_t own = s->rows->z.x.rows;
    return i < own ? s->rows->first + i : share->list[i - own];
}

/* delta^2 by the targets of the rows that are here. */
static ald_status measure(ald_run *run, const ald_service *s, ald_pair_share *share)
{
    const ald_sdpp_settings settings = ald_sdpp_settings_of(run);
    ald_target target;
    const ald_problem problem = {.n = share->n, .target = &target};
    int64_t *which;
    share->pairs.wanted = 0.0;
    if (share->n == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, share->n, 1, sizeof *which, &which));
    for (int64_t i = 0; i < share->n; i++) which[i] = whole_row(s, share, i);
    ALD_TRY(ald_target_take(run, s->target, which, share->n, &target));
    return ald_sdpp_find_squares(run, &problem, &settings, NULL, &share->pairs);
}

static ald_status settle(ald_run *run, const ald_service *s, ald_gathered *got, int64_t **list,
                         int64_t *length, ald_pair_share *share)
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

static ald_status near_first(ald_run *run, const ald_service *s, ald_graph_kind kind, ald_pair_share *share,
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
                            ald_pair_share *share, neighbourhood *near)
{
    if (wanted->kind > 0) return near_first(run, s, (ald_graph_kind)wanted->kind, share, near);
    if (wanted->neighbours > 0) return near_most(run, s, wanted->neighbours, near);
    return wanted->radius > 0.0 ? near_within(run, s, wanted->radius, &share->isolated, near)
                                : near_given(run, s, near);
}

static ald_status find_share(ald_run *run, const ald_service *s, const ald_sdpp_wanted *wanted,
                             ald_pair_share *share)
{
    int64_t *begin = NULL, *list = NULL;
    int64_t length = 0;
    edge *edges = NULL;
    neighbourhood near = {0};
    ald_gathered got;
    *share = (ald_pair_share){.own = &s->rows->z};
    ALD_TRY(find_near(run, s, wanted, share, &near));
    const ald_status sorted = sort_by_rank(run, s, &near, &edges, &begin);
    ALD_TRY(ald_all_exchange(run, sorted, &run->scratch, edges, begin, &got));
    ald_arena_drop(&run->scratch, edges);
    const ald_status settled = settle(run, s, &got, &list, &length, share);
    return ald_fetch_rows(run, settled, s->rows, list, length, &share->partners);
}

typedef struct name {
    int64_t low, high; /* rows of the whole file */
    int64_t place;     /* of the pair */
} name;

typedef struct naming {
    ald_numbered_pair *pairs; /* of this rank */
    name *names;              /* theirs, in the order of the rows, so that those for a rank stand together */
    int64_t *begin;           /* of the names for each rank, in bytes */
} naming;

static int by_name(const void *a, const void *b)
{
    const name *one = a, *two = b;
    if (one->low != two->low) return one->low < two->low ? -1 : 1;
    return (one->high > two->high) - (one->high < two->high);
}

/* The pair of entry e of row i, still without a number. */
static ald_numbered_pair pair_of(const ald_service *s, const ald_pair_share *share, int64_t i, int64_t e)
{
    const ald_pairs *pairs = &share->pairs.pairs;
    const int64_t j = pairs->partners[e];
    const int turned = whole_row(s, share, j) < whole_row(s, share, i);
    return (ald_numbered_pair){
        .low = turned ? j : i,
        .high = turned ? i : j,
        .weight = pairs->weights[e],
    };
}

static ald_status list_names(ald_run *run, const ald_service *s, const ald_pair_share *share, naming *t)
{
    const ald_pairs *pairs = &share->pairs.pairs;
    int64_t k = 0;
    ALD_TRY(ald_scratch(run, pairs->count, 1, sizeof *t->pairs, &t->pairs));
    ALD_TRY(ald_scratch(run, pairs->count, 1, sizeof *t->names, &t->names));
    ALD_TRY(ald_scratch(run, ald_rank_count(run) + 1, 1, sizeof *t->begin, &t->begin));
    for (int64_t i = 0; i < pairs->n; i++)
        for (int64_t e = pairs->upper[i]; e < pairs->pointers[i + 1]; e++, k++) {
            const ald_numbered_pair pair = pair_of(s, share, i, e);
            t->pairs[k] = pair;
            t->names[k] = (name){
                .low = whole_row(s, share, pair.low),
                .high = whole_row(s, share, pair.high),
                .place = k,
            };
        }
    qsort(t->names, (size_t)pairs->count, sizeof *t->names, by_name);
    k = 0;
    for (int r = 0; r <= ald_rank_count(run); r++) {
        while (k < pairs->count && ald_divided_owner(run, s->rows, t->names[k].low) < r) k++;
        t->begin[r] = k * (int64_t)sizeof *t->names;
    }
    return ALD_OK;
}

/* The numbers, from 0 on, of the names that were sent, in the places where they stood. */
static ald_status number_names(ald_run *run, int64_t count, name *names, int64_t **numbers)
{
    ALD_TRY(ald_scratch(run, count, 1, sizeof **numbers, numbers));
    for (int64_t k = 0; k < count; k++) names[k].place = k;
    qsort(names, (size_t)count, sizeof *names, by_name);
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

/* numbers_of: those of the names. */
static ald_status keep_drawn(ald_run *run, const naming *t, int64_t count, const int64_t *numbers_of,
                             ald_pair_numbers *numbers)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++) {
        if (numbers_of[k] % numbers->every) continue;
        t->pairs[t->names[k].place].number = numbers_of[k];
        t->names[kept++].place = t->names[k].place;
    }
    numbers->count = kept;
    ALD_TRY(ald_scratch(run, kept, 1, sizeof *numbers->drawn, &numbers->drawn));
    for (int64_t k = 0; k < kept; k++) numbers->drawn[k] = t->pairs[t->names[k].place];
    return ALD_OK;
}

static ald_status number_pairs(ald_run *run, const ald_service *s, const ald_pair_share *share,
                               ald_pair_numbers *numbers)
{
    const int ranks = ald_rank_count(run);
    naming t = {0};
    ald_gathered names, answers;
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
    ALD_TRY(ald_all_exchange(run, numbered, &run->scratch, own, names.begin, &answers));
    const ald_status kept =
        ald_all_agree(run, keep_drawn(run, &t, share->pairs.pairs.count,
                                      (const int64_t *)(const void *)answers.bytes, numbers));
    void *const done[] = {t.pairs, t.names, names.bytes, own, answers.bytes};
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) ald_arena_drop(&run->scratch, done[i]);
    return kept;
}

ald_status ald_pair_share_find(ald_run *run, const ald_service *s, const ald_sdpp_wanted *wanted,
                               ald_pair_share *share)
{
    ALD_TRY(find_share(run, s, wanted, share));
    return number_pairs(run, s, share, &share->numbers);
}
