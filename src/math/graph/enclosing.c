/* Enclosing neighbours: of a point g, the nearest k others, k the smallest for which the distance from g to
 * the hull of those k equals its distance to the hull of all others.
 *
 * No hull is built. With S the k points, r the distance of the k-th and T = (S - g)/r, the least of
 *   |T'w|^2 + (1'w - 1)^2   over w >= 0
 * is at w = v/(1 + D^2), v the convex weights of the nearest point of the hull and D = |T'w|/1'w its distance
 * over r: one non-negative least squares of d + 1 rows. The distance falls with k. The support of the
 * solution for all others bounds k from above, and bisection does the rest. Distances are equal when they
 * differ by at most 1e-7 r. Cost a point: its distances to all others sorted, and about log2 k of these
 * problems.
 *
 * M. R. Gupta, E. K. Garcia, E. Chin, Adaptive local linear regression with application to printer color
 * management, IEEE Trans. Image Processing 17 (2008). */
#include "base/threads/threads.h"
#include "math/graph/build.h"
#include "math/graph/nearest.h"
#include "math/graph/nnls.h"

#include <math.h>
#include <string.h>

enum { points_a_part = 16 };

typedef struct memory {
    int64_t *order;  /* n: the others by distance */
    double *squares; /* n */
    double *rows;    /* n x d: their differences from g, scaled */
    double *columns; /* n x (d + 1) */
    double *target;  /* d + 1: (0 .. 0, 1) */
    ald_nnls nnls;
} memory;

typedef struct enclosure {
    const double *x; /* n x d */
    const double *scale;
    int64_t n, d;
    int64_t begin, end; /* points of the round */
    int64_t *sizes;     /* n: k of each point */
    memory *memory;
    int parts;
    ald_graph *graph;
} enclosure;

static ald_status new_memory(ald_run *run, enclosure *e)
{
    const int64_t n = e->n, d = e->d;
    ALD_TRY(ald_scratch(run, e->parts, 1, sizeof *e->memory, &e->memory));
    for (int part = 0; part < e->parts; part++) {
        memory *m = &e->memory[part];
        ALD_TRY(ald_scratch(run, n, 1, sizeof *m->order, &m->order));
        ALD_TRY(ALD_SCRATCH(run, {&m->squares, n, 1}, {&m->rows, n, d}, {&m->columns, n, d + 1}));
        ALD_TRY(ald_scratch_zeros(run, d + 1, 1, &m->target));
        m->target[d] = 1.0;
        m->nnls = (ald_nnls){.m = d + 1, .columns = m->columns, .b = m->target, .tol = 1e-11};
        ALD_TRY(ALD_SCRATCH(run, {&m->nnls.w, n, 1}, {&m->nnls.residual, d + 1, 1}));
        ALD_TRY(ald_scratch(run, d + 1, 1, sizeof *m->nnls.support, &m->nnls.support));
        ALD_TRY(ald_scratch(run, n, 1, 1, &m->nnls.blocked));
        ALD_TRY(ald_scratch_reals(run, d + 3, d + 5, &m->nnls.work));
    }
    return ALD_OK;
}

/* The others of g by distance. */
static void sort_others(const enclosure *e, int64_t g, memory *m)
{
    int64_t count = 0;
    for (int64_t j = 0; j < e->n; j++) {
        if (j == g) continue;
        m->order[count] = j;
        m->squares[count++] = ald_square_dense(e->d, e->scale, e->x + g * e->d, e->x + j * e->d);
    }
    ald_sort_neighbours(count, m->order, m->squares);
}

/* Their differences from g. */
static void look_around(const enclosure *e, int64_t g, memory *m)
{
    const int64_t d = e->d;
    const double *centre = e->x + g * d;
    for (int64_t i = 0; i < e->n - 1; i++)
        for (int64_t c = 0; c < d; c++)
            m->rows[i * d + c] = (e->x[m->order[i] * d + c] - centre[c]) * (e->scale ? e->scale[c] : 1.0);
}

/* The distance from g to the hull of its k nearest. */
static double hull_distance(const enclosure *e, int64_t k, memory *m)
{
    const int64_t d = e->d;
    const double r = sqrt(m->squares[k - 1]);
    if (r == 0.0) return 0.0;
    for (int64_t i = 0; i < k; i++) {
        for (int64_t c = 0; c < d; c++) m->columns[i * (d + 1) + c] = m->rows[i * d + c] / r;
        m->columns[i * (d + 1) + d] = 1.0;
    }
    m->nnls.n = k;
    ald_nnls_solve(&m->nnls);
    double along = 0.0, sum = 0.0;
    for (int64_t c = 0; c < d; c++) along += m->nnls.residual[c] * m->nnls.residual[c];
    for (int64_t s = 0; s < m->nnls.passive; s++) sum += m->nnls.w[m->nnls.support[s]];
    return r * sqrt(along) / sum;
}

