/* Graph Laplacians, and their products with few columns:
 *
 *   L v = D v - W v,    (I - D^(-1/2) W D^(-1/2)) v,    D = diag(W 1).
 *
 * W of a graph is stored by rows: 2 e k operations for e edges in both directions. W of all pairs is made in
 * blocks from |a|^2 + |b|^2 - 2 a'b of centred rows (sparse: from exact distances), multiplied by v and
 * forgotten: n^2 (d + k) operations. What the products lose is of the order of 1e-16 |a|^2 / width, relative
 * to the weight. A row without a neighbour has the degree 0 and a zero row in the normalised product. */
#include "math/graph/laplacian.h"

#include "base/numbers/random.h"
#include "base/numbers/select.h"
#include "base/settings/limits.h"
#include "base/threads/threads.h"
#include "math/graph/graph.h"
#include "math/graph/pairs.h"
#include "math/linalg/linalg.h"
#include "math/linalg/vector.h"

#include <math.h>
#include <string.h>

/* Where blocks begin depends on n alone, so that products do not depend on the number of threads: few rows
 * have smaller blocks, enough of them for all threads. */
enum { block_rows = 128, few_rows = 32, few = 64 * few_rows };

typedef struct memory {
    double *raw;             /* block_rows x d */
    double *first, *second;  /* block_rows x d: two blocks of centred rows */
    double *squares, *other; /* block_rows: their squared lengths */
    double *weights;         /* block_rows x block_rows */
} memory;

typedef struct weighing {
    ald_run *run;
    const ald_laplacian *of;
    const ald_points *points;
    const double *v;
    int64_t k;
    double *out;
    int64_t begin, end; /* rows of the round */
    int64_t step;       /* rows of a block */
    memory *memory;
    int parts;
    ald_status status[ALD_MOST_PARTS];
} weighing;

static void centre_rows(const weighing *w, int64_t i0, int64_t count, double *raw, double *rows,
                        double *squares)
{
    const ald_points *p = w->points;
    int64_t stride;
    const double *from = ald_points_rows(p, i0, count, raw, &stride);
    for (int64_t i = 0; i < count; i++) {
        squares[i] = 0.0;
        for (int64_t j = 0; j < p->d; j++) {
            const double entry = (from[i * stride + j] - p->centre[j]) * (p->scale ? p->scale[j] : 1.0);
            rows[i * p->d + j] = entry;
            squares[i] += entry * entry;
        }
    }
}

static ald_status dense_squares(const weighing *w, const memory *m, int64_t i, int64_t rows, int64_t j,
                                int64_t cols)
{
    const int64_t d = w->points->d;
    centre_rows(w, j, cols, m->raw, m->second, m->other);
    ALD_TRY(ald_product_add(w->run, -2.0, ald_of(m->first, rows, d), ald_t(ald_of(m->second, cols, d)), 0.0,
                            ald_at(m->weights, rows, cols)));
    for (int64_t a = 0; a < rows; a++)
        for (int64_t b = 0; b < cols; b++) {
            const double square = m->squares[a] + m->other[b] + m->weights[a * cols + b];
            m->weights[a * cols + b] = i + a == j + b ? 0.0 : fmax(square, 0.0);
        }
    return ALD_OK;
}

static double square_between(const ald_points *p, int64_t i, int64_t j, double *rows)
{
    int64_t stride;
    if (p->sparse) return ald_square_sparse(p, i, p, j);
    const double *a = ald_points_rows(p, i, 1, rows, &stride);
    return ald_square_dense(p->d, p->scale, a, ald_points_rows(p, j, 1, rows + p->d, &stride));
}

/* W_ij by the scales; products of rows do not tell whether two rows are equal. `rows` is for two of them. */
static double scaled_weight(const ald_laplacian *l, int64_t i, int64_t j, double square, double *rows)
{
    const double width = l->scale[i] * l->scale[j], both = l->factor ? l->factor[i] * l->factor[j] : 1.0;
    if (width > 0.0) return both * exp(-square / width);
    return i == j || !(square_between(l->points, i, j, rows) > 0.0) ? both : 0.0;
}

