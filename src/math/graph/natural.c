/* Natural neighbours: those whose Voronoi cells touch, the edges of the Delaunay triangulation. The number of
 * simplices grows like n^ceil(d/2) at worst, so columns are at most six.
 *
 * Equal rows are one point of the triangulation; each of them is a neighbour of the others and of all copies
 * of the point's neighbours. Rows in a plane of lower dimension r (constant columns, say) are triangulated
 * within it: R of a QR decomposition of the centred rows has r singular values above 1e-12 of the largest,
 * and its right vectors are the axes. On a line (r = 1) neighbours are those next in order; r + 1 points are
 * all neighbours. */
#include "math/graph/build.h"
#include "math/graph/nearest.h"
#include "math/linalg/linalg.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Simplices by their corners; a point that Qhull left out (too near another to tell) is in a list with the
 * corners of the simplex it lies in. */
typedef struct simplex_list {
    int64_t count;
    int64_t *pointers; /* count + 1 */
    int64_t *corners;
} simplex_list; /* in scratch */

/* Options given to Qhull, those of scipy.spatial.Delaunay: d Delaunay; Qt cospherical corners are
 * triangulated, so that of the diagonals of a square one is an edge; Qbb the last coordinate is scaled;
 * Qc points that are left out are reported; Qz a point at infinity, for points on one sphere; Q12 wide
 * facets are let through; Qx, above four dimensions, exact merging is delayed. */
#ifdef ALD_HAVE_QHULL
#include <libqhull_r/qhull_ra.h>

static int64_t set_size(const setT *set)
{
    int64_t count = 0;
    const setelemT *element = set ? set->e : NULL;
    while (element && (element++)->p) count++;
    return count;
}

/* Counts simplices and corners, or writes them down. */
static int64_t walk(qhT *qh, simplex_list *simplices, int write)
{
    int64_t count = 0, at = 0;
    facetT *facet;
    FORALLfacets
    {
        if (facet->upperdelaunay) continue;
        if (write) {
            const setT *const sets[] = {facet->vertices, facet->coplanarset};
            for (const setelemT *e = sets[0]->e; e->p; e++)
                simplices->corners[at++] = qh_pointid(qh, ((const vertexT *)e->p)->point);
            for (const setelemT *e = sets[1] ? sets[1]->e : NULL; e && e->p; e++)
                simplices->corners[at++] = qh_pointid(qh, e->p);
            simplices->pointers[count + 1] = at;
        } else {
            at += set_size(facet->vertices) + set_size(facet->coplanarset);
        }
        count++;
    }
    simplices->count = count;
    return at;
}

static ald_status read_simplices(ald_run *run, qhT *qh, simplex_list *simplices)
{
    const int64_t corners = walk(qh, simplices, 0);
    ALD_TRY(ald_scratch(run, simplices->count + 1, 1, sizeof *simplices->pointers, &simplices->pointers));
    ALD_TRY(ald_scratch(run, corners, 1, sizeof *simplices->corners, &simplices->corners));
    simplices->pointers[0] = 0;
    walk(qh, simplices, 1);
    return ALD_OK;
}

/* What Qhull wrote, its first line. */
static ald_status failed(ald_run *run, int code, const char *told)
{
    const int length = (int)strcspn(told ? told : "", "\n");
    if (code == qh_ERRmem) return ald_fail(run->error, ALD_ERROR_MEMORY, "out of memory in Qhull");
    return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                    "the Delaunay triangulation failed (Qhull %d: %.*s); use `graph=knn` instead", code,
                    length, told ? told : "");
}

static ald_status triangulate_by_qhull(ald_run *run, int64_t n, int64_t d, double *points,
                                       simplex_list *simplices)
{
    char plain[] = "qhull d Qt Qbb Qc Qz Q12", delayed[] = "qhull d Qt Qbb Qc Qz Q12 Qx";
    char *told = NULL;
    size_t size;
    qhT *qh;
    int curlong, totlong;
    if (n > INT_MAX) return ald_fail(run->error, ALD_ERROR_MEMORY, "Qhull takes at most %d points", INT_MAX);
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *qh, &qh));
    FILE *messages = open_memstream(&told, &size);
    if (!messages) return ald_out_of_memory(run, 1, BUFSIZ, 1);
    qh_zero(qh, messages);
    const int code =
        qh_new_qhull(qh, (int)d, (int)n, points, False, d > 4 ? delayed : plain, messages, messages);
    fflush(messages);
    const ald_status status = code ? failed(run, code, told) : read_simplices(run, qh, simplices);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &curlong, &totlong);
    fclose(messages);
    free(told);
    return status;
}

