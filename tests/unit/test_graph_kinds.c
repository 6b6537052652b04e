/* Enclosing neighbours against their definition, natural ones against empty spheres, approximate ones against exact
 * ones, non-negative least squares against the conditions of optimality, given graphs. */
#include "support/pairs.h"
#include "support/storages.h"
#include "support/support.h"

#include "graph/nnls.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct built {
    ald_context *context;
    ald_run run;
    ald_error error;
    ald_graph graph;
} built;

static void begin(built *b, int threads)
{
    b->context = support_context(threads, NULL);
    support_run(&b->run, b->context, &b->error);
}

static void end(built *b)
{
    ald_run_end(&b->run, ALD_OK);
    ald_context_free(b->context);
}

static ald_status build(built *b, ald_graph_kind kind, const double *x, int64_t n, int64_t d, int threads)
{
    const ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    const ald_graph_options options = {.kind = kind, .n_neighbors = 1};
    begin(b, threads);
    return ald_graph_build(&b->run, &z, &options, &b->graph);
}

static int has_feature(const char *name)
{
    if (strstr(ald_build_features(), name)) return 1;
    print_message("skipped: this build has no %s\n", name);
    return 0;
}

/* Optimal: w >= 0, the gradient 0 where w > 0 and not ascending elsewhere. */
static void check_nnls(uint64_t seed, int64_t m, int64_t n, double shift)
{
    double *columns = support_normals(seed, m * n), *b = support_normals(seed + 1, m);
    for (int64_t i = 0; i < m * n; i++) columns[i] += shift;
    ald_nnls t = {.m = m, .n = n, .columns = columns, .b = b, .tol = 1e-11};
    t.w = malloc((size_t)n * sizeof *t.w);
    t.residual = malloc((size_t)m * sizeof *t.residual);
    t.support = malloc((size_t)m * sizeof *t.support);
    t.blocked = malloc((size_t)n);
    t.work = malloc((size_t)((m + 2) * (m + 2) + 2 * m) * sizeof *t.work);
    assert_true(ald_nnls_solve(&t));
    double length = support_norm(m, t.residual), positive = 0.0;
    for (int64_t i = 0; i < m; i++) {
        double left = b[i];
        for (int64_t j = 0; j < n; j++) left -= t.w[j] * columns[j * m + i];
        assert_close(t.residual[i], left, 1e-12 * (1.0 + support_norm(m, b)));
    }
    for (int64_t j = 0; j < n; j++) {
        double along = 0.0;
        for (int64_t i = 0; i < m; i++) along += columns[j * m + i] * t.residual[i];
        assert_true(t.w[j] >= 0.0);
        positive += t.w[j] > 0.0;
        assert_below(along, 1e-10 * support_norm(m, columns + j * m) * (length + 1e-4));
        if (t.w[j] > 0.0) assert_below(-along, 1e-10 * support_norm(m, columns + j * m) * (length + 1e-4));
    }
    assert_int_equal(t.passive, (int64_t)positive);
    void *const memory[] = {columns, b, t.w, t.residual, t.support, t.blocked, t.work};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) free(memory[i]);
}

static void least_squares_are_optimal(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{1, 1}, {1, 9}, {2, 5}, {5, 3}, {6, 40}, {11, 11}, {30, 200}, {40, 7}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (uint64_t seed = 0; seed < 20; seed++)
            check_nnls(100 * s + 2 * seed, shapes[s][0], shapes[s][1], seed % 2 ? 0.0 : 1.0);
}

/* w by hand: only the first column can help, then both, then none. */
static void least_squares_by_hand(void **state)
{
    (void)state;
    const double columns[] = {1.0, 0.0, 1.0, 1.0}; /* (1, 0) and (1, 1) */
    static const double targets[][2] = {{2.0, -1.0}, {3.0, 1.0}, {-1.0, -1.0}, {0.0, 2.0}};
    static const double known[][2] = {{2.0, 0.0}, {2.0, 1.0}, {0.0, 0.0}, {0.0, 1.0}};
    double w[2], residual[2], work[32];
    int64_t support[2];
    unsigned char blocked[2];
    for (int i = 0; i < 4; i++) {
        ald_nnls t = {2, 2, columns, targets[i], 1e-11, w, residual, support, blocked, work, 0};
        assert_true(ald_nnls_solve(&t));
        assert_close(w[0], known[i][0], 1e-15);
        assert_close(w[1], known[i][1], 1e-15);
    }
}

