/* Searches among dense rows: tiles of products by the backend, scanned for what is near enough. */
#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/near/near_pairs.h"

#include <float.h>
#include <math.h>

enum { tile_rows = 256, least_queries = 32, most_queries = 1024, most_references = 512, stretch = 32 };

/* Rough points have one coordinate more: a query is (-2a, 1), a reference (b, |b|^2), and their product is s.
 */
typedef struct memory {
    double *query_rows, *reference_rows; /* where rows are not read in place */
    void *queries, *references, *tile;   /* float, or double when wide */
    double *squares;                     /* |a|^2 a query */
} memory;

/* References of the moment. */
typedef struct block {
    int64_t begin, count, stride;
    const double *rows;
    double longest;
} block;

/* So many that a round, after which the caller is asked, takes a few tenths of a second at most. */
static int64_t queries_a_part(const ald_pair_search *search)
{
    static const double most_products = 2e9;
    const double quick =
        most_products / ((double)search->references->n * (double)(search->queries->d + 1) + 1.0);
    const int64_t fitting = ald_least((1 << 21) / (search->queries->d + 1), (int64_t)fmin(quick, 1e9));
    return ald_within(fitting, least_queries, most_queries);
}

static ald_status search_dense_prepare(ald_run *run, const ald_pair_search *search, int64_t queries,
                                       int parts, ald_search_round *round)
{
    const int64_t d = search->queries->d;
    round->block = ald_within((1 << 18) / (d + 1), 64, most_references);
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *round->memory, &round->memory));
    for (int part = 0; part < parts; part++) {
        memory *m;
        double *room;
        ALD_TRY(ald_scratch(run, 1, 1, sizeof *m, &m));
        ALD_TRY(ALD_SCRATCH(run, {&m->query_rows, queries, d}, {&m->reference_rows, round->block, d},
                            {&m->squares, queries, 1}, {&room, queries, d + 1}));
        m->queries = room;
        ALD_TRY(ald_scratch_reals(run, round->block, d + 1, &room));
        m->references = room;
        ALD_TRY(ald_scratch_reals(run, tile_rows, round->block, &room));
        m->tile = room;
        round->memory[part] = m;
    }
    return ALD_OK;
}

/* The rough point times `times` to place `at` of `out`; its squared length before that. */
static double write_rough(const ald_points *points, const double *row, double times, int wide, void *out,
                          int64_t at)
{
    double *whole = (double *)out + at;
    float *narrow = (float *)out + at;
    const double square = ald_points_rough(points, row, wide, wide ? (void *)whole : (void *)narrow);
    for (int64_t j = 0; wide && j < points->d; j++) whole[j] *= times;
    for (int64_t j = 0; !wide && j < points->d; j++) narrow[j] *= (float)times;
    return square;
}

static void write_queries(const ald_search_round *round, const memory *m, const double *rows, int64_t stride,
                          int64_t count)
{
    const ald_points *points = round->search->queries;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = i * (points->d + 1);
        m->squares[i] = write_rough(points, rows + i * stride, -2.0, round->wide, m->queries, at);
        ald_put(m->queries, round->wide, at + points->d, 1.0);
    }
}

static void write_references(const ald_search_round *round, const memory *m, block *b)
{
    const ald_points *points = round->search->references;
    b->rows = ald_points_rows(points, b->begin, b->count, m->reference_rows, &b->stride);
    b->longest = 0.0;
    for (int64_t i = 0; i < b->count; i++) {
        const int64_t at = i * (points->d + 1);
        const double square =
            write_rough(points, b->rows + i * b->stride, 1.0, round->wide, m->references, at);
        ald_put(m->references, round->wide, at + points->d, square);
        b->longest = fmax(b->longest, sqrt(square));
    }
}

/* One query against a block. */
typedef struct sight {
    const ald_search_round *round;
    const block *block;
    const double *row;
    int64_t query;
    double square, size;
    int64_t measured;
} sight;

static double bound_of(const sight *s)
{
    const int wide = s->round->wide;
    return ald_pair_search_bound(s->round->search, s->query, s->square, s->size, s->block->longest,
                                 wide ? DBL_EPSILON : (double)FLT_EPSILON,
                                 (double)s->round->search->queries->d + 4.0);
}

