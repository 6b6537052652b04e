/* Shortest paths against Floyd's algorithm, on one thread and on several. */
#include "support/support.h"

#include "math/graph/components.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 130, d = 3 };

/* By Floyd, edges in both directions. */
static void floyd(const ald_graph *g, double *want)
{
    for (int i = 0; i < n * n; i++) want[i] = i % (n + 1) == 0 ? 0.0 : INFINITY;
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = g->pointers[i]; e < g->pointers[i + 1]; e++) {
            const int64_t j = g->neighbours[e];
            want[i * n + j] = want[j * n + i] = sqrt(g->squares[e]);
        }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                want[i * n + j] = fmin(want[i * n + j], want[i * n + k] + want[k * n + j]);
}

/* Two heaps too far apart to be neighbours: some paths do not exist. Repeated rows: some have no length. */
static void paths_are_shortest(void **state)
{
    (void)state;
    static double got[n * n], want[n * n], first[n * n];
    double *x = support_normals(3, n * d);
    for (int i = n / 2; i < n; i++) x[i * d] += 100.0;
    memcpy(x + d, x, d * sizeof *x);
    const ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    for (int threads = 1; threads <= 3; threads++) {
        ald_context *context = support_context(threads, NULL);
        ald_run run;
        ald_error error;
        ald_graph graph;
        const ald_graph_options options = {.kind = ALD_GRAPH_KNN, .n_neighbors = 4};
        support_run(&run, context, &error);
        assert_done(ald_graph_build(&run, &z, &options, &graph), error);
        assert_done(ald_graph_paths(&run, &graph, got), error);
        floyd(&graph, want);
        if (threads == 1) memcpy(first, got, sizeof got);
        assert_memory_equal(got, first, sizeof got);
        for (int i = 0; i < n * n; i++) {
            assert_int_equal(isinf(got[i]), isinf(want[i]));
            if (!isinf(want[i])) assert_close(got[i], want[i], 1e-13 * (1.0 + want[i]));
        }
        assert_true(isinf(got[n - 1]));
        assert_true(got[1] == 0.0);
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_are_shortest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