/* In the plane the distance to a hull is 0 inside a triangle, else that to the nearest segment. */
static double cross(const double *o, const double *a, const double *b)
{
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

static double to_segment(const double *g, const double *a, const double *b)
{
    const double u[2] = {b[0] - a[0], b[1] - a[1]}, square = u[0] * u[0] + u[1] * u[1];
    double t = square > 0.0 ? ((g[0] - a[0]) * u[0] + (g[1] - a[1]) * u[1]) / square : 0.0;
    t = fmin(1.0, fmax(0.0, t));
    return hypot(a[0] + t * u[0] - g[0], a[1] + t * u[1] - g[1]);
}

static int in_triangle(const double *g, const double *a, const double *b, const double *c)
{
    const double s = cross(a, b, g), t = cross(b, c, g), u = cross(c, a, g);
    if (fabs(cross(a, b, c)) < 1e-12) return 0; /* corners in a line: the segments say all */
    return (s >= 0.0 && t >= 0.0 && u >= 0.0) || (s <= 0.0 && t <= 0.0 && u <= 0.0);
}

static double to_hull(const double *x, int64_t g, const support_pair *others, int64_t k)
{
    double nearest = INFINITY;
    const double *from = x + 2 * g;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double *a = x + 2 * others[i].index, *b = x + 2 * others[j].index;
            nearest = fmin(nearest, to_segment(from, a, b));
            for (int64_t l = 0; l < j; l++)
                if (in_triangle(from, a, b, x + 2 * others[l].index)) return 0.0;
        }
    return nearest;
}

static void enclosing_in_the_plane(void **state)
{
    (void)state;
    enum { n = 60 };
    support_pair others[n];
    for (uint64_t seed = 0; seed < 4; seed++) {
        double *x = support_normals(20 + seed, 2 * n);
        if (seed == 2) memcpy(x + 2 * 7, x, 2 * sizeof *x); /* a duplicate encloses at once */
        built b;
        assert_done(build(&b, ALD_GRAPH_ENCLOSING, x, n, 2, 1 + seed % 2), b.error);
        support_check_graph(&b.graph, x, NULL, 2);
        for (int64_t g = 0; g < n; g++) {
            support_rank_others(x, NULL, n, 2, g, others);
            const double all = to_hull(x, g, others, n - 1);
            int64_t k = 1;
            while (to_hull(x, g, others, k) - all > 1e-7 * sqrt(others[k - 1].square)) k++;
            assert_int_equal(b.graph.pointers[g + 1] - b.graph.pointers[g], k);
            for (int64_t c = 0; c < k; c++)
                assert_int_equal(b.graph.neighbours[b.graph.pointers[g] + c], others[c].index);
        }
        end(&b);
        free(x);
    }
}

/* On a line: a point within is enclosed once it has one on either side, an end point by the nearest. */
static void enclosing_on_a_line(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 3.0, 7.0, 8.0, 20.0};
    built b;
    assert_done(build(&b, ALD_GRAPH_ENCLOSING, x, 6, 1, 1), b.error);
    for (int i = 0; i < 6; i++) {
        support_pair others[6];
        support_rank_others(x, NULL, 6, 1, i, others);
        int64_t k = 1;
        const int inner = i > 0 && i < 5;
        while (inner && k < 5) {
            int left = 0, right = 0;
            for (int64_t c = 0; c < k; c++) *(x[others[c].index] < x[i] ? &left : &right) = 1;
            if (left && right) break;
            k++;
        }
        assert_int_equal(b.graph.pointers[i + 1] - b.graph.pointers[i], k);
    }
    end(&b);
}

/* A point in the middle of the corners of a cross-polytope needs a pair at least; outside points need those in front.
 */
static void enclosing_in_more_dimensions(void **state)
{
    (void)state;
    enum { d = 5, n = 2 * d + 1 };
    double x[n * d] = {0.0};
    for (int c = 0; c < d; c++) {
        x[(1 + 2 * c) * d + c] = 1.0 + 0.1 * c;
        x[(2 + 2 * c) * d + c] = -1.0 - 0.1 * c;
    }
    built b;
    assert_done(build(&b, ALD_GRAPH_ENCLOSING, x, n, d, 2), b.error);
    assert_int_equal(b.graph.pointers[1], 2);
    end(&b);
    double *y = support_normals(30, 40 * 12); /* fewer points than dimensions and a few: all are needed somewhere */
    assert_done(build(&b, ALD_GRAPH_ENCLOSING, y, 40, 12, 2), b.error);
    support_check_graph(&b.graph, y, NULL, 12);
    end(&b);
    free(y);
}

