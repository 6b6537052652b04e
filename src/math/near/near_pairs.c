/* Searches for near pairs: rounds over the queries, whatever the storage (search_dense.c, search_sparse.c),
 * and, where all points look for all of themselves, a mutual search.
 *
 * In the mutual search each pair is met once, for both of its points, so that there are n^2 d / 2 products,
 * half of those of other searches; the outcome is the same. Groups of points meet as the players of a
 * tournament: in a round each group meets one other, and all have met after groups - 1 rounds. So within a
 * round no point is met by two threads, and `take` needs no lock. Before the first round each group is
 * matched with itself. Memory: the points in single precision, in double where that does not do. */
#include "math/near/near_pairs.h"

#include "base/numbers/ordering.h"
#include "base/threads/threads.h"
#include "math/near/near_panels.h"

#include <math.h>
#include <string.h>

enum { group_entries = 1 << 17, most_units = 32, most_pairs = ALD_NEAR_MOST_ROWS * ALD_NEAR_SINGLE };

typedef struct tournament {
    ald_run *run;
    const ald_pair_search *search;
    ald_near_panels panels;
    int parts;
    int64_t units, groups; /* whole units; an even number */
    double *longest;       /* a group: the length of its longest rough point */
    double **rows;         /* two for each part: rows that are not read in place */
    /* The step: matches first .. first + count of a round; round -1 are the groups with themselves. */
    int64_t round, first, count;
    int64_t met[ALD_SEARCH_PARTS], fruitless[ALD_SEARCH_PARTS];
} tournament;

/* One group in a match. */
typedef struct player {
    int64_t group, begin, end;
    const char *rows; /* as given, from `begin` on, so many bytes apart, in double or single precision */
    int64_t stride;
    int single;
} player;

typedef struct match {
    tournament *t;
    player home, guest;
    int64_t fruitless;
} match;

static int is_mutual(const ald_pair_search *search)
{
    return search->queries == search->references && ald_near_panels_suit(search->queries);
}

static int64_t group_begin(const tournament *t, int64_t group)
{
    const int64_t unit = group * (t->units / t->groups) + ald_least(group, t->units % t->groups);
    return ald_least(unit * ALD_NEAR_UNIT, t->panels.points->n);
}

/* Tells point i of point j of the other group; 0: it is too far. */
static int tell(const match *m, const player *other, int64_t i, int64_t j, double square)
{
    const ald_pair_search *search = m->t->search;
    if (square > search->limit(search->self, i)) return 0;
    search->take(search->self, i, j, square);
    ald_near_panels_look(&m->t->panels, i, search->limit(search->self, i), m->t->longest[other->group]);
    return 1;
}

/* Points i and j, which are so far apart. */
static void meet(match *m, int64_t i, int64_t j, double square)
{
    int near = tell(m, &m->guest, i, j, square);
    if (i != j) near |= tell(m, &m->home, j, i, square);
    m->fruitless += !near;
}

/* Pairs of a tile that may be near, to be measured four at a time, the last of them again where there are no
 * four. */
typedef struct list {
    int64_t count, i[most_pairs], j[most_pairs];
} list;

static const void *row_of(const player *p, int64_t i)
{
    return p->rows + (i - p->begin) * p->stride;
}

static void meet_list(match *m, list *l)
{
    const ald_points *points = m->t->search->queries;
    for (int64_t at = 0; at < l->count; at += 4) {
        const void *a[4], *b[4];
        double squares[4];
        for (int64_t p = 0; p < 4; p++) {
            const int64_t pair = ald_least(at + p, l->count - 1);
            a[p] = row_of(&m->home, l->i[pair]);
            b[p] = row_of(&m->guest, l->j[pair]);
        }
        ald_squares_of_four(points->d, points->scale, m->home.single, a, b, squares);
        for (int64_t p = at; p < ald_least(at + 4, l->count); p++) meet(m, l->i[p], l->j[p], squares[p - at]);
    }
}

/* The lowest bit that is set. */
static int lowest(uint64_t bits)
{
    int at = 0;
    for (; !(bits & 0xff); bits >>= 8) at += 8;
    for (; !(bits & 1); bits >>= 1) at++;
    return at;
}

/* Point i with the points from j on that may be near it. In a match of a group with itself the pairs with
 * i <= j are taken, each once. */
static void add_to_list(const match *m, int64_t i, int64_t j, uint64_t near, list *l)
{
    if (m->home.group == m->guest.group && i > j) near &= ~UINT64_C(0) << (i - j);
    for (; near && i < m->home.end; near &= near - 1) {
        const int64_t other = j + lowest(near);
        if (other >= m->guest.end || ald_pair_search_same(m->t->search, i, other)) continue;
        l->i[l->count] = i;
        l->j[l->count++] = other;
    }
}

