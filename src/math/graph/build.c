#include "math/graph/build.h"

#include "base/settings/method.h"

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

ald_status ald_graph_build_rows(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                                ald_graph *graph)
{
    static const ald_graph_fn kinds[] = {
        [ALD_GRAPH_KNN] = knn,
        [ALD_GRAPH_EPSILON] = ald_graph_epsilon,
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
