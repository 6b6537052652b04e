#include "math/graph/shortest_paths.h"

#include "base/threads/threads.h"
#include "math/graph/laplacian.h"
#include "math/linalg/plain.h"

#include <math.h>

/* Rows that have been reached and not been left, the nearest on top. */
typedef struct heap {
    int64_t count;
    int64_t *rows;  /* n: a heap by distance */
    int64_t *place; /* n: where a row is in it, -1: nowhere */
} heap;

typedef struct paths {
    const ald_laplacian *edges; /* symmetric; the weights are lengths */
    double *d;
    int64_t begin, end; /* sources of the round */
    int parts;
    heap *heaps; /* one per part */
} paths;

static void put(heap *h, int64_t at, int64_t row)
{
    h->rows[at] = row;
    h->place[row] = at;
}

static void rise(heap *h, const double *d, int64_t at)
{
    const int64_t row = h->rows[at];
    while (at > 0 && d[row] < d[h->rows[(at - 1) / 2]]) {
        put(h, at, h->rows[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(h, at, row);
}

static void sink(heap *h, const double *d, int64_t at)
{
    const int64_t row = h->rows[at];
    for (int64_t child = 2 * at + 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && d[h->rows[child + 1]] < d[h->rows[child]]) child++;
        if (!(d[h->rows[child]] < d[row])) break;
        put(h, at, h->rows[child]);
        at = child;
    }
    put(h, at, row);
}

static int64_t take_nearest(heap *h, const double *d)
{
    const int64_t row = h->rows[0];
    h->place[row] = -1;
    if (--h->count > 0) {
        put(h, 0, h->rows[h->count]);
        sink(h, d, 0);
    }
    return row;
}

static void from_source(const ald_laplacian *edges, int64_t source, heap *h, double *d)
{
    for (int64_t i = 0; i < edges->n; i++) {
        d[i] = INFINITY;
        h->place[i] = -1;
    }
    d[source] = 0.0;
    h->count = 1;
    put(h, 0, source);
    while (h->count > 0) {
        const int64_t i = take_nearest(h, d);
        for (int64_t e = edges->pointers[i]; e < edges->pointers[i + 1]; e++) {
            const int64_t j = edges->neighbours[e];
            const double length = d[i] + edges->weights[e];
            if (!(length < d[j])) continue;
            d[j] = length;
            if (h->place[j] < 0) put(h, h->count++, j);
            rise(h, d, h->place[j]);
        }
    }
}

static void walk_part(void *work, int part)
{
    const paths *p = work;
    const int64_t n = p->edges->n, count = p->end - p->begin,
                  end = p->begin + ald_part_begin(count, p->parts, part + 1);
    for (int64_t i = p->begin + ald_part_begin(count, p->parts, part); i < end; i++)
        from_source(p->edges, i, &p->heaps[part], p->d + i * n);
}

static ald_status new_heaps(ald_run *run, int64_t n, int parts, heap **heaps)
{
    ALD_TRY(ald_scratch(run, parts, 1, sizeof **heaps, heaps));
    for (int part = 0; part < parts; part++) {
        ALD_TRY(ald_scratch(run, n, 1, sizeof *(*heaps)->rows, &(*heaps)[part].rows));
        ALD_TRY(ald_scratch(run, n, 1, sizeof *(*heaps)->place, &(*heaps)[part].place));
    }
    return ALD_OK;
}

/* Both directions of each edge with its length. */
static ald_status lengths_of(ald_run *run, const ald_graph *graph, ald_laplacian *edges)
{
    ald_graph measured = *graph;
    const int64_t count = graph->pointers[graph->n];
    ALD_TRY(ald_scratch_reals(run, count, 1, &measured.weights));
    for (int64_t e = 0; e < count; e++) measured.weights[e] = sqrt(graph->squares[e]);
    return ald_laplacian_of_graph(run, &measured, ALD_WEIGHTS_GIVEN, 0.0, edges);
}

ald_status ald_graph_paths(ald_run *run, const ald_graph *graph, double *d)
{
    enum { a_round = 256 };
    const int64_t n = graph->n;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_laplacian edges;
    paths p = {.edges = &edges, .d = d, .parts = ald_parts(run, n, 32)};
    ALD_TRY(lengths_of(run, graph, &edges));
    ALD_TRY(new_heaps(run, n, p.parts, &p.heaps));
    for (p.begin = 0; p.begin < n; p.begin = p.end) {
        p.end = n - p.begin < a_round ? n : p.begin + a_round;
        ald_parallel(p.parts, walk_part, &p);
        ALD_TRY(ald_progress(run, "shortest paths", (double)p.end / (double)n));
    }
    ald_arena_release(&run->scratch, mark);
    /* Sums along a path in the two directions differ by rounding. */
    ald_mirror(ald_at(d, n, n));
    return ALD_OK;
}