static ald_status weigh_block(const weighing *w, const memory *m, int64_t i, int64_t rows, int64_t j,
                              int64_t cols)
{
    const ald_points *p = w->points;
    if (p->sparse)
        for (int64_t a = 0; a < rows; a++)
            for (int64_t b = 0; b < cols; b++)
                m->weights[a * cols + b] = ald_square_sparse(p, i + a, p, j + b);
    else
        ALD_TRY(dense_squares(w, m, i, rows, j, cols));
    for (int64_t a = 0; a < rows; a++) {
        double *weight = m->weights + a * cols;
        for (int64_t b = 0; b < cols; b++)
            weight[b] = w->of->scale ? scaled_weight(w->of, i + a, j + b, weight[b], m->raw)
                                     : exp(-weight[b] / w->of->width);
    }
    return ald_product_add(w->run, 1.0, ald_of(m->weights, rows, cols), ald_of(w->v + j * w->k, cols, w->k),
                           j ? 1.0 : 0.0, ald_at(w->out + i * w->k, rows, w->k));
}

static void weigh_blocks(void *work, int part)
{
    weighing *w = work;
    const memory *m = &w->memory[part];
    const int64_t n = w->points->n, begin = w->begin + part * w->step, left = w->end - begin;
    const int64_t rows = left < w->step ? left : w->step;
    if (!w->points->sparse && rows > 0) centre_rows(w, begin, rows, m->raw, m->first, m->squares);
    for (int64_t j = 0; j < n && rows > 0 && w->status[part] >= 0; j += block_rows)
        w->status[part] = weigh_block(w, m, begin, rows, j, n - j < block_rows ? n - j : block_rows);
}

static ald_status new_memory(ald_run *run, const ald_points *points, int parts, memory **memories)
{
    const int64_t d = points->sparse ? 0 : points->d;
    ALD_TRY(ald_scratch(run, parts, 1, sizeof **memories, memories));
    for (int part = 0; part < parts; part++) {
        memory *m = *memories + part;
        ALD_TRY(ALD_SCRATCH(run, {&m->raw, block_rows, d}, {&m->first, block_rows, d},
                            {&m->second, block_rows, d}, {&m->squares, block_rows, 1},
                            {&m->other, block_rows, 1}, {&m->weights, block_rows, block_rows}));
    }
    return ALD_OK;
}

static ald_status weigh_rounds(weighing *w)
{
    const int64_t n = w->points->n;
    w->step = n <= few ? few_rows : block_rows;
    ALD_TRY(new_memory(w->run, w->points, w->parts, &w->memory));
    for (w->begin = 0; w->begin < n; w->begin = w->end) {
        w->end = n - w->begin < w->step * w->parts ? n : w->begin + w->step * w->parts;
        ald_parallel(w->parts, weigh_blocks, w);
        for (int part = 0; part < w->parts; part++) ALD_TRY(w->status[part]);
        ALD_TRY(ald_progress(w->run, "weighing all pairs", (double)w->end / (double)n));
    }
    return ALD_OK;
}

static ald_status weigh_all(ald_run *run, const ald_laplacian *l, const double *v, int64_t k, double *out)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    weighing w = {.run = run, .of = l, .points = l->points, .v = v, .k = k, .out = out};
    w.parts = ald_parts(run, l->n, 32);
    const ald_status status = weigh_rounds(&w);
    ald_arena_release(&run->scratch, mark);
    return status;
}

