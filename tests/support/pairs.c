#include "support/pairs.h"

#include "support/support.h"

#include <stdlib.h>

static int by_distance(const void *a, const void *b)
{
    const support_pair *p = a, *q = b;
    if (p->square != q->square) return p->square < q->square ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static double square_of(const double *x, const double *scale, int64_t d, int64_t i, int64_t j)
{
    double square = 0.0;
    for (int64_t c = 0; c < d; c++) {
        const double difference = (x[i * d + c] - x[j * d + c]) * (scale ? scale[c] : 1.0);
        square += difference * difference;
    }
    return square;
}

void support_rank_others(const double *x, const double *scale, int64_t n, int64_t d, int64_t i,
                         support_pair *others)
{
    int64_t count = 0;
    for (int64_t j = 0; j < n; j++)
        if (j != i) others[count++] = (support_pair){square_of(x, scale, d, i, j), j};
    qsort(others, (size_t)count, sizeof *others, by_distance);
}

void support_check_graph(const ald_graph *graph, const double *x, const double *scale, int64_t d)
{
    int64_t isolated = 0;
    assert_int_equal(graph->pointers[0], 0);
    for (int64_t i = 0; i < graph->n; i++) {
        isolated += graph->pointers[i] == graph->pointers[i + 1];
        for (int64_t e = graph->pointers[i]; e < graph->pointers[i + 1]; e++) {
            const int64_t j = graph->neighbours[e];
            assert_in_range(j, 0, graph->n - 1);
            assert_true(j != i);
            assert_true(graph->squares[e] == square_of(x, scale, d, i, j));
            if (e > graph->pointers[i])
                assert_true(graph->squares[e - 1] < graph->squares[e] ||
                            (graph->squares[e - 1] == graph->squares[e] && graph->neighbours[e - 1] < j));
        }
    }
    assert_int_equal(graph->isolated, isolated);
}

int support_joined(const ald_graph *graph, int64_t i, int64_t j)
{
    for (int64_t e = graph->pointers[i]; e < graph->pointers[i + 1]; e++)
        if (graph->neighbours[e] == j) return 1;
    return 0;
}
