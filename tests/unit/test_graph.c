/* Neighbourhoods against plain loops over all pairs: every storage, shapes that do not fill blocks, ties, duplicates,
 * large offsets, heaps far apart, row and column scaling. */
#include "support/storages.h"
#include "support/support.h"

#include "graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    double square;
    int64_t index;
} pair;

static int by_distance(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->square != q->square) return p->square < q->square ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/* All others of row i of x (n x d), by distance. */
static void rank_others(const double *x, const double *scale, int64_t n, int64_t d, int64_t i, pair *others)
{
    int64_t count = 0;
    for (int64_t j = 0; j < n; j++) {
        double square = 0.0;
        for (int64_t c = 0; c < d; c++) {
            const double difference = (x[i * d + c] - x[j * d + c]) * (scale ? scale[c] : 1.0);
            square += difference * difference;
        }
        if (j != i) others[count++] = (pair){square, j};
    }
    qsort(others, (size_t)count, sizeof *others, by_distance);
}

/* The graph of Z must be that of the rows of x under the scale: exactly, ties included. */
static void check_knn(const char *name, const ald_operator *z, const double *x, int64_t n, int64_t d, int64_t k,
                      int threads, double tolerance)
{
    ald_context *context = support_context(threads, NULL);
    ald_run run;
    ald_error error;
    ald_graph graph;
    pair *others = malloc((size_t)n * sizeof *others);
    support_run(&run, context, &error);
    const ald_graph_options options = {.kind = ALD_GRAPH_KNN, .n_neighbors = k};
    assert_done(ald_graph_build(&run, z, &options, &graph), error);
    assert_int_equal(graph.n, n);
    for (int64_t i = 0; i < n; i++) {
        rank_others(x, z->inverse_scale, n, d, i, others);
        assert_int_equal(graph.pointers[i + 1] - graph.pointers[i], k);
        for (int64_t c = 0; c < k; c++) {
            const int64_t at = graph.pointers[i] + c;
            assert_close(graph.squares[at], others[c].square, tolerance * others[c].square);
            if (tolerance == 0.0 && graph.neighbours[at] != others[c].index)
                fail_msg("%s, n %d, d %d: neighbour %d of %d is %d, not %d", name, (int)n, (int)d, (int)c, (int)i,
                         (int)graph.neighbours[at], (int)others[c].index);
        }
    }
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(others);
}

static void as_floats(double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++) x[i] = (double)(float)x[i];
}

static void every_storage_and_shape(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{2, 1, 1},   {3, 1, 2},      {17, 3, 5},  {130, 7, 129},
                                        {700, 2, 4}, {1300, 33, 10}, {40, 300, 6}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const int64_t n = shapes[s][0], d = shapes[s][1], k = shapes[s][2];
        double *x = support_normals(s, n * d);
        as_floats(x, n * d);
        for (int64_t i = 0; i < n * d; i++)
            if (x[i] < -0.5) x[i] = 0.0;
        for (int which = 0; which < support_storage_count; which++) {
            support_matrix m = support_storage(which, x, n, d);
            const ald_operator z = {.x = m.view};
            check_knn(m.name, &z, x, n, d, k, 1 + which % 2, 0.0);
            support_storage_free(&m);
        }
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_storage_and_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