/* The centre of the sphere through d + 1 points, by Cramer's rule in 2 and 3 dimensions; 0: they are in a plane. */
static int circumcentre(const double *x, int d, const int *corner, double *centre)
{
    double a[3][3] = {{0}}, h[3] = {0};
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++) {
            const double p = x[corner[r + 1] * d + c], q = x[corner[0] * d + c];
            a[r][c] = 2.0 * (p - q);
            h[r] += p * p - q * q;
        }
    if (d == 2) a[2][2] = 1.0;
#define DET(m)                                                                                                         \
    ((m)[0][0] * ((m)[1][1] * (m)[2][2] - (m)[1][2] * (m)[2][1]) -                                                     \
     (m)[0][1] * ((m)[1][0] * (m)[2][2] - (m)[1][2] * (m)[2][0]) +                                                     \
     (m)[0][2] * ((m)[1][0] * (m)[2][1] - (m)[1][1] * (m)[2][0]))
    const double whole = DET(a);
    if (fabs(whole) < 1e-12) return 0;
    for (int c = 0; c < d; c++) {
        double replaced[3][3];
        memcpy(replaced, a, sizeof replaced);
        for (int r = 0; r < 3; r++) replaced[r][c] = h[r];
        centre[c] = DET(replaced) / whole;
    }
#undef DET
    return 1;
}

static int is_empty(const double *x, int n, int d, const int *corner, const double *centre)
{
    double radius = 0.0;
    for (int c = 0; c < d; c++) radius += pow(x[corner[0] * d + c] - centre[c], 2.0);
    for (int i = 0; i < n; i++) {
        double square = 0.0;
        int is_corner = 0;
        for (int c = 0; c <= d; c++) is_corner |= corner[c] == i;
        for (int c = 0; c < d; c++) square += pow(x[i * d + c] - centre[c], 2.0);
        if (!is_corner && square < radius) return 0;
    }
    return 1;
}

/* Edges of all simplices whose sphere has no point inside: the definition. */
static void check_delaunay(const double *x, int n, int d, int threads)
{
    unsigned char *edge = calloc((size_t)(n * n), 1);
    int corner[4] = {0};
    double centre[3];
    for (corner[0] = 0; corner[0] < n; corner[0]++)
        for (corner[1] = 0; corner[1] < corner[0]; corner[1]++)
            for (corner[2] = 0; corner[2] < corner[1]; corner[2]++)
                for (corner[3] = 0; corner[3] < (d == 3 ? corner[2] : 1); corner[3]++) {
                    if (!circumcentre(x, d, corner, centre) || !is_empty(x, n, d, corner, centre)) continue;
                    for (int a = 0; a <= d; a++)
                        for (int c = 0; c <= d; c++) edge[corner[a] * n + corner[c]] = 1;
                }
    built b;
    assert_done(build(&b, ALD_GRAPH_NATURAL, x, n, d, threads), b.error);
    support_check_graph(&b.graph, x, NULL, d);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j) assert_int_equal(support_joined(&b.graph, i, j), edge[i * n + j]);
    end(&b);
    free(edge);
}

static void natural_neighbours_have_empty_spheres(void **state)
{
    (void)state;
    if (!has_feature("qhull")) skip();
    for (uint64_t seed = 0; seed < 3; seed++) {
        double *x = support_normals(40 + seed, 3 * 40);
        check_delaunay(x, 40, 2, 1 + seed % 2);
        check_delaunay(x, 22, 3, 2);
        check_delaunay(x, 4, 2, 1);
        check_delaunay(x, 5, 3, 1);
        free(x);
    }
}

static void natural_by_hand(void **state)
{
    (void)state;
    built b;
    if (!has_feature("qhull")) skip();
    /* A square with its middle: the corners are neighbours along the sides, and all of the middle. */
    const double square[] = {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5};
    assert_done(build(&b, ALD_GRAPH_NATURAL, square, 5, 2, 1), b.error);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(b.graph.pointers[i + 1] - b.graph.pointers[i], 3);
        assert_int_equal(b.graph.neighbours[b.graph.pointers[i]], 4);
        assert_false(support_joined(&b.graph, i, (i + 2) % 4));
    }
    end(&b);
    /* Four on one circle: Qt takes one of the diagonals, both ways. */
    assert_done(build(&b, ALD_GRAPH_NATURAL, square, 4, 2, 1), b.error);
    assert_int_equal(b.graph.pointers[4], 10);
    assert_int_equal(support_joined(&b.graph, 0, 2) + support_joined(&b.graph, 1, 3), 1);
    end(&b);
    /* A grid is full of circles through four points. */
    double grid[2 * 49];
    for (int i = 0; i < 49; i++) {
        grid[2 * i] = i % 7;
        grid[2 * i + 1] = i / 7;
    }
    assert_done(build(&b, ALD_GRAPH_NATURAL, grid, 49, 2, 1), b.error);
    support_check_graph(&b.graph, grid, NULL, 2);
    assert_int_equal(b.graph.pointers[49], 2 * (2 * 42 + 36)); /* sides and a diagonal a cell */
    for (int i = 0; i + 1 < 49; i++)
        if (i % 7 != 6) assert_true(support_joined(&b.graph, i, i + 1));
    end(&b);
}

