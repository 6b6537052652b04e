/* Approximate nearest neighbours: candidates from an index, distances and order exact, and the recall
 * measured on a sample of rows against the exact search. The recall counts a neighbour as found when it is as
 * near as the true k-th. Time about n log n instead of n^2; worth it from some hundred thousand rows on. */
#include "math/graph/build.h"

#include "base/numbers/random.h"
#include "base/threads/threads.h"
#include "math/graph/hnsw.h"
#include "math/graph/nearest.h"

#include <math.h>
#include <string.h>

#ifdef ALD_HAVE_HNSW

enum { rows_a_part = 1024, sample_rows = 500, least_effort = 100, effort_a_neighbour = 8 };

typedef struct finding {
    ald_run *run;
    const ald_points *points;
    ald_hnsw *index;
    ald_graph *graph;
    int64_t k;
    int64_t begin, end;        /* rows of the round */
    int64_t *candidates;       /* k + 1 a part */
    double *rows;              /* two per part */
    float *narrow;             /* one per part */
    unsigned char *short_rows; /* n: too few were found */
    int parts;
    int failed[ALD_MOST_PARTS];
} finding;

/* The row about the centre, of a size near 1. */
static void narrow_row(const finding *f, int64_t i, double *buffer, float *narrow)
{
    const ald_points *p = f->points;
    int64_t stride;
    const double *row = ald_points_rows(p, i, 1, buffer, &stride);
    for (int64_t j = 0; j < p->d; j++)
        narrow[j] = (float)((row[j] - p->centre[j]) * (p->scale ? p->scale[j] : 1.0) * p->unit);
}

static ald_status no_memory(ald_run *run, const finding *f)
{
    return ald_fail(run->error, ALD_ERROR_MEMORY, "out of memory for an index of %lld rows",
                    (long long)f->points->n);
}

static ald_status fill_index(ald_run *run, const finding *f)
{
    for (int64_t i = 0; i < f->points->n; i++) {
        narrow_row(f, i, f->rows, f->narrow);
        if (!ald_hnsw_add(f->index, i, f->narrow)) return no_memory(run, f);
        if (i % 256 == 0) ALD_TRY(ald_progress(run, "building the index", (double)i / (double)f->points->n));
    }
    return ALD_OK;
}

/* Measures the candidates, leaves the row itself out, and keeps the k nearest. */
static void keep_nearest(finding *f, int64_t i, int64_t count, int64_t *candidates, double *rows)
{
    const ald_points *p = f->points;
    int64_t *neighbours = f->graph->neighbours + i * f->k;
    int64_t kept = 0, stride;
    double *squares = f->graph->squares + i * f->k;
    const double *a = ald_points_rows(p, i, 1, rows, &stride);
    for (int64_t c = 0; c < count && kept < f->k; c++) {
        const int64_t j = candidates[count - 1 - c]; /* the nearest come last */
        if (j == i) continue;
        neighbours[kept] = j;
        squares[kept++] = ald_square_dense(p->d, p->scale, a, ald_points_rows(p, j, 1, rows + p->d, &stride));
    }
    f->short_rows[i] = kept < f->k;
    if (kept == f->k) ald_sort_neighbours(kept, neighbours, squares);
}

static void find_part(void *work, int part)
{
    finding *f = work;
    const int64_t d = f->points->d, all = f->end - f->begin;
    int64_t *candidates = f->candidates + part * (f->k + 1);
    double *rows = f->rows + part * 2 * d;
    const int64_t end = f->begin + ald_part_begin(all, f->parts, part + 1);
    for (int64_t i = f->begin + ald_part_begin(all, f->parts, part); i < end && !f->failed[part]; i++) {
        narrow_row(f, i, rows, f->narrow + part * d);
        const int64_t count = ald_hnsw_search(f->index, f->narrow + part * d, f->k + 1, candidates);
        if (count < 0)
            f->failed[part] = 1;
        else
            keep_nearest(f, i, count, candidates, rows);
    }
}

static ald_status find_all(ald_run *run, finding *f)
{
    const int64_t n = f->points->n;
    for (f->begin = 0; f->begin < n; f->begin = f->end) {
        f->end = n - f->begin < rows_a_part * f->parts ? n : f->begin + rows_a_part * f->parts;
        ald_parallel(f->parts, find_part, f);
        for (int part = 0; part < f->parts; part++)
            if (f->failed[part]) return no_memory(run, f);
        ALD_TRY(ald_progress(run, "searching neighbours", (double)f->end / (double)n));
    }
    return ALD_OK;
}

