/* Enclosing neighbours against their definition, approximate ones against exact ones, non-negative least
 * squares against the conditions of optimality, given graphs. */
#include "graph_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    static const int64_t shapes[][2] = {
        {1, 1}, {1, 9}, {2, 5}, {5, 3}, {6, 40}, {11, 11}, {30, 200}, {40, 7},
    };
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

/* A point in the middle of the corners of a cross-polytope needs a pair at least; outside points need those
 * in front.
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
    double *y =
        support_normals(30, 40 * 12); /* fewer points than dimensions and a few: all are needed somewhere */
    assert_done(build(&b, ALD_GRAPH_ENCLOSING, y, 40, 12, 2), b.error);
    support_check_graph(&b.graph, y, NULL, 12);
    end(&b);
    free(y);
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
    const ald_rows rows = {.z = &z};
    ald_points points;
    built b;
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, w, 4, 4);
        begin(&b, 1);
        assert_done(ald_graph_from_matrix(&b.run, &m.view, 4, &b.graph), b.error);
        assert_done(ald_points_new(&b.run, &rows, &points), b.error);
        assert_done(ald_scratch_reals(&b.run, 4, 1, &b.graph.squares), b.error);
        assert_done(ald_graph_measure_rows(&b.run, &points, &b.graph), b.error);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_squares_are_optimal),
        cmocka_unit_test(least_squares_by_hand),
        cmocka_unit_test(enclosing_in_the_plane),
        cmocka_unit_test(enclosing_on_a_line),
        cmocka_unit_test(enclosing_in_more_dimensions),
        cmocka_unit_test(approximate_is_told_and_repeats),
        cmocka_unit_test(given_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