/* Equal rows, constant columns, points on a line or all in one place. */
static void natural_degenerate(void **state)
{
    (void)state;
    enum { n = 30 };
    built b, flat;
    if (!has_feature("qhull")) skip();
    double *x = support_normals(50, 2 * n), wide[4 * n], line[3 * n], one[2 * 5];
    for (int i = 0; i < n; i++) {
        const double row[] = {x[2 * i], 0.1, x[2 * i] + 2.0 * x[2 * i + 1], x[2 * i + 1]};
        memcpy(wide + 4 * i, row, sizeof row);
        for (int c = 0; c < 3; c++) line[3 * i + c] = (c + 1) * ((i * 7) % n) + 0.3;
    }
    /* The plane within four columns is a sheared one: compare with the same plane given by its own coordinates. */
    double own[2 * n];
    for (int i = 0; i < n; i++) { /* an orthonormal basis of (1, 1, 0), (0, 2, 1) */
        const double p = sqrt(2.0), q = 1.0 / sqrt(3.0);
        own[2 * i] = (x[2 * i] + x[2 * i] + 2.0 * x[2 * i + 1]) / p;
        own[2 * i + 1] = q * (-x[2 * i] + x[2 * i] + 2.0 * x[2 * i + 1] + x[2 * i + 1]);
    }
    assert_done(build(&b, ALD_GRAPH_NATURAL, wide, n, 4, 1), b.error);
    assert_done(build(&flat, ALD_GRAPH_NATURAL, own, n, 2, 1), flat.error);
    support_check_graph(&b.graph, wide, NULL, 4);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j) assert_int_equal(support_joined(&b.graph, i, j), support_joined(&flat.graph, i, j));
    end(&b);
    end(&flat);
    assert_done(build(&b, ALD_GRAPH_NATURAL, line, n, 3, 1), b.error);
    assert_int_equal(b.graph.pointers[n], 2 * (n - 1));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_int_equal(support_joined(&b.graph, i, j), abs((i * 7) % n - (j * 7) % n) == 1);
    end(&b);
    for (int i = 0; i < 10; i++) one[i] = 0.7;
    assert_done(build(&b, ALD_GRAPH_NATURAL, one, 5, 2, 1), b.error);
    assert_int_equal(b.graph.pointers[5], 20);
    end(&b);
    /* A copy has the neighbours of its original, and it. */
    memcpy(x + 2 * (n - 1), x + 2 * 3, 2 * sizeof *x);
    assert_done(build(&b, ALD_GRAPH_NATURAL, x, n, 2, 1), b.error);
    support_check_graph(&b.graph, x, NULL, 2);
    for (int j = 0; j < n - 1; j++)
        assert_int_equal(support_joined(&b.graph, n - 1, j), j == 3 || support_joined(&b.graph, 3, j));
    end(&b);
    free(x);
}

static void natural_storages_and_limits(void **state)
{
    (void)state;
    enum { n = 50, d = 3 };
    if (!has_feature("qhull")) skip();
    double *x = support_normals(60, 7 * n);
    built first, b;
    for (int i = 0; i < n * d; i++) x[i] = (double)(float)x[i];
    assert_done(build(&first, ALD_GRAPH_NATURAL, x, n, d, 1), first.error);
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, n, d);
        const ald_operator z = {.x = m.view};
        const ald_graph_options options = {.kind = ALD_GRAPH_NATURAL};
        begin(&b, 2);
        assert_done(ald_graph_build(&b.run, &z, &options, &b.graph), b.error);
        assert_memory_equal(b.graph.pointers, first.graph.pointers, (n + 1) * sizeof(int64_t));
        assert_memory_equal(b.graph.neighbours, first.graph.neighbours,
                            (size_t)first.graph.pointers[n] * sizeof(int64_t));
        end(&b);
        support_storage_free(&m);
    }
    end(&first);
    assert_int_equal(build(&b, ALD_GRAPH_NATURAL, x, n, 7, 1), ALD_ERROR_DATA);
    assert_non_null(strstr(b.error.message, "up to 6 columns and there are 7"));
    end(&b);
    assert_done(build(&b, ALD_GRAPH_NATURAL, x, n, 6, 1), b.error);
    support_check_graph(&b.graph, x, NULL, 6);
    end(&b);
    free(x);
}