#else

static ald_status triangulate_by_qhull(ald_run *run, int64_t n, int64_t d, double *points,
                                       simplex_list *simplices)
{
    (void)n;
    (void)d;
    (void)points;
    (void)simplices;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "this build lacks Qhull, which `graph=natural` needs: install libqhull-dev and build "
                    "again, or use graph=knn");
}

#endif

enum { most_columns = 6 };

typedef struct point {
    double at[most_columns];
    int64_t row;
} point;

/* Rows, and the distinct points among them. */
typedef struct places {
    int64_t n, d;
    double *x;       /* n x d, scaled */
    int64_t *place;  /* n: which distinct point a row is */
    int64_t *first;  /* count + 1: where the rows of a point begin in `rows` */
    int64_t *rows;   /* n, by point */
    int64_t count;   /* distinct points, numbered by their first row */
    double *points;  /* count x d, centred */
    int64_t rank;    /* dimension of the plane they lie in */
    int64_t *near;   /* neighbours of a point, distinct points, no loops */
    int64_t *begins; /* count + 1 */
} places;

static int by_place(const void *a, const void *b)
{
    const point *p = a, *q = b;
    for (int c = 0; c < most_columns; c++)
        if (p->at[c] != q->at[c]) return p->at[c] < q->at[c] ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

static int same_place(const point *p, const point *q)
{
    for (int c = 0; c < most_columns; c++)
        if (p->at[c] != q->at[c]) return 0;
    return 1;
}

/* Numbers the distinct points in the order of their first rows. */
static ald_status find_places(ald_run *run, places *p)
{
    point *points;
    int64_t *leader;
    ALD_TRY(ald_scratch(run, p->n, 1, sizeof *points, &points));
    ALD_TRY(ald_scratch(run, p->n, 1, sizeof *leader, &leader));
    ALD_TRY(ald_scratch(run, p->n, 1, sizeof *p->place, &p->place));
    memset(points, 0, (size_t)p->n * sizeof *points);
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t c = 0; c < p->d; c++) points[i].at[c] = p->x[i * p->d + c] + 0.0; /* -0 is 0 */
        points[i].row = i;
    }
    qsort(points, (size_t)p->n, sizeof *points, by_place);
    for (int64_t i = 0; i < p->n; i++)
        leader[points[i].row] =
            i > 0 && same_place(&points[i - 1], &points[i]) ? leader[points[i - 1].row] : points[i].row;
    p->count = 0;
    for (int64_t i = 0; i < p->n; i++) p->place[i] = leader[i] == i ? p->count++ : p->place[leader[i]];
    return ALD_OK;
}

static ald_status list_rows(ald_run *run, places *p)
{
    int64_t *next;
    ALD_TRY(ald_scratch(run, p->count + 1, 1, sizeof *p->first, &p->first));
    ALD_TRY(ald_scratch(run, p->n, 1, sizeof *p->rows, &p->rows));
    ALD_TRY(ald_scratch_clear(run, p->count, 1, sizeof *next, &next));
    for (int64_t i = 0; i < p->n; i++) next[p->place[i]]++;
    ald_graph_place(p->count, next, p->first);
    for (int64_t i = 0; i < p->n; i++) p->rows[next[p->place[i]]++] = i;
    return ALD_OK;
}

/* The distinct points about their mean. */
static ald_status centre_points(ald_run *run, places *p)
{
    double mean[most_columns] = {0.0};
    ALD_TRY(ald_scratch_reals(run, p->count, p->d, &p->points));
    for (int64_t u = 0; u < p->count; u++) {
        const double *row = p->x + p->rows[p->first[u]] * p->d;
        for (int64_t c = 0; c < p->d; c++) mean[c] += row[c] / (double)p->count;
    }
    for (int64_t u = 0; u < p->count; u++) {
        const double *row = p->x + p->rows[p->first[u]] * p->d;
        for (int64_t c = 0; c < p->d; c++) p->points[u * p->d + c] = row[c] - mean[c];
    }
    return ALD_OK;
}