static int encloses(const enclosure *e, int64_t k, double distance, memory *m)
{
    return hull_distance(e, k, m) - distance <= 1e-7 * sqrt(m->squares[k - 1]);
}

/* The last of the neighbours that the nearest point of the whole hull is made of. */
static int64_t upper_bound(const enclosure *e, const memory *m)
{
    int64_t last = 0;
    if (m->squares[e->n - 2] == 0.0) return 1;
    for (int64_t s = 0; s < m->nnls.passive; s++)
        if (m->nnls.support[s] > last) last = m->nnls.support[s];
    return last + 1;
}

static int64_t enclosing_size(const enclosure *e, int64_t g, memory *m)
{
    sort_others(e, g, m);
    look_around(e, g, m);
    const double distance = hull_distance(e, e->n - 1, m);
    int64_t low = 0, high = upper_bound(e, m);
    while (high < e->n - 1 && !encloses(e, high, distance, m)) {
        low = high;
        high = 2 * high < e->n - 1 ? 2 * high : e->n - 1;
    }
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (encloses(e, middle, distance, m))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void size_part(void *work, int part)
{
    enclosure *e = work;
    const int64_t all = e->end - e->begin, end = e->begin + ald_part_begin(all, e->parts, part + 1);
    for (int64_t g = e->begin + ald_part_begin(all, e->parts, part); g < end; g++)
        e->sizes[g] = enclosing_size(e, g, &e->memory[part]);
}

/* The order is found once more, now that it is known how much of it to keep. */
static void write_part(void *work, int part)
{
    enclosure *e = work;
    memory *m = &e->memory[part];
    const int64_t all = e->end - e->begin, end = e->begin + ald_part_begin(all, e->parts, part + 1);
    for (int64_t g = e->begin + ald_part_begin(all, e->parts, part); g < end; g++) {
        const int64_t at = e->graph->pointers[g];
        const size_t count = (size_t)(e->graph->pointers[g + 1] - at);
        sort_others(e, g, m);
        memcpy(e->graph->neighbours + at, m->order, count * sizeof *m->order);
        memcpy(e->graph->squares + at, m->squares, count * sizeof *m->squares);
    }
}

static ald_status run_rounds(ald_run *run, enclosure *e, ald_part_fn part, const char *stage)
{
    const int64_t step = points_a_part * (int64_t)e->parts;
    for (e->begin = 0; e->begin < e->n; e->begin = e->end) {
        e->end = e->n - e->begin < step ? e->n : e->begin + step;
        ald_parallel(e->parts, part, e);
        ALD_TRY(ald_progress(run, stage, (double)e->end / (double)e->n));
    }
    return ALD_OK;
}

static ald_status check_kind(ald_run *run, const ald_points *points)
{
    if (points->sparse)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`graph=enclosing` needs dense data; for sparse data use `graph=knn` or `graph=epsilon`");
    if (points->n < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "enclosing neighbours need two rows; there are %lld",
                        (long long)points->n);
    return ALD_OK;
}

/* All rows in one place, d apart. */
static ald_status gather(ald_run *run, const ald_points *points, const double **x)
{
    double *copy;
    int64_t stride;
    ALD_TRY(ald_scratch_reals(run, points->n, points->d, &copy));
    const double *rows = ald_points_rows(points, 0, points->n, copy, &stride);
    for (int64_t i = 0; rows != copy && i < points->n; i++)
        memcpy(copy + i * points->d, rows + i * stride, (size_t)points->d * sizeof *copy);
    *x = copy;
    return ALD_OK;
}

ald_status ald_graph_enclosing(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                               ald_graph *graph)
{
    ald_points points;
    enclosure e = {.graph = graph};
    (void)options;
    ALD_TRY(ald_points_new(run, rows, &points));
    ALD_TRY(check_kind(run, &points));
    e.n = graph->n = points.n;
    e.d = points.d;
    e.scale = points.scale;
    e.parts = ald_parts(run, e.n, 4);
    ALD_TRY(gather(run, &points, &e.x));
    ALD_TRY(ald_scratch(run, e.n, 1, sizeof *e.sizes, &e.sizes));
    ALD_TRY(ald_scratch(run, e.n + 1, 1, sizeof *graph->pointers, &graph->pointers));
    ALD_TRY(new_memory(run, &e));
    ALD_TRY(run_rounds(run, &e, size_part, "searching enclosing neighbours"));
    graph->isolated = ald_graph_place(e.n, e.sizes, graph->pointers);
    ALD_TRY(ald_graph_allocate(run, graph));
    graph->how = "the nearest neighbours that enclose the row";
    return run_rounds(run, &e, write_part, "writing enclosing neighbours");
}
