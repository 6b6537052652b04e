/* Connected parts, by union-find; the edges that would connect them, by Boruvka's algorithm: in a round each
 * part but the largest finds its shortest edge to another, which at least halves their number; and the
 * lengths of shortest paths, by Dijkstra's algorithm from every row with a binary heap,
 *
 *   d(s, j) = min over edges (i, j) of d(s, i) + |z_i - z_j|.
 *
 * Cost: parts O(e), bridges a search for neighbours per round, paths n e log n. Equal edges go to the lower
 * rows; rows of different parts are INFINITY apart. */
#include "math/graph/components.h"

#include "base/threads/threads.h"
#include "math/graph/build.h"
#include "math/graph/laplacian.h"
#include "math/graph/nearest.h"
#include "math/linalg/view.h"

#include <math.h>
#include <string.h>

/* Union-find: the root of a part is its first row. */
static int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Whether they were apart. */
static int unite(int64_t *parent, int64_t i, int64_t j)
{
    const int64_t a = root_of(parent, i), b = root_of(parent, j);
    if (a < b) parent[b] = a;
    if (b < a) parent[a] = b;
    return a != b;
}

/* Numbers the parts by their first row. */
static int64_t number_parts(int64_t n, int64_t *parent, int64_t *component)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t root = root_of(parent, i);
        component[i] = root == i ? count++ : component[root];
    }
    return count;
}

static ald_status find_parts(ald_run *run, const ald_graph *graph, int64_t **parent)
{
    ALD_TRY(ald_scratch(run, graph->n, 1, sizeof **parent, parent));
    for (int64_t i = 0; i < graph->n; i++) (*parent)[i] = i;
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->pointers[i]; e < graph->pointers[i + 1]; e++)
            unite(*parent, i, graph->neighbours[e]);
    return ALD_OK;
}

ald_status ald_graph_components(ald_run *run, const ald_graph *graph, int64_t *component, int64_t *count)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    int64_t *parent;
    ALD_TRY(find_parts(run, graph, &parent));
    *count = number_parts(graph->n, parent, component);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

static int shorter(const ald_edge *a, const ald_edge *b)
{
    if (a->square != b->square) return a->square < b->square;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

/* The shortest edge out of one part: its rows are the queries, all others the references. */
static ald_status shortest_out(ald_run *run, const ald_operator *z, const int64_t *component, int64_t part,
                               ald_edge *best)
{
    const int64_t n = z->x.rows;
    int64_t *inside, *outside, *nearest;
    int64_t in = 0, out = 0;
    double *squares;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *inside, &inside));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *outside, &outside));
    for (int64_t i = 0; i < n; i++) *(component[i] == part ? &inside[in++] : &outside[out++]) = i;
    ALD_TRY(ald_scratch(run, in, 1, sizeof *nearest, &nearest));
    ALD_TRY(ald_scratch_reals(run, in, 1, &squares));
    const ald_rows queries = {z, inside, in}, references = {z, outside, out};
    ALD_TRY(ald_neighbours_between(run, &queries, &references, 1, 0, nearest, squares));
    for (int64_t i = 0; i < in; i++) {
        const int64_t a = inside[i], b = outside[nearest[i]];
        const ald_edge edge = {a < b ? a : b, a < b ? b : a, squares[i]};
        if (i == 0 || shorter(&edge, best)) *best = edge;
    }
    return ALD_OK;
}

/* The part that need not search: the others find it. */
static int64_t largest_part(int64_t n, int64_t count, const int64_t *component, int64_t *sizes)
{
    int64_t largest = 0;
    memset(sizes, 0, (size_t)count * sizeof *sizes);
    for (int64_t i = 0; i < n; i++) sizes[component[i]]++;
    for (int64_t part = 1; part < count; part++)
        if (sizes[part] > sizes[largest]) largest = part;
    return largest;
}

/* The parts of a round, and the edges that join them. */
typedef struct forest {
    int64_t parts;
    int64_t *component, *parent; /* a row: its part; union-find */
    int64_t *sizes;              /* a part: its rows */
    ald_edge *edges;
    int64_t count; /* of edges */
} forest;

/* One round of Boruvka's: an edge out of each part but the largest. */
static ald_status add_round(ald_run *run, const ald_operator *z, forest *f)
{
    const int64_t largest = largest_part(z->x.rows, f->parts, f->component, f->sizes);
    for (int64_t part = 0; part < f->parts; part++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ald_edge edge = {0};
        if (part == largest) continue;
        ALD_TRY(shortest_out(run, z, f->component, part, &edge));
        ald_arena_release(&run->scratch, mark);
        if (unite(f->parent, edge.from, edge.to)) f->edges[f->count++] = edge;
        ALD_TRY(ald_progress(run, "connecting the graph", (double)(part + 1) / (double)f->parts));
    }
    return ALD_OK;
}

ald_status ald_graph_bridges(ald_run *run, const ald_operator *z, const ald_graph *graph, ald_edge **edges,
                             int64_t *count)
{
    const int64_t n = graph->n;
    forest f = {0};
    ALD_TRY(find_parts(run, graph, &f.parent));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *f.component, &f.component));
    f.parts = number_parts(n, f.parent, f.component);
    ALD_TRY(ald_scratch(run, f.parts, 1, sizeof *f.edges, &f.edges));
    ALD_TRY(ald_scratch(run, f.parts, 1, sizeof *f.sizes, &f.sizes));
    for (; f.parts > 1; f.parts = number_parts(n, f.parent, f.component)) ALD_TRY(add_round(run, z, &f));
    *edges = f.edges;
    *count = f.count;
    return ALD_OK;
}

/* The edges of `old` and the bridges, rows sorted again. */
static void join(const ald_graph *old, const ald_edge *edges, int64_t count, int64_t *next, ald_graph *graph)
{
    for (int64_t i = 0; i < old->n; i++)
        for (int64_t e = old->pointers[i]; e < old->pointers[i + 1]; e++) {
            graph->neighbours[next[i]] = old->neighbours[e];
            graph->squares[next[i]++] = old->squares[e];
        }
    for (int64_t b = 0; b < count; b++)
        for (int way = 0; way < 2; way++) {
            const int64_t from = way ? edges[b].to : edges[b].from;
            graph->neighbours[next[from]] = way ? edges[b].from : edges[b].to;
            graph->squares[next[from]++] = edges[b].square;
        }
    ald_graph_sort(graph);
}

ald_status ald_graph_connect(ald_run *run, const ald_operator *z, ald_graph *graph, int64_t *added)
{
    const ald_graph old = *graph;
    ald_edge *edges;
    int64_t *next;
    if (!graph->squares || graph->weights)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a given graph is used unchanged: add the missing edges to its file");
    ALD_TRY(ald_graph_bridges(run, z, graph, &edges, added));
    if (*added == 0) return ALD_OK;
    ALD_TRY(ald_scratch(run, graph->n, 1, sizeof *next, &next));
    ALD_TRY(ald_scratch(run, graph->n + 1, 1, sizeof *graph->pointers, &graph->pointers));
    for (int64_t i = 0; i < graph->n; i++) next[i] = old.pointers[i + 1] - old.pointers[i];
    for (int64_t b = 0; b < *added; b++) {
        next[edges[b].from]++;
        next[edges[b].to]++;
    }
    graph->isolated = ald_graph_place(graph->n, next, graph->pointers);
    ALD_TRY(ald_graph_allocate(run, graph));
    join(&old, edges, *added, next, graph);
    return ALD_OK;
}

/* Shortest paths along a graph. */

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
