/* Searches among sparse rows, without ever making one dense. A few queries at a time are written column by
 * column into a panel that has only the columns they have; each reference then adds its entries' lines of the
 * panel:
 *
 *   s = |b|^2 - 2 sum over the entries e of b of  b_e panel[column of e][.]
 *
 * Row shifts h (row i is (v - h_i 1) S, S the scale) enter as two further lines: with p = v'S^2 1 and c =
 * 1'S^2 1 a'b = (S v_a)'(S v_b) - p_a h_b + h_a (h_b c - p_b). Cost: queries / 64 lookups per entry of the
 * references, and a line of 64 for each that the queries share. */
#include "base/threads/threads.h"
#include "math/near/near_pairs.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { panel_width = 64, shift_lines = 2, more_terms = 8 };

typedef struct memory {
    int32_t *line; /* d: the panel's line of a column, -1: none */
    float *panel;  /* lines x panel_width */
    float sums[panel_width], bounds[panel_width];
    double squares[panel_width], sizes[panel_width];
} memory;

/* A sparse row as the panel and the bound see it, in units. */
typedef struct seen {
    double square; /* |a|^2 */
    double size;   /* not less than |a| and than what rounding goes with: |S v| + |h| |S 1| */
    double p, h;
} seen;

/* What the parts share: the references, and the worst of them for a bound that holds for all. */
typedef struct shared {
    seen *references;
    double longest;
    int64_t terms;
} shared;

static double scaled(const ald_points *points, int64_t e)
{
    return points->values[e] * (points->scale ? points->scale[points->indices[e]] : 1.0) * points->unit;
}

static seen look_at(const ald_points *points, int64_t i)
{
    const int64_t row = ald_points_row(points, i);
    seen a = {.h = points->shift ? points->shift[row] * points->unit : 0.0};
    double square = 0.0;
    for (int64_t e = points->pointers[row]; e < points->pointers[row + 1]; e++) {
        const double entry = scaled(points, e);
        square += entry * entry;
        a.p += entry * (points->scale ? points->scale[points->indices[e]] : 1.0);
    }
    const double c = points->scale_squares;
    a.square = square - 2.0 * a.h * a.p + a.h * a.h * c;
    a.size = sqrt(square) + fabs(a.h) * sqrt(c);
    return a;
}

static int64_t queries_a_part(const ald_pair_search *search)
{
    (void)search;
    return 8 * panel_width;
}

/* Entries of the fullest stretch of panel_width queries. */
static int64_t most_lines(const ald_points *queries)
{
    int64_t most = 0, entries = 0;
    for (int64_t i = 0; i < queries->n; i++) {
        const int64_t row = ald_points_row(queries, i);
        entries += queries->pointers[row + 1] - queries->pointers[row];
        if (i >= panel_width) {
            const int64_t gone = ald_points_row(queries, i - panel_width);
            entries -= queries->pointers[gone + 1] - queries->pointers[gone];
        }
        if (entries > most) most = entries;
    }
    return (most < queries->d ? most : queries->d) + shift_lines;
}

static ald_status look_at_all(ald_run *run, const ald_points *points, shared **out)
{
    shared *all;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *all, &all));
    ALD_TRY(ald_scratch(run, points->n, 1, sizeof *all->references, &all->references));
    all->longest = 0.0;
    all->terms = 0;
    for (int64_t i = 0; i < points->n; i++) {
        const int64_t row = ald_points_row(points, i),
                      entries = points->pointers[row + 1] - points->pointers[row];
        all->references[i] = look_at(points, i);
        all->longest = fmax(all->longest, all->references[i].size);
        if (entries + more_terms > all->terms) all->terms = entries + more_terms;
    }
    *out = all;
    return ALD_OK;
}

static ald_status search_sparse_prepare(ald_run *run, const ald_pair_search *search, int64_t queries,
                                        int parts, ald_search_round *round)
{
    const int64_t d = search->queries->d, lines = most_lines(search->queries);
    shared *all;
    (void)queries;
    ALD_TRY(look_at_all(run, search->references, &all));
    round->shared = all;
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *round->memory, &round->memory));
    for (int part = 0; part < parts; part++) {
        memory *m;
        ALD_TRY(ald_scratch(run, 1, 1, sizeof *m, &m));
        ALD_TRY(ald_scratch(run, d, 1, sizeof *m->line, &m->line));
        ALD_TRY(ald_scratch(run, lines, panel_width, sizeof *m->panel, &m->panel));
        memset(m->line, -1, (size_t)d * sizeof *m->line);
        round->memory[part] = m;
    }
    return ALD_OK;
}

