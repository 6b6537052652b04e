/* Graphs that are given as a matrix, and the distances along their edges. */
#include "base/threads/threads.h"
#include "math/graph/build.h"
#include "math/near/points.h"
#include "math/operator/sparse.h"

#include <math.h>
#include <string.h>

typedef struct given {
    int64_t *next, *neighbours; /* neighbours NULL: count */
    double *weights;
    int64_t bad_row, bad_column;
    double bad;
} given;

static void visit(void *work, int64_t i, int64_t j, double weight)
{
    given *g = work;
    if ((!isfinite(weight) || weight < 0.0) && g->bad_row < 0) {
        g->bad_row = i;
        g->bad_column = j;
        g->bad = weight;
    }
    if (i == j || weight == 0.0) return;
    if (g->neighbours) {
        g->neighbours[g->next[i]] = j;
        g->weights[g->next[i]] = weight;
    }
    g->next[i]++;
}

/* Each entry of the matrix, whatever its storage. */
static ald_status visit_all(ald_run *run, const ald_matrix *matrix, given *g)
{
    if (matrix->storage != ALD_DENSE) return ald_sparse_visit(run, matrix, visit, g);
    const ald_operator rows = {.x = *matrix};
    double *row;
    ALD_TRY(ald_scratch_reals(run, matrix->cols, 1, &row));
    for (int64_t i = 0; i < matrix->rows; i++) {
        ALD_TRY(ald_operator_rows(run, &rows, i, ald_at(row, 1, matrix->cols)));
        for (int64_t j = 0; j < matrix->cols; j++) visit(g, i, j, row[j]);
    }
    return ALD_OK;
}

static ald_status check_shape(ald_run *run, const ald_matrix *matrix, int64_t n)
{
    if (matrix->rows == n && matrix->cols == n) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_DATA,
                    "the graph is a matrix of %lld x %lld, but there are %lld rows of data: it needs one row "
                    "and one column for each of them",
                    (long long)matrix->rows, (long long)matrix->cols, (long long)n);
}

ald_status ald_graph_from_matrix(ald_run *run, const ald_matrix *matrix, int64_t n, ald_graph *graph)
{
    given g = {.bad_row = -1, .bad_column = -1};
    *graph = (ald_graph){.n = n, .recall = 1.0, .how = "as given"};
    ALD_TRY(check_shape(run, matrix, n));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *g.next, &g.next));
    ALD_TRY(ald_scratch(run, n + 1, 1, sizeof *graph->pointers, &graph->pointers));
    memset(g.next, 0, (size_t)n * sizeof *g.next);
    ALD_TRY(visit_all(run, matrix, &g));
    if (g.bad_row >= 0)
        return ald_fail(
            run->error, ALD_ERROR_DATA,
            "the graph has the weight %g in row %lld, column %lld; weights are finite and not negative",
            g.bad, (long long)g.bad_row + 1, (long long)g.bad_column + 1);
    graph->isolated = ald_graph_place(n, g.next, graph->pointers);
    ALD_TRY(ald_scratch(run, graph->pointers[n], 1, sizeof *g.neighbours, &g.neighbours));
    ALD_TRY(ald_scratch_reals(run, graph->pointers[n], 1, &g.weights));
    ALD_TRY(visit_all(run, matrix, &g));
    graph->neighbours = g.neighbours;
    graph->weights = g.weights;
    return ALD_OK;
}

typedef struct measuring {
    ald_run *run;
    const ald_points *points;
    const ald_graph *graph;
    double *rows; /* two per part */
    int parts;
} measuring;

static void measure_part(void *work, int part)
{
    const measuring *m = work;
    const ald_points *p = m->points;
    const ald_graph *g = m->graph;
    double *first = m->rows + 2 * part * p->d, *second = first + p->d;
    int64_t stride;
    for (int64_t i = ald_part_begin(g->n, m->parts, part); i < ald_part_begin(g->n, m->parts, part + 1);
         i++) {
        const double *a = p->sparse ? NULL : ald_points_rows(p, i, 1, first, &stride);
        for (int64_t e = g->pointers[i]; e < g->pointers[i + 1]; e++) {
            const int64_t j = g->neighbours[e];
            g->squares[e] =
                p->sparse ? ald_square_sparse(p, i, p, j)
                          : ald_square_dense(p->d, p->scale, a, ald_points_rows(p, j, 1, second, &stride));
        }
    }
}

ald_status ald_graph_measure_rows(ald_run *run, const ald_points *points, ald_graph *graph)
{
    measuring m = {
        .run = run,
        .points = points,
        .graph = graph,
        .parts = ald_parts(run, graph->n, 256),
    };
    ALD_TRY(ald_scratch_reals(run, 2 * m.parts, points->d, &m.rows));
    ald_parallel(m.parts, measure_part, &m);
    return ALD_OK;
}