static void meet_panels(match *m, int64_t i0, int64_t j)
{
    const ald_near_panels *panels = &m->t->panels;
    const int rows = panels->kernel->rows;
    const ald_near_side guests = ald_near_panels_side(panels, j);
    uint64_t near[ALD_NEAR_MOST_ROWS];
    list l;
    for (int64_t i = i0; i < i0 + panels->width; i += rows) {
        const ald_near_side some = ald_near_panels_side(panels, i);
        if (!panels->kernel->tile(panels->points->d, &some, &guests, near)) continue;
        l.count = 0;
        for (int r = 0; r < rows; r++) add_to_list(m, i + r, j, near[r], &l);
        meet_list(m, &l);
    }
}

static void ready(const match *m, const player *own, const player *other)
{
    const ald_pair_search *search = m->t->search;
    const double longest = m->t->longest[other->group];
    for (int64_t i = own->begin; i < own->end; i++)
        ald_near_panels_look(&m->t->panels, i, search->limit(search->self, i), longest);
}

static player player_of(const tournament *t, int64_t group, double *buffer)
{
    const ald_points *points = t->search->queries;
    player p = {.group = group, .begin = group_begin(t, group), .end = group_begin(t, group + 1)};
    p.rows = ald_points_standing(points, p.begin, &p.stride, &p.single);
    if (p.rows) return p;
    p.rows = (const char *)ald_points_rows(points, p.begin, p.end - p.begin, buffer, &p.stride);
    p.stride *= (int64_t)sizeof *buffer;
    p.single = 0;
    return p;
}

static void play(tournament *t, int part, int64_t home, int64_t guest)
{
    match m = {.t = t, .home = player_of(t, home, t->rows[2 * part])};
    m.guest = home == guest ? m.home : player_of(t, guest, t->rows[2 * part + 1]);
    const int64_t width = t->panels.width;
    ready(&m, &m.home, &m.guest);
    if (home != guest) ready(&m, &m.guest, &m.home);
    for (int64_t j = m.guest.begin; j < m.guest.end; j += width)
        for (int64_t i = m.home.begin; i < m.home.end && (home != guest || i <= j); i += width)
            meet_panels(&m, i, j);
    t->met[part] += (m.home.end - m.home.begin) * (m.guest.end - m.guest.begin);
    t->fruitless[part] += m.fruitless;
}

/* In round t the last group meets group t, and t + p meets t - p, in a circle of all but the last. */
static void play_part(void *work, int part)
{
    tournament *t = work;
    const int64_t circle = t->groups - 1;
    for (int64_t p = t->first + part; p < t->first + t->count; p += t->parts)
        if (t->round < 0)
            play(t, part, p, p);
        else if (p == 0)
            play(t, part, t->round, circle);
        else
            play(t, part, (t->round + p) % circle, (t->round + circle - p) % circle);
}

static void find_longest(tournament *t)
{
    for (int64_t g = 0; g < t->groups; g++) {
        t->longest[g] = 0.0;
        for (int64_t i = group_begin(t, g); i < group_begin(t, g + 1); i++)
            t->longest[g] = fmax(t->longest[g], t->panels.sizes[i]);
    }
}

/* Points far from the centre and close to each other cannot be distinguished in single precision: if too many
 * pairs were measured for nothing, the rest is done in double. */
static ald_status look_closer(tournament *t)
{
    double met = 0.0, fruitless = 0.0;
    for (int part = 0; part < t->parts; part++) {
        met += (double)t->met[part];
        fruitless += (double)t->fruitless[part];
    }
    if (t->panels.is_double || fruitless <= 0.05 * met) return ALD_OK;
    ALD_TRY(ald_near_panels_new(t->run, t->search->queries, t->parts, 1, &t->panels));
    find_longest(t);
    return ALD_OK;
}

/* Steps, so that the caller hears of progress and can stop: a few tenths of a second at most. */
static ald_status play_round(tournament *t, int64_t matches)
{
    const double most_products = 2e9, side = (double)t->panels.padded / (double)t->groups;
    const double each = fmax(1.0, floor(most_products / (side * side * (double)(t->panels.points->d + 1))));
    const int64_t step = each < (double)matches ? (int64_t)each * t->parts : matches;
    for (t->first = 0; t->first < matches; t->first += t->count) {
        t->count = ald_least(step, matches - t->first);
        memset(t->met, 0, sizeof t->met);
        memset(t->fruitless, 0, sizeof t->fruitless);
        ald_parallel(t->parts, play_part, t);
        ALD_TRY(look_closer(t));
        const double before = (double)t->round + (double)(t->first + t->count) / (double)matches;
        ALD_TRY(ald_progress(t->run, t->search->stage, fmin(1.0, (before + 1.0) / (double)t->groups)));
    }
    return ALD_OK;
}