/* The median of d^2 over i < j, of 2000 points drawn with `seed` when there are more. */
static ald_status find_median(ald_run *run, const ald_points *points, uint64_t seed, double *median)
{
    const int64_t n = points->n, used = n < ALD_MEDIAN_ROWS ? n : ALD_MEDIAN_ROWS;
    int64_t *order;
    int64_t count = 0;
    double *squares, *rows;
    ald_random random;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *order, &order));
    ALD_TRY(ALD_SCRATCH(run, {&squares, used, (used + 1) / 2}, {&rows, 2, points->d}));
    ald_random_seed(&random, seed, 0);
    if (n > ALD_MEDIAN_ROWS)
        ald_random_permutation(&random, n, order);
    else
        for (int64_t i = 0; i < n; i++) order[i] = i;
    for (int64_t i = 0; i < used; i++) {
        for (int64_t j = i + 1; j < used; j++)
            squares[count++] = square_between(points, order[i], order[j], rows);
        ALD_TRY(ald_progress(run, "measuring pairs", (double)(i + 1) / (double)used));
    }
    *median = ald_median(count, squares);
    return ALD_OK;
}

/* The degrees of all pairs. */
static ald_status sum_weights(ald_run *run, ald_laplacian *laplacian)
{
    double *ones;
    ALD_TRY(ALD_SCRATCH(run, {&laplacian->degree, laplacian->n, 1}, {&ones, laplacian->n, 1}));
    for (int64_t i = 0; i < laplacian->n; i++) ones[i] = 1.0;
    return weigh_all(run, laplacian, ones, 1, laplacian->degree);
}

ald_status ald_laplacian_of_scaled(ald_run *run, const ald_rows *rows, const double *scale,
                                   const double *factor, ald_laplacian *laplacian)
{
    ald_points *points;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *points, &points));
    ALD_TRY(ald_points_new(run, rows, points));
    *laplacian = (ald_laplacian){.n = points->n, .points = points, .scale = scale, .factor = factor};
    return sum_weights(run, laplacian);
}

ald_status ald_laplacian_of_all(ald_run *run, const ald_rows *rows, double width, uint64_t seed,
                                ald_laplacian *laplacian)
{
    ald_points *points;
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *points, &points));
    ALD_TRY(ald_points_new(run, rows, points));
    *laplacian = (ald_laplacian){.n = points->n, .width = width, .points = points};
    if (points->n < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "the graph of all pairs needs two rows; there are %lld",
                        (long long)points->n);
    if (!(width > 0.0)) ALD_TRY(find_median(run, points, seed, &laplacian->width));
    if (!(laplacian->width > 0.0))
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "half of the rows or more are equal, so the median distance is 0: give a width");
    return sum_weights(run, laplacian);
}

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

ald_status ald_laplacian_of_graph(ald_run *run, const ald_graph *graph, ald_weights weights, double width,
                                  ald_laplacian *laplacian)
{
    const int64_t n = graph->n, edges = graph->pointers[n];
    ald_pairs pairs;
    double *own;
    *laplacian = (ald_laplacian){.n = n};
    if (weights == ALD_WEIGHTS_HEAT && !graph->squares)
        return ald_fail(
            run->error, ALD_ERROR_ARGUMENT,
            "heat-kernel weights need the distances of neighbours, which a given graph does not have");
    if (weights == ALD_WEIGHTS_HEAT) laplacian->width = width > 0.0 ? width : mean_square(graph);
    ALD_TRY(ald_scratch_reals(run, n, 1, &laplacian->degree));
    ALD_TRY(ald_scratch_reals(run, edges, 1, &own));
    for (int64_t e = 0; e < edges; e++) own[e] = weight_of(graph, weights, laplacian->width, e);
    ALD_TRY(ald_pairs_join(run, n, graph->pointers, graph->neighbours, own, &pairs));
    laplacian->pointers = pairs.pointers;
    laplacian->neighbours = pairs.partners;
    laplacian->weights = pairs.weights;
    for (int64_t i = 0; i < n; i++) {
        laplacian->degree[i] = 0.0;
        for (int64_t e = pairs.pointers[i]; e < pairs.pointers[i + 1]; e++)
            laplacian->degree[i] += pairs.weights[e];
    }
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
    if (!laplacian->pointers) return weigh_all(run, laplacian, v, k, out);
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
