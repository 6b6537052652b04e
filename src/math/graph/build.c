/* Builds a graph of neighbours by its kind: a table of the kinds, and the two that are a search and
 * nothing else. knn: the nearest neighbours, 1 to n - 1 of them; all pairs are searched, or an index.
 * epsilon: all rows at a distance < radius; one search counts them, a second one writes them down. Its
 * heuristic radius
 *
 *   (ln n / n)^(1/d)
 *
 * is that of points spread over the unit cube: rows should be scaled to it. Cost: that of
 * near/near_pairs.h. */
#include "math/graph/build.h"

#include "base/settings/method.h"
#include "math/graph/nearest.h"

#include <float.h>
#include <math.h>
#include <string.h>

ald_status ald_graph_allocate(ald_run *run, ald_graph *graph)
{
    const int64_t edges = graph->pointers[graph->n];
    ALD_TRY(ald_scratch(run, edges, 1, sizeof *graph->neighbours, &graph->neighbours));
    return ald_scratch_reals(run, edges, 1, &graph->squares);
}

/* The same for k neighbours per row, pointers included. */
static ald_status allocate_even(ald_run *run, int64_t n, int64_t k, ald_graph *graph)
{
    size_t bytes;
    if (!ald_size_product(n, k, sizeof(double), &bytes)) return ald_out_of_memory(run, n, k, sizeof(double));
    graph->n = n;
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *graph->pointers, &graph->pointers));
    for (int64_t i = 0; i <= n; i++) graph->pointers[i] = i * k;
    return ald_graph_allocate(run, graph);
}

static ald_status check_count(ald_run *run, int64_t n, int64_t k)
{
    if (k >= 1 && k < n) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "`n_neighbors` is %lld, but with %lld rows each has only %lld others: choose 1 to %lld",
                    (long long)k, (long long)n, (long long)n - 1, (long long)n - 1);
}

static ald_status knn(ald_run *run, const ald_rows *rows, const ald_graph_options *options, ald_graph *graph)
{
    const int64_t n = rows->which ? rows->count : rows->z->x.rows;
    ALD_TRY(check_count(run, n, options->n_neighbors));
    ALD_TRY(allocate_even(run, n, options->n_neighbors, graph));
    if (options->approximate) return ald_graph_approximate(run, rows, options, graph);
    graph->how = "the nearest neighbours, exact";
    return ald_neighbours_between(run, rows, rows, options->n_neighbors, 1, graph->neighbours,
                                  graph->squares);
}

int64_t ald_graph_place(int64_t n, int64_t *next, int64_t *pointers)
{
    int64_t none = 0;
    pointers[0] = 0;
    for (int64_t i = 0; i < n; i++) {
        none += next[i] == 0;
        pointers[i + 1] = pointers[i] + next[i];
        next[i] = pointers[i];
    }
    return none;
}

typedef struct ball {
    double radius;
    int64_t *next; /* n: neighbours so far, then where the next one goes */
    ald_graph *graph;
} ball;

static double limit(const void *self, int64_t query)
{
    (void)query;
    const double radius = ((const ball *)self)->radius;
    return radius * radius * (1.0 + 8.0 * DBL_EPSILON);
}

static void count(void *self, int64_t query, int64_t reference, double square)
{
    ball *b = self;
    (void)reference;
    if (sqrt(square) < b->radius) b->next[query]++;
}

static void write_down(void *self, int64_t query, int64_t reference, double square)
{
    ball *b = self;
    if (!(sqrt(square) < b->radius)) return;
    const int64_t at = b->next[query]++;
    b->graph->neighbours[at] = reference;
    b->graph->squares[at] = square;
}

double ald_graph_radius(const ald_graph_options *options, int64_t n, int64_t d)
{
    if (options->radius > 0.0) return options->radius;
    return pow(log((double)n) / (double)n, 1.0 / (double)d);
}

static ald_status check_limits(ald_run *run, int64_t n, double radius)
{
    if (n >= 2 && radius > 0.0 && isfinite(radius)) return ALD_OK;
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "neighbours within a radius need two rows and a radius > 0; there are %lld rows and it is %g",
        (long long)n, radius);
}

static ald_status epsilon(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                          ald_graph *graph)
{
    ald_points points;
    ball b = {.graph = graph};
    ald_pair_search search = {&points, &points, 1, limit, count, &b, "counting neighbours"};
    ALD_TRY(ald_points_new(run, rows, &points));
    graph->n = points.n;
    graph->how = "all rows within the radius";
    b.radius = graph->radius = ald_graph_radius(options, points.n, points.d);
    ALD_TRY(check_limits(run, points.n, b.radius));
    ALD_TRY(ald_scratch(run, points.n, 1, sizeof *b.next, &b.next));
    ALD_TRY(ald_scratch(run, points.n + 1, 1, sizeof *graph->pointers, &graph->pointers));
    memset(b.next, 0, (size_t)points.n * sizeof *b.next);
    ALD_TRY(ald_pair_search_run(run, &search));
    graph->isolated = ald_graph_place(points.n, b.next, graph->pointers);
    ALD_TRY(ald_graph_allocate(run, graph));
    search.take = write_down;
    search.stage = "searching neighbours";
    ALD_TRY(ald_pair_search_run(run, &search));
    ald_graph_sort(graph);
    return ALD_OK;
}

ald_status ald_graph_build_rows(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                                ald_graph *graph)
{
    static const ald_graph_fn kinds[] = {
        [ALD_GRAPH_KNN] = knn,
        [ALD_GRAPH_EPSILON] = epsilon,
        [ALD_GRAPH_ENCLOSING] = ald_graph_enclosing,
        [ALD_GRAPH_NATURAL] = ald_graph_natural,
    };
    *graph = (ald_graph){.recall = 1.0};
    return kinds[options->kind](run, rows, options, graph);
}

ald_status ald_graph_build(ald_run *run, const ald_operator *z, const ald_graph_options *options,
                           ald_graph *graph)
{
    const ald_rows all = {.z = z};
    return ald_graph_build_rows(run, &all, options, graph);
}

double ald_graph_seconds(double n, double d)
{
    return 2.2e-6 * n + n * n * (3e-10 + 1e-11 * d);
}
