/* All rows at a distance < radius: one search counts them, a second one writes them down. The heuristic
 * radius (ln n / n)^(1/d) is that of points spread over the unit cube: rows should be scaled to it. */
#include "math/graph/build.h"
#include "math/graph/nearest.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

ald_status ald_graph_epsilon(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
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
    for (int64_t i = 0; i < points.n; i++) {
        const int64_t at = graph->pointers[i];
        ald_sort_neighbours(graph->pointers[i + 1] - at, graph->neighbours + at, graph->squares + at);
    }
    return ALD_OK;
}