/* Queries begin .. begin + count to the panel; `line` is put back by clear_panel. */
static void write_panel(const ald_pair_search *search, int64_t begin, int64_t count, memory *m)
{
    const ald_points *points = search->queries;
    int32_t lines = shift_lines;
    memset(m->panel, 0, shift_lines * panel_width * sizeof *m->panel);
    for (int64_t i = 0; i < count; i++) {
        const int64_t row = ald_points_row(points, begin + i);
        const seen a = look_at(points, begin + i);
        m->squares[i] = a.square;
        m->sizes[i] = a.size;
        m->panel[i] = (float)(-2.0 * a.p);
        m->panel[panel_width + i] = (float)(-2.0 * a.h);
        for (int64_t e = points->pointers[row]; e < points->pointers[row + 1]; e++) {
            int32_t *line = &m->line[points->indices[e]];
            if (*line < 0) {
                *line = lines++;
                memset(m->panel + *line * panel_width, 0, panel_width * sizeof *m->panel);
            }
            m->panel[*line * panel_width + i] = (float)(-2.0 * scaled(points, e));
        }
    }
}

static void clear_panel(const ald_points *points, int64_t begin, int64_t count, memory *m)
{
    for (int64_t i = begin; i < begin + count; i++)
        for (int64_t e = points->pointers[ald_points_row(points, i)];
             e < points->pointers[ald_points_row(points, i) + 1]; e++)
            m->line[points->indices[e]] = -1;
}

static void add_line(float *sums, const float *line, float times)
{
    for (int i = 0; i < panel_width; i++) sums[i] += times * line[i];
}

/* s of the reference to each query of the panel. */
static void sum_lines(const ald_points *points, int64_t reference, const seen *b, memory *m)
{
    const int64_t row = ald_points_row(points, reference);
    for (int i = 0; i < panel_width; i++) m->sums[i] = (float)b->square;
    for (int64_t e = points->pointers[row]; e < points->pointers[row + 1]; e++) {
        const int32_t line = m->line[points->indices[e]];
        if (line >= 0) add_line(m->sums, m->panel + line * panel_width, (float)scaled(points, e));
    }
    if (!points->shift) return;
    add_line(m->sums, m->panel, (float)-b->h);
    add_line(m->sums, m->panel + panel_width, (float)(b->h * points->scale_squares - b->p));
}

static float bound_of(const ald_search_round *round, const memory *m, int64_t query, int64_t i,
                      double longest)
{
    const shared *all = round->shared;
    return (float)ald_pair_search_bound(round->search, query, m->squares[i], m->sizes[i], longest,
                                        (double)FLT_EPSILON, (double)all->terms);
}

/* Most pairs are passed over by the bound for the longest reference; the others get one of their own. */
static void compare(ald_search_round *round, int part, int64_t begin, int64_t count, int64_t reference)
{
    const ald_pair_search *search = round->search;
    const shared *all = round->shared;
    memory *m = round->memory[part];
    for (int64_t i = 0; i < count; i++) {
        if (m->sums[i] > m->bounds[i]) continue;
        if (m->sums[i] > bound_of(round, m, begin + i, i, all->references[reference].size)) continue;
        if (ald_pair_search_same(search, begin + i, reference)) continue;
        search->take(search->self, begin + i, reference,
                     ald_square_sparse(search->queries, begin + i, search->references, reference));
        m->bounds[i] = bound_of(round, m, begin + i, i, all->longest);
    }
}

static void search_panel(ald_search_round *round, int part, int64_t begin, int64_t count)
{
    const ald_pair_search *search = round->search;
    const shared *all = round->shared;
    memory *m = round->memory[part];
    write_panel(search, begin, count, m);
    for (int64_t i = 0; i < count; i++) m->bounds[i] = bound_of(round, m, begin + i, i, all->longest);
    for (int64_t j = 0; j < search->references->n; j++) {
        sum_lines(search->references, j, &all->references[j], m);
        compare(round, part, begin, count, j);
    }
    clear_panel(search->queries, begin, count, m);
}

static void search_part(void *work, int part)
{
    ald_search_round *round = work;
    const int64_t all = round->end - round->begin;
    const int64_t begin = round->begin + ald_part_begin(all, round->parts, part);
    const int64_t end = round->begin + ald_part_begin(all, round->parts, part + 1);
    for (int64_t i = begin; i < end; i += panel_width)
        search_panel(round, part, i, end - i < panel_width ? end - i : panel_width);
}

const ald_search_ops ald_search_sparse = {queries_a_part, search_sparse_prepare, search_part};