static ald_status search_index(ald_run *run, finding *f, uint64_t seed)
{
    f->index = ald_hnsw_new(f->points->n, f->points->d, seed);
    if (!f->index) return no_memory(run, f);
    ald_status status = fill_index(run, f);
    const int64_t effort = effort_a_neighbour * f->k;
    ald_hnsw_set_effort(f->index, effort > least_effort ? effort : least_effort);
    if (status >= 0) status = find_all(run, f);
    ald_hnsw_free(f->index);
    return status;
}

/* The exact neighbours of some rows. */
static ald_status search_exactly(ald_run *run, const ald_points *points, const int64_t *which, int64_t count,
                                 int64_t k, int64_t **neighbours, double **squares)
{
    ald_points some = *points;
    int64_t *rows;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *rows, &rows));
    ALD_TRY(ald_scratch(run, count, k, sizeof **neighbours, neighbours));
    ALD_TRY(ald_scratch_reals(run, count, k, squares));
    for (int64_t i = 0; i < count; i++) rows[i] = points->which ? points->which[which[i]] : which[i];
    some.which = rows;
    some.n = count;
    return ald_nearest_search(run, &some, points, k, 1, *neighbours, *squares);
}

/* Rows for which the index found too few get their exact neighbours. */
static ald_status mend_short_rows(ald_run *run, const finding *f)
{
    int64_t *rows, *neighbours;
    int64_t count = 0;
    double *squares;
    ALD_TRY(ald_scratch(run, f->points->n, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < f->points->n; i++)
        if (f->short_rows[i]) rows[count++] = i;
    if (count == 0) return ALD_OK;
    ALD_TRY(search_exactly(run, f->points, rows, count, f->k, &neighbours, &squares));
    for (int64_t i = 0; i < count; i++) {
        memcpy(f->graph->neighbours + rows[i] * f->k, neighbours + i * f->k,
               (size_t)f->k * sizeof *neighbours);
        memcpy(f->graph->squares + rows[i] * f->k, squares + i * f->k, (size_t)f->k * sizeof *squares);
    }
    return ALD_OK;
}

static ald_status measure_recall(ald_run *run, const finding *f, uint64_t seed)
{
    const int64_t n = f->points->n, k = f->k, count = n < sample_rows ? n : sample_rows;
    int64_t *order, *neighbours;
    int64_t found = 0;
    double *squares;
    ald_random random;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *order, &order));
    ald_random_seed(&random, seed, 7);
    ald_random_permutation(&random, n, order);
    ALD_TRY(search_exactly(run, f->points, order, count, k, &neighbours, &squares));
    for (int64_t i = 0; i < count; i++)
        for (int64_t c = 0; c < k; c++)
            found += f->graph->squares[order[i] * k + c] <= squares[i * k + k - 1];
    f->graph->recall = (double)found / (double)(count * k);
    return ALD_OK;
}

static ald_status find_approximately(ald_run *run, const ald_points *points, const ald_graph_options *options,
                                     ald_graph *graph)
{
    finding f = {.run = run, .points = points, .graph = graph, .k = options->n_neighbors};
    f.parts = ald_parts(run, points->n, 64);
    ALD_TRY(ald_scratch(run, f.parts, f.k + 1, sizeof *f.candidates, &f.candidates));
    ALD_TRY(ald_scratch_reals(run, f.parts, 2 * points->d, &f.rows));
    ALD_TRY(ald_scratch(run, f.parts, points->d, sizeof *f.narrow, &f.narrow));
    ALD_TRY(ald_scratch(run, points->n, 1, 1, &f.short_rows));
    ALD_TRY(search_index(run, &f, options->seed));
    ALD_TRY(mend_short_rows(run, &f));
    return measure_recall(run, &f, options->seed);
}

ald_status ald_graph_approximate(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                                 ald_graph *graph)
{
    ald_points points;
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_points_new(run, rows, &points));
    if (points.sparse)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "`neighbors=approximate` needs dense data; for sparse data use `neighbors=exact`");
    graph->how = "the nearest neighbours, approximate";
    const ald_status status = find_approximately(run, &points, options, graph);
    ald_arena_release(&run->scratch, mark);
    return status;
}

#else

ald_status ald_graph_approximate(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                                 ald_graph *graph)
{
    (void)rows;
    (void)options;
    (void)graph;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "this build lacks the index for `neighbors=approximate`: install libhnswlib-dev and a "
                    "C++ compiler and build again, or use `neighbors=exact`");
}

#endif
