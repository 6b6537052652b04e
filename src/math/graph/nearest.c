/* The k nearest references of each query. A query keeps a heap of (squared distance, index) with the
 * farthest on top: a reference that is nearer takes its place and sinks, log k steps; at the end the heap
 * is sorted. Ties are ordered by index, so that the outcome does not depend on the order of the
 * references. */
#include "math/graph/nearest.h"

#include <math.h>
#include <string.h>

/* Whether (square, index) comes after (other, other_index). */
static int after(double square, int64_t index, double other, int64_t other_index)
{
    return square > other || (square == other && index > other_index);
}

/* Lets the pair sink from `at` of a heap of `count` to its place. */
static void sink(int64_t count, int64_t at, int64_t index, double square, int64_t *indices, double *squares)
{
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count &&
            after(squares[child + 1], indices[child + 1], squares[child], indices[child]))
            child++;
        if (!after(squares[child], indices[child], square, index)) break;
        squares[at] = squares[child];
        indices[at] = indices[child];
        at = child;
    }
    squares[at] = square;
    indices[at] = index;
}

static void rise(int64_t at, int64_t index, double square, int64_t *indices, double *squares)
{
    for (int64_t parent = (at - 1) / 2; at > 0 && after(square, index, squares[parent], indices[parent]);
         parent = (at - 1) / 2) {
        squares[at] = squares[parent];
        indices[at] = indices[parent];
        at = parent;
    }
    squares[at] = square;
    indices[at] = index;
}

/* The farthest goes to the end, then the next. */
static void unheap(int64_t count, int64_t *indices, double *squares)
{
    for (int64_t end = count - 1; end > 0; end--) {
        const int64_t index = indices[end];
        const double square = squares[end];
        indices[end] = indices[0];
        squares[end] = squares[0];
        sink(end, 0, index, square, indices, squares);
    }
}

void ald_sort_neighbours(int64_t count, int64_t *neighbours, double *squares)
{
    for (int64_t at = count / 2 - 1; at >= 0; at--)
        sink(count, at, neighbours[at], squares[at], neighbours, squares);
    unheap(count, neighbours, squares);
}

void ald_graph_sort(const ald_graph *graph)
{
    for (int64_t i = 0; i < graph->n; i++) {
        const int64_t at = graph->pointers[i];
        ald_sort_neighbours(graph->pointers[i + 1] - at, graph->neighbours + at, graph->squares + at);
    }
}

static double limit(const void *self, int64_t query)
{
    const ald_nearest *n = self;
    return n->counts[query] < n->k ? INFINITY : n->squares[query * n->k];
}

static void take(void *self, int64_t query, int64_t reference, double square)
{
    ald_nearest *n = self;
    int64_t *indices = n->neighbours + query * n->k;
    double *squares = n->squares + query * n->k;
    reference += n->first;
    if (n->own >= 0 && n->own + query == reference) return;
    if (n->counts[query] < n->k)
        rise(n->counts[query]++, reference, square, indices, squares);
    else if (after(squares[0], indices[0], square, reference))
        sink(n->k, 0, reference, square, indices, squares);
}

ald_status ald_nearest_begin(ald_run *run, int64_t n, int64_t k, ald_nearest *nearest)
{
    *nearest = (ald_nearest){.k = k, .own = -1};
    ALD_TRY(ald_scratch(run, n, k, sizeof *nearest->neighbours, &nearest->neighbours));
    ALD_TRY(ald_scratch_reals(run, n, k, &nearest->squares));
    ALD_TRY(ald_scratch_clear(run, n, 1, sizeof *nearest->counts, &nearest->counts));
    return ALD_OK;
}

ald_status ald_nearest_look(ald_run *run, const ald_points *queries, const ald_points *references,
                            int skip_same, ald_nearest *nearest)
{
    const ald_pair_search search = {
        queries, references, skip_same, limit, take, nearest, "searching neighbours",
    };
    return ald_pair_search_run(run, &search);
}

void ald_nearest_end(int64_t n, ald_nearest *nearest)
{
    const int64_t k = nearest->k;
    for (int64_t i = 0; i < n; i++)
        unheap(nearest->counts[i], nearest->neighbours + i * k, nearest->squares + i * k);
}

ald_status ald_nearest_search(ald_run *run, const ald_points *queries, const ald_points *references,
                              int64_t k, int skip_same, int64_t *neighbours, double *squares)
{
    ald_nearest nearest = {.k = k, .neighbours = neighbours, .squares = squares, .own = -1};
    if (k == 0) return ALD_OK;
    ALD_TRY(ald_scratch_clear(run, queries->n, 1, sizeof *nearest.counts, &nearest.counts));
    ALD_TRY(ald_nearest_look(run, queries, references, skip_same, &nearest));
    ald_nearest_end(queries->n, &nearest);
    return ALD_OK;
}

static int64_t count_of(const ald_rows *rows)
{
    return rows->which ? rows->count : rows->z->x.rows;
}

static ald_status between(ald_run *run, const ald_rows *queries, const ald_rows *references, int64_t k,
                          int skip_same, int64_t *neighbours, double *squares)
{
    ald_points q, r;
    if (queries->z == references->z && queries->which == references->which) {
        ALD_TRY(ald_points_new(run, queries, &q));
        return ald_nearest_search(run, &q, &q, k, skip_same, neighbours, squares);
    }
    ALD_TRY(ald_points_new(run, references, &r));
    ALD_TRY(ald_points_new(run, queries, &q));
    ALD_TRY(ald_points_join(run, &r, &q));
    return ald_nearest_search(run, &q, &r, k, skip_same, neighbours, squares);
}

ald_status ald_neighbours_between(ald_run *run, const ald_rows *queries, const ald_rows *references,
                                  int64_t k, int skip_same, int64_t *neighbours, double *squares)
{
    const int64_t there = count_of(references) - (skip_same ? 1 : 0);
    if (k < 0 || k > there)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "%lld neighbours were requested, but there are only %lld rows to choose from%s",
                        (long long)k, (long long)there, skip_same ? " (a row is not its own neighbour)" : "");
    const uint64_t mark = ald_arena_mark(&run->scratch);
    int done;
    ald_status status =
        ald_nearest_on_card(run, queries, references, k, skip_same, neighbours, squares, &done);
    if (status >= 0 && !done) status = between(run, queries, references, k, skip_same, neighbours, squares);
    ald_arena_release(&run->scratch, mark);
    return status;
}