/* Measures the pair, tells it, and gives the new bound. */
static double search_dense_measure(sight *s, int64_t j)
{
    const ald_pair_search *search = s->round->search;
    const ald_points *points = search->queries;
    const int64_t reference = s->block->begin + j;
    if (!ald_pair_search_same(search, s->query, reference)) {
        const double *row = s->block->rows + j * s->block->stride;
        search->take(search->self, s->query, reference,
                     ald_square_dense(points->d, points->scale, s->row, row));
    }
    s->measured++;
    return bound_of(s);
}

/* What is not above the bound, NaN included, is measured. Whole stretches are passed over at once: `pass`
 * gives the first, from j on, that has something near. */
#define SCAN(pass, name, type)                                                                               \
    ALD_WIDE static int64_t pass(const type *products, int64_t j, int64_t count, type bound)                 \
    {                                                                                                        \
        for (; j + stretch <= count; j += stretch) {                                                         \
            int near = 0;                                                                                    \
            for (int i = 0; i < stretch; i++) near |= !(products[j + i] > bound);                            \
            if (near) break;                                                                                 \
        }                                                                                                    \
        return j;                                                                                            \
    }                                                                                                        \
    static void name(sight *s, const type *products, int64_t count)                                          \
    {                                                                                                        \
        type bound = (type)bound_of(s);                                                                      \
        for (int64_t j0 = 0; (j0 = pass(products, j0, count, bound)) < count; j0 += stretch)                 \
            for (int64_t j = j0; j < count && j < j0 + stretch; j++)                                         \
                if (!(products[j] > bound)) bound = (type)search_dense_measure(s, j);                        \
    }
SCAN(pass_single, scan_single, float)
SCAN(pass_double, scan_double, double)
#undef SCAN

static ald_status search_dense_multiply(const ald_search_round *round, const memory *m, int64_t i,
                                        int64_t rows, const block *b)
{
    const int64_t k = round->search->queries->d + 1;
    if (!round->wide)
        return ald_product_single(round->run, rows, b->count, k, (const float *)m->queries + i * k,
                                  m->references, m->tile);
    return ald_product(round->run, ald_of((const double *)m->queries + i * k, rows, k),
                       ald_t(ald_of(m->references, b->count, k)), ald_at(m->tile, rows, b->count));
}

/* The queries of a part and what it has of them. */
typedef struct stretch_of_queries {
    int64_t begin, count, stride;
    const double *rows;
} stretch_of_queries;

static ald_status scan_tile(ald_search_round *round, int part, const stretch_of_queries *q, int64_t i,
                            const block *b)
{
    const memory *m = round->memory[part];
    const int64_t rows = q->count - i < tile_rows ? q->count - i : tile_rows;
    ALD_TRY(search_dense_multiply(round, m, i, rows, b));
    for (int64_t r = 0; r < rows; r++) {
        const double square = m->squares[i + r];
        sight s = {round, b, q->rows + (i + r) * q->stride, q->begin + i + r, square, sqrt(square), 0};
        if (round->wide)
            scan_double(&s, (const double *)m->tile + r * b->count, b->count);
        else
            scan_single(&s, (const float *)m->tile + r * b->count, b->count);
        round->measured[part] += s.measured;
    }
    return ALD_OK;
}

static void search_part(void *work, int part)
{
    ald_search_round *round = work;
    const memory *m = round->memory[part];
    const int64_t all = round->end - round->begin, references = round->search->references->n;
    stretch_of_queries q = {.begin = round->begin + ald_part_begin(all, round->parts, part)};
    q.count = round->begin + ald_part_begin(all, round->parts, part + 1) - q.begin;
    q.rows = ald_points_rows(round->search->queries, q.begin, q.count, m->query_rows, &q.stride);
    write_queries(round, m, q.rows, q.stride, q.count);
    for (int64_t j = 0; j < references; j += round->block) {
        block b = {.begin = j, .count = references - j < round->block ? references - j : round->block};
        write_references(round, m, &b);
        for (int64_t i = 0; i < q.count && round->status[part] >= 0; i += tile_rows)
            round->status[part] = scan_tile(round, part, &q, i, &b);
    }
}

const ald_search_ops ald_search_dense = {queries_a_part, search_dense_prepare, search_part};
