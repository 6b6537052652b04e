#include "math/graph/components.h"

#include "math/graph/build.h"
#include "math/graph/nearest.h"

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

/* One round of Boruvka's: an edge out of each part but the largest. */
static ald_status add_round(ald_run *run, const ald_operator *z, const int64_t *component, int64_t parts,
                            int64_t *parent, int64_t *sizes, ald_edge *edges, int64_t *count)
{
    const int64_t largest = largest_part(z->x.rows, parts, component, sizes);
    for (int64_t part = 0; part < parts; part++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ald_edge edge = {0};
        if (part == largest) continue;
        ALD_TRY(shortest_out(run, z, component, part, &edge));
        ald_arena_release(&run->scratch, mark);
        if (unite(parent, edge.from, edge.to)) edges[(*count)++] = edge;
        ALD_TRY(ald_progress(run, "connecting the graph", (double)(part + 1) / (double)parts));
    }
    return ALD_OK;
}

ald_status ald_graph_bridges(ald_run *run, const ald_operator *z, const ald_graph *graph, ald_edge **edges,
                             int64_t *count)
{
    const int64_t n = graph->n;
    int64_t *parent, *component, *sizes;
    ALD_TRY(find_parts(run, graph, &parent));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *component, &component));
    int64_t parts = number_parts(n, parent, component);
    ALD_TRY(ald_scratch(run, parts, 1, sizeof **edges, edges));
    ALD_TRY(ald_scratch(run, parts, 1, sizeof *sizes, &sizes));
    for (*count = 0; parts > 1; parts = number_parts(n, parent, component))
        ALD_TRY(add_round(run, z, component, parts, parent, sizes, *edges, count));
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
    for (int64_t i = 0; i < graph->n; i++) {
        const int64_t at = graph->pointers[i];
        ald_sort_neighbours(graph->pointers[i + 1] - at, graph->neighbours + at, graph->squares + at);
    }
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