/* Finds the rank, and turns the points into the plane they lie in when it is lower than d. */
static ald_status flatten(ald_run *run, places *p)
{
    const int64_t d = p->d, rows = p->count < d ? d : p->count;
    double *copy;
    double r[most_columns * most_columns], u[most_columns * most_columns], s[most_columns],
        vt[most_columns * most_columns];
    ALD_TRY(ald_scratch_zeros(run, rows, d, &copy));
    memcpy(copy, p->points, (size_t)(p->count * d) * sizeof *copy);
    ALD_TRY(ald_triangle(run, ald_at(copy, rows, d), ald_at(r, d, d)));
    ALD_TRY(ald_svd(run, ald_at(r, d, d), ald_at(u, d, d), s, ald_at(vt, d, d)));
    for (p->rank = 0; p->rank < d && s[p->rank] > 1e-12 * s[0]; p->rank++) {
    }
    if (p->rank == d || p->rank == 0) return ALD_OK;
    double *turned;
    ALD_TRY(ald_scratch_reals(run, p->count, p->rank, &turned));
    ALD_TRY(ald_product(run, ald_of(p->points, p->count, d), ald_t(ald_of(vt, p->rank, d)),
                        ald_at(turned, p->count, p->rank)));
    p->points = turned;
    return ALD_OK;
}

/* Along a line: the points in order, as chains of two. */
static ald_status chain(ald_run *run, const places *p, simplex_list *s)
{
    double *at;
    int64_t *order;
    ALD_TRY(ald_scratch_reals(run, p->count, 1, &at));
    ALD_TRY(ald_scratch(run, p->count, 1, sizeof *order, &order));
    for (int64_t u = 0; u < p->count; u++) {
        at[u] = p->points[u];
        order[u] = u;
    }
    ald_sort_neighbours(p->count, order, at);
    s->count = p->count - 1;
    ALD_TRY(ald_scratch(run, s->count + 1, 1, sizeof *s->pointers, &s->pointers));
    ALD_TRY(ald_scratch(run, s->count, 2, sizeof *s->corners, &s->corners));
    for (int64_t c = 0; c < s->count; c++) {
        s->corners[2 * c] = order[c];
        s->corners[2 * c + 1] = order[c + 1];
    }
    for (int64_t c = 0; c <= s->count; c++) s->pointers[c] = 2 * c;
    return ALD_OK;
}

/* All points are the corners of one simplex (or there is only one of them). */
static ald_status one_simplex(ald_run *run, const places *p, simplex_list *s)
{
    s->count = 1;
    ALD_TRY(ald_scratch(run, 2, 1, sizeof *s->pointers, &s->pointers));
    ALD_TRY(ald_scratch(run, p->count, 1, sizeof *s->corners, &s->corners));
    for (int64_t u = 0; u < p->count; u++) s->corners[u] = u;
    s->pointers[0] = 0;
    s->pointers[1] = p->count;
    return ALD_OK;
}

static ald_status triangulate(ald_run *run, const places *p, simplex_list *s)
{
    if (p->count <= p->rank + 1) return one_simplex(run, p, s);
    return p->rank == 1 ? chain(run, p, s) : triangulate_by_qhull(run, p->count, p->rank, p->points, s);
}

/* Simplices of each point: `begins` (count + 1) and `list`. */
static ald_status list_simplices(ald_run *run, const places *p, const simplex_list *s, int64_t **begins,
                                 int64_t **list)
{
    int64_t *next;
    ALD_TRY(ald_scratch(run, p->count, 1, sizeof *next, &next));
    ALD_TRY(ald_scratch(run, p->count + 1, 1, sizeof **begins, begins));
    ALD_TRY(ald_scratch(run, s->pointers[s->count], 1, sizeof **list, list));
    memset(next, 0, (size_t)p->count * sizeof *next);
    for (int64_t e = 0; e < s->pointers[s->count]; e++) next[s->corners[e]]++;
    ald_graph_place(p->count, next, *begins);
    for (int64_t c = 0; c < s->count; c++)
        for (int64_t e = s->pointers[c]; e < s->pointers[c + 1]; e++) (*list)[next[s->corners[e]]++] = c;
    return ALD_OK;
}

/* The other corners of the simplices of u, each once; `near` NULL: only how many. */
static int64_t corners_around(const simplex_list *s, const int64_t *begins, const int64_t *list, int64_t u,
                              int64_t *seen, int64_t *near)
{
    int64_t count = 0;
    for (int64_t i = begins[u]; i < begins[u + 1]; i++)
        for (int64_t e = s->pointers[list[i]]; e < s->pointers[list[i] + 1]; e++) {
            const int64_t v = s->corners[e];
            if (v == u || seen[v] == u) continue;
            seen[v] = u;
            if (near) near[count] = v;
            count++;
        }
    return count;
}

