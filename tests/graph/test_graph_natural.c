/* Natural neighbours against empty spheres, by hand, and where points are degenerate. */
#include "graph_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The centre of the sphere through d + 1 points, by Cramer's rule in 2 and 3 dimensions; 0: they are in a
 * plane. */
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
#define DET(m)                                                                                               \
    ((m)[0][0] * ((m)[1][1] * (m)[2][2] - (m)[1][2] * (m)[2][1]) -                                           \
     (m)[0][1] * ((m)[1][0] * (m)[2][2] - (m)[1][2] * (m)[2][0]) +                                           \
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
    double *x = support_normals(50, 2 * n);
    double wide[4 * n], line[3 * n], one[2 * 5];
    for (int i = 0; i < n; i++) {
        const double row[] = {x[2 * i], 0.1, x[2 * i] + 2.0 * x[2 * i + 1], x[2 * i + 1]};
        memcpy(wide + 4 * i, row, sizeof row);
        for (int c = 0; c < 3; c++) line[3 * i + c] = (c + 1) * ((i * 7) % n) + 0.3;
    }
    /* The plane within four columns is a sheared one: compare with the same plane given by its own
     * coordinates. */
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
    assert_non_null(strstr(b.error.message, "up to 6 columns, and there are 7"));
    end(&b);
    assert_done(build(&b, ALD_GRAPH_NATURAL, x, n, 6, 1), b.error);
    support_check_graph(&b.graph, x, NULL, 6);
    end(&b);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_neighbours_have_empty_spheres),
        cmocka_unit_test(natural_by_hand),
        cmocka_unit_test(natural_degenerate),
        cmocka_unit_test(natural_storages_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
