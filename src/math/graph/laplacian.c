#include "math/graph/laplacian.h"

#include "base/threads/threads.h"
#include "math/graph/all_pairs.h"
#include "math/graph/build.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

/* The mean of d^2 over the directed edges; 1 where all are 0, for which any width gives weights of 1. */
static double mean_square(const ald_graph *graph)
{
    double sum = 0.0;
    const int64_t edges = graph->pointers[graph->n];
    for (int64_t e = 0; e < edges; e++) sum += graph->squares[e];
    return sum > 0.0 ? sum / (double)edges : 1.0;
}

static double weight_of(const ald_graph *graph, ald_weights weights, double width, int64_t e)
{
    if (weights == ALD_WEIGHTS_HEAT) return exp(-graph->squares[e] / width);
    return weights == ALD_WEIGHTS_GIVEN && graph->weights ? graph->weights[e] : 1.0;
}

/* Both directions of each edge in rows: those of i itself and those in which it is the neighbour. Rows come
 * in rising order of the other end only for the second kind, so all are sorted afterwards. */
static void write_both(const ald_graph *graph, ald_weights weights, double width, int64_t *next,
                       ald_laplacian *l)
{
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->pointers[i]; e < graph->pointers[i + 1]; e++) {
            const int64_t j = graph->neighbours[e], here = next[i]++, there = next[j]++;
            l->neighbours[here] = j;
            l->neighbours[there] = i;
            l->weights[here] = l->weights[there] = weight_of(graph, weights, width, e);
        }
}

/* One edge of each pair, the heavier; the rows are moved together. */
static void merge_rows(ald_laplacian *l)
{
    int64_t to = 0, from = 0;
    for (int64_t i = 0; i < l->n; i++) {
        const int64_t end = l->pointers[i + 1], begin = to;
        for (; from < end; from++) {
            if (to > begin && l->neighbours[to - 1] == l->neighbours[from]) {
                l->weights[to - 1] = fmax(l->weights[to - 1], l->weights[from]);
                continue;
            }
            l->neighbours[to] = l->neighbours[from];
            l->weights[to++] = l->weights[from];
        }
        l->pointers[i] = begin;
        l->degree[i] = 0.0;
        for (int64_t e = begin; e < to; e++) l->degree[i] += l->weights[e];
    }
    l->pointers[l->n] = to;
}

/* By index; heavier ones first plays no part, since equal ends are merged. */
static void sort_row(int64_t count, int64_t *indices, double *weights)
{
    for (int64_t gap = count / 2; gap > 0; gap /= 2)
        for (int64_t i = gap; i < count; i++) {
            const int64_t index = indices[i];
            const double weight = weights[i];
            int64_t at = i;
            for (; at >= gap && indices[at - gap] > index; at -= gap) {
                indices[at] = indices[at - gap];
                weights[at] = weights[at - gap];
            }
            indices[at] = index;
            weights[at] = weight;
        }
}

static void count_both(const ald_graph *graph, int64_t *counts)
{
    memset(counts, 0, (size_t)graph->n * sizeof *counts);
    for (int64_t i = 0; i < graph->n; i++)
        for (int64_t e = graph->pointers[i]; e < graph->pointers[i + 1]; e++) {
            counts[i]++;
            counts[graph->neighbours[e]]++;
        }
}

ald_status ald_laplacian_of_graph(ald_run *run, const ald_graph *graph, ald_weights weights, double width,
                                  ald_laplacian *laplacian)
{
    const int64_t n = graph->n, edges = graph->pointers[n];
    int64_t *next;
    *laplacian = (ald_laplacian){.n = n};
    if (weights == ALD_WEIGHTS_HEAT && !graph->squares)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "heat-kernel weights need the distances of neighbours, which a given graph does not have");
    if (weights == ALD_WEIGHTS_HEAT) laplacian->width = width > 0.0 ? width : mean_square(graph);
    ALD_TRY(ald_scratch_reals(run, n, 1, &laplacian->degree));
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *laplacian->pointers, &laplacian->pointers));
    ALD_TRY(ald_scratch(run, edges, 2, sizeof *laplacian->neighbours, &laplacian->neighbours));
    ALD_TRY(ald_scratch_reals(run, edges, 2, &laplacian->weights));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *next, &next));
    count_both(graph, next);
    ald_graph_place(n, next, laplacian->pointers);
    write_both(graph, weights, laplacian->width, next, laplacian);
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = laplacian->pointers[i];
        sort_row(laplacian->pointers[i + 1] - at, laplacian->neighbours + at, laplacian->weights + at);
    }
    merge_rows(laplacian);
    return ALD_OK;
}

typedef struct product {
    const ald_laplacian *l;
    const double *v;
    double *out;
    int64_t k;
    int parts;
} product;

static void weigh_part(void *work, int part)
{
    const product *p = work;
    const ald_laplacian *l = p->l;
    const int64_t k = p->k, end = ald_part_begin(l->n, p->parts, part + 1);
    for (int64_t i = ald_part_begin(l->n, p->parts, part); i < end; i++) {
        double *out = p->out + i * k;
        memset(out, 0, (size_t)k * sizeof *out);
        for (int64_t e = l->pointers[i]; e < l->pointers[i + 1]; e++) {
            const double *v = p->v + l->neighbours[e] * k;
            ald_add_times(k, l->weights[e], v, out);
        }
    }
}

ald_status ald_laplacian_weigh(ald_run *run, const ald_laplacian *laplacian, const double *v, int64_t k,
                               double *out)
{
    if (!laplacian->pointers) return ald_all_pairs_weigh(run, laplacian->points, laplacian->width, v, k, out);
    product p = {laplacian, v, out, k, ald_parts(run, laplacian->n, 1024)};
    ald_parallel(p.parts, weigh_part, &p);
    return ALD_OK;
}

ald_status ald_laplacian_apply(ald_run *run, const ald_laplacian *laplacian, const double *v, int64_t k,
                               double *out)
{
    ALD_TRY(ald_laplacian_weigh(run, laplacian, v, k, out));
    for (int64_t i = 0; i < laplacian->n; i++)
        for (int64_t c = 0; c < k; c++) out[i * k + c] = laplacian->degree[i] * v[i * k + c] - out[i * k + c];
    return ALD_OK;
}

static double inverse_root(double degree)
{
    return degree > 0.0 ? 1.0 / sqrt(degree) : 0.0;
}

ald_status ald_laplacian_apply_normalised(ald_run *run, const ald_laplacian *laplacian, const double *v,
                                          int64_t k, double *out)
{
    const int64_t n = laplacian->n;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *scaled;
    ALD_TRY(ald_scratch_reals(run, n, k, &scaled));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k; c++) scaled[i * k + c] = inverse_root(laplacian->degree[i]) * v[i * k + c];
    const ald_status status = ald_laplacian_weigh(run, laplacian, scaled, k, out);
    ald_arena_release(&run->scratch, mark);
    for (int64_t i = 0; i < n && status >= 0; i++) {
        const double root = inverse_root(laplacian->degree[i]);
        for (int64_t c = 0; c < k; c++)
            out[i * k + c] = (root > 0.0 ? v[i * k + c] : 0.0) - root * out[i * k + c];
    }
    return status;
}