static void approximate_is_told_and_repeats(void **state)
{
    (void)state;
    enum { n = 3000, d = 10, k = 8 };
    if (!has_feature("hnswlib")) skip();
    double *x = support_normals(70, n * d);
    for (int i = 0; i < 40; i++) memcpy(x + i * d, x, sizeof(double) * d);
    const ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    ald_graph_options options = {.n_neighbors = k, .seed = 3};
    built exact, one, two;
    begin(&exact, 2);
    begin(&one, 1);
    begin(&two, 2);
    assert_done(ald_graph_build(&exact.run, &z, &options, &exact.graph), exact.error);
    options.approximate = 1;
    assert_done(ald_graph_build(&one.run, &z, &options, &one.graph), one.error);
    assert_done(ald_graph_build(&two.run, &z, &options, &two.graph), two.error);
    support_check_graph(&one.graph, x, NULL, d);
    assert_memory_equal(one.graph.neighbours, two.graph.neighbours, n * k * sizeof(int64_t));
    assert_true(one.graph.recall == two.graph.recall);
    int64_t found = 0;
    for (int i = 0; i < n * k; i++) found += one.graph.squares[i] <= exact.graph.squares[i / k * k + k - 1];
    const double recall = (double)found / (n * k);
    assert_true(recall > 0.9);
    assert_close(one.graph.recall, recall, 4.0 * sqrt((recall * (1.0 - recall) + 1e-4) / 500.0));
    end(&exact);
    end(&one);
    end(&two);
    support_matrix m = support_storage(5, x, 50, d);
    const ald_operator sparse = {.x = m.view};
    begin(&one, 1);
    assert_int_equal(ald_graph_build(&one.run, &sparse, &options, &one.graph), ALD_ERROR_UNSUPPORTED);
    end(&one);
    support_storage_free(&m);
    free(x);
}

static void given_graphs(void **state)
{
    (void)state;
    double w[16] = {5, 1, 0, 2, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 3, 0}, x[4] = {0.0, 1.0, 4.0, 6.0};
    static const int64_t pointers[] = {0, 2, 2, 3, 4}, neighbours[] = {1, 3, 0, 2};
    static const double weights[] = {1, 2, 0.5, 3}, squares[] = {1, 36, 16, 4};
    const ald_operator z = {.x = ald_matrix_row_major(x, 4, 1, 1)};
    built b;
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, w, 4, 4);
        begin(&b, 1);
        assert_done(ald_graph_from_matrix(&b.run, &m.view, 4, &b.graph), b.error);
        assert_done(ald_graph_measure(&b.run, &z, &b.graph), b.error);
        assert_memory_equal(b.graph.pointers, pointers, sizeof pointers);
        assert_memory_equal(b.graph.neighbours, neighbours, sizeof neighbours);
        assert_memory_equal(b.graph.weights, weights, sizeof weights);
        assert_memory_equal(b.graph.squares, squares, sizeof squares);
        assert_int_equal(b.graph.isolated, 1);
        assert_int_equal(ald_graph_from_matrix(&b.run, &m.view, 5, &b.graph), ALD_ERROR_DATA);
        end(&b);
        support_storage_free(&m);
    }
    static const double bad[] = {-1.0, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        w[14] = bad[i];
        const ald_matrix m = ald_matrix_row_major(w, 4, 4, 4);
        begin(&b, 1);
        assert_int_equal(ald_graph_from_matrix(&b.run, &m, 4, &b.graph), ALD_ERROR_DATA);
        assert_non_null(strstr(b.error.message, "row 4, column 3"));
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(least_squares_are_optimal),
                                       cmocka_unit_test(least_squares_by_hand),
                                       cmocka_unit_test(enclosing_in_the_plane),
                                       cmocka_unit_test(enclosing_on_a_line),
                                       cmocka_unit_test(enclosing_in_more_dimensions),
                                       cmocka_unit_test(natural_neighbours_have_empty_spheres),
                                       cmocka_unit_test(natural_by_hand),
                                       cmocka_unit_test(natural_degenerate),
                                       cmocka_unit_test(natural_storages_and_limits),
                                       cmocka_unit_test(approximate_is_told_and_repeats),
                                       cmocka_unit_test(given_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