static ald_status find_near(ald_run *run, places *p, const simplex_list *s)
{
    int64_t *begins, *list, *seen;
    ALD_TRY(list_simplices(run, p, s, &begins, &list));
    ALD_TRY(ald_scratch(run, p->count, 1, sizeof *seen, &seen));
    ALD_TRY(ald_scratch(run, p->count + 1, 1, sizeof *p->begins, &p->begins));
    memset(seen, -1, (size_t)p->count * sizeof *seen);
    p->begins[0] = 0;
    for (int64_t u = 0; u < p->count; u++)
        p->begins[u + 1] = p->begins[u] + corners_around(s, begins, list, u, seen, NULL);
    ALD_TRY(ald_scratch(run, p->begins[p->count], 1, sizeof *p->near, &p->near));
    memset(seen, -1, (size_t)p->count * sizeof *seen);
    for (int64_t u = 0; u < p->count; u++) corners_around(s, begins, list, u, seen, p->near + p->begins[u]);
    return ALD_OK;
}

static int64_t copies(const places *p, int64_t u)
{
    return p->first[u + 1] - p->first[u];
}

/* From points back to rows. */
static ald_status write_rows(ald_run *run, const places *p, ald_graph *graph)
{
    int64_t *next;
    ALD_TRY(ald_scratch(run, p->n, 1, sizeof *next, &next));
    ALD_TRY(ald_scratch(run, p->n + 1, 1, sizeof *graph->pointers, &graph->pointers));
    for (int64_t i = 0; i < p->n; i++) {
        const int64_t u = p->place[i];
        next[i] = copies(p, u) - 1;
        for (int64_t e = p->begins[u]; e < p->begins[u + 1]; e++) next[i] += copies(p, p->near[e]);
    }
    graph->isolated = ald_graph_place(p->n, next, graph->pointers);
    ALD_TRY(ald_graph_allocate(run, graph));
    for (int64_t i = 0; i < p->n; i++) {
        const int64_t u = p->place[i];
        for (int64_t e = p->begins[u] - 1; e < p->begins[u + 1]; e++) {
            const int64_t v = e < p->begins[u] ? u : p->near[e];
            for (int64_t c = p->first[v]; c < p->first[v + 1]; c++)
                if (p->rows[c] != i) graph->neighbours[next[i]++] = p->rows[c];
        }
    }
    return ALD_OK;
}

/* The rows, whatever their storage, as plain numbers: d is small. */
static ald_status write_out(ald_run *run, const ald_points *points, places *p)
{
    double identity[most_columns * most_columns] = {0.0};
    double *all;
    ald_operator z = points->rows;
    z.inverse_scale = points->scale;
    for (int64_t c = 0; c < p->d; c++) identity[c * p->d + c] = 1.0;
    ALD_TRY(ald_scratch_reals(run, z.x.rows, p->d, &all));
    ALD_TRY(ald_operator_apply(run, &z, ald_of(identity, p->d, p->d), ald_at(all, z.x.rows, p->d)));
    p->x = all;
    if (!points->which) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, p->n, p->d, &p->x));
    for (int64_t i = 0; i < p->n; i++)
        memcpy(p->x + i * p->d, all + points->which[i] * p->d, (size_t)p->d * sizeof *all);
    return ALD_OK;
}

static ald_status check_columns(ald_run *run, const ald_points *points)
{
    if (points->d > most_columns)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "`graph=natural` works on up to %d columns, and there are %lld: the cost of a "
                        "triangulation grows too fast with them; reduce them first, or use `graph=knn`",
                        most_columns, (long long)points->d);
    if (points->n < 2 || points->d < 1)
        return ald_fail(run->error, ALD_ERROR_DATA, "natural neighbours need two rows; there are %lld",
                        (long long)points->n);
    return ALD_OK;
}

ald_status ald_graph_natural(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                             ald_graph *graph)
{
    ald_points points;
    places p = {0};
    simplex_list simplices;
    (void)options;
    ALD_TRY(ald_points_new(run, rows, &points));
    ALD_TRY(check_columns(run, &points));
    ALD_TRY(ald_progress(run, "triangulating", -1.0));
    p.n = graph->n = points.n;
    p.d = points.d;
    ALD_TRY(write_out(run, &points, &p));
    ALD_TRY(find_places(run, &p));
    ALD_TRY(list_rows(run, &p));
    ALD_TRY(centre_points(run, &p));
    ALD_TRY(flatten(run, &p));
    ALD_TRY(triangulate(run, &p, &simplices));
    ALD_TRY(find_near(run, &p, &simplices));
    ALD_TRY(write_rows(run, &p, graph));
    ALD_TRY(ald_graph_measure_rows(run, &points, graph));
    ald_graph_sort(graph);
    graph->how = "the neighbours of the Delaunay triangulation";
    return ALD_OK;
}