static ald_status play_all(tournament *t)
{
    const ald_points *points = t->search->queries;
    int64_t stride;
    int single;
    const int standing = ald_points_standing(points, 0, &stride, &single) != NULL;
    const int64_t most = standing ? 0 : (t->units / t->groups + 1) * ALD_NEAR_UNIT;
    ALD_TRY(ald_near_panels_new(t->run, points, t->parts, 0, &t->panels));
    ALD_TRY(ald_scratch_reals(t->run, t->groups, 1, &t->longest));
    ALD_TRY(ald_scratch(t->run, t->parts, 2, sizeof *t->rows, &t->rows));
    for (int i = 0; i < 2 * t->parts; i++) ALD_TRY(ald_scratch_reals(t->run, most, points->d, &t->rows[i]));
    find_longest(t);
    for (t->round = -1; t->round < t->groups - 1; t->round++)
        ALD_TRY(play_round(t, t->round < 0 ? t->groups : t->groups / 2));
    return ALD_OK;
}

static ald_status search_mutual(ald_run *run, const ald_pair_search *search)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = search->queries->n, d = search->queries->d;
    tournament t = {.run = run, .search = search, .units = (n + ALD_NEAR_UNIT - 1) / ALD_NEAR_UNIT};
    t.parts = ald_parts(run, t.units, 2);
    const int64_t units = ald_within(group_entries / ALD_NEAR_UNIT / (d + 1), 1, most_units),
                  even = 2 * t.parts;
    t.groups = (t.units + even * units - 1) / (even * units) * even;
    ald_status status = ald_progress(run, search->stage, 0.0);
    if (status >= 0) status = play_all(&t);
    ald_arena_release(&run->scratch, mark);
    return status;
}

double ald_pair_search_bound(const ald_pair_search *search, int64_t query, double square, double size,
                             double longest, double u, double terms)
{
    const ald_points *points = search->queries;
    const double away = u * (size + longest) + points->blur * points->unit;
    const double error = terms * u * longest * (longest + 2.0 * size) + 1e-37; /* products that underflow */
    const double r = sqrt(search->limit(search->self, query)) * points->unit + away;
    return (r * r + error) * (1.0 + 4.0 * u) - square * (1.0 - 4.0 * u);
}

int ald_pair_search_same(const ald_pair_search *search, int64_t query, int64_t reference)
{
    if (!search->skip_same) return 0;
    const int64_t *a = search->queries->which, *b = search->references->which;
    return (a ? a[query] : query) == (b ? b[reference] : reference);
}

/* Rounds, so that the caller hears of progress and can stop. */
static ald_status run_rounds(const ald_search_ops *ops, int64_t each, ald_search_round *round)
{
    const int64_t n = round->search->queries->n, references = round->search->references->n;
    for (round->begin = 0; round->begin < n; round->begin = round->end) {
        const int64_t left = n - round->begin;
        round->end = left < each * round->parts ? n : round->begin + each * round->parts;
        memset(round->status, 0, sizeof round->status);
        memset(round->measured, 0, sizeof round->measured);
        ald_parallel(round->parts, ops->part, round);
        double measured = 0.0;
        for (int part = 0; part < round->parts; part++) {
            ALD_TRY(round->status[part]);
            measured += (double)round->measured[part];
        }
        if (measured > 0.05 * (double)(round->end - round->begin) * (double)references) round->wide = 1;
        ALD_TRY(ald_progress(round->run, round->search->stage, (double)round->end / (double)n));
    }
    return ALD_OK;
}

ald_status ald_pair_search_run(ald_run *run, const ald_pair_search *search)
{
    if (is_mutual(search)) return search_mutual(run, search);
    const ald_search_ops *ops = search->queries->sparse ? &ald_search_sparse : &ald_search_dense;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = search->queries->n;
    enum { fewest = 16 };
    ald_search_round round = {.run = run, .search = search, .parts = ald_parts(run, n, fewest)};
    int64_t each = ops->queries_a_part(search);
    if (each > (n + round.parts - 1) / round.parts) each = (n + round.parts - 1) / round.parts;
    ald_status status = ald_progress(run, search->stage, 0.0);
    if (status >= 0) status = ops->prepare(run, search, each, round.parts, &round);
    if (status >= 0) status = run_rounds(ops, each, &round);
    ald_arena_release(&run->scratch, mark);
    return status;
}
