/* Nearest neighbours and balls against plain loops over all pairs: every storage, shapes that do not fill
 * blocks, ties, duplicates, large offsets, heaps far apart, extreme sizes, scaling, parts of the rows; any
 * number of threads gives the same bytes. */
#include "support/pairs.h"
#include "support/storages.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct built {
    ald_context *context;
    ald_run run;
    ald_error error;
    ald_graph graph;
} built;

static ald_status build(built *b, const ald_operator *z, const ald_graph_options *options, int threads)
{
    b->context = support_context(threads, NULL);
    support_run(&b->run, b->context, &b->error);
    return ald_graph_build(&b->run, z, options, &b->graph);
}

static void end(built *b)
{
    ald_run_end(&b->run, ALD_OK);
    ald_context_free(b->context);
}

/* The graph of Z must be that of the rows of x under the scale of Z: exactly, ties included. */
static void check_knn(const char *name, const ald_operator *z, const double *x, int64_t k, int threads)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    const ald_graph_options options = {.kind = ALD_GRAPH_KNN, .n_neighbors = k};
    support_pair *others = malloc((size_t)n * sizeof *others);
    built b;
    assert_done(build(&b, z, &options, threads), b.error);
    assert_int_equal(b.graph.n, n);
    assert_true(b.graph.recall == 1.0);
    support_check_graph(&b.graph, x, z->inverse_scale, d);
    for (int64_t i = 0; i < n; i++) {
        support_rank_others(x, z->inverse_scale, n, d, i, others);
        assert_int_equal(b.graph.pointers[i + 1], (i + 1) * k);
        for (int64_t c = 0; c < k; c++)
            if (b.graph.neighbours[i * k + c] != others[c].index)
                fail_msg("%s, %d x %d: neighbour %d of %d is %d, not %d", name, (int)n, (int)d, (int)c,
                         (int)i, (int)b.graph.neighbours[i * k + c], (int)others[c].index);
    }
    end(&b);
    free(others);
}

static void check_dense(const char *name, const double *x, int64_t n, int64_t d, int64_t k)
{
    const ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    check_knn(name, &z, x, k, 2);
}

/* Floats, some of them 0, so that all storages hold the same. */
static double *sparse_floats(uint64_t seed, int64_t count)
{
    double *x = support_normals(seed, count);
    for (int64_t i = 0; i < count; i++) x[i] = x[i] < -0.3 ? 0.0 : (double)(float)x[i];
    return x;
}

static void every_storage_and_shape(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {
        {2, 1, 1},   {3, 1, 2},     {17, 3, 5},   {130, 7, 129},
        {700, 2, 4}, {1100, 9, 10}, {40, 300, 6}, {60, 1030, 6},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const int64_t n = shapes[s][0], d = shapes[s][1];
        double *x = sparse_floats(s, n * d);
        for (int which = 0; which < support_storage_count; which++) {
            support_matrix m = support_storage(which, x, n, d);
            const ald_operator z = {.x = m.view};
            check_knn(m.name, &z, x, shapes[s][2], 1 + which % 3);
            support_storage_free(&m);
        }
        free(x);
    }
}

/* Means, sample weights and column scales as a method has them: only the scale counts. */
static void scales_count_and_means_do_not(void **state)
{
    (void)state;
    enum { n = 90, d = 4 };
    double *x = sparse_floats(5, n * d);
    double mean[d], scale[d] = {1.0, 3.0, 0.01, 0.5}, weight[n];
    for (int j = 0; j < d; j++) mean[j] = 0.1 * j - 7.0;
    for (int i = 0; i < n; i++) weight[i] = 1.0 + i % 3;
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, n, d);
        const ald_operator z = {.x = m.view, .mean = mean, .inverse_scale = scale, .row_weight = weight};
        check_knn(m.name, &z, x, 6, 2);
        support_storage_free(&m);
    }
    free(x);
}

/* Row scaling: sparse rows with a shift are rows without zeros. Distances to rounding, neighbours where they
 * differ. */
static void shifted_rows_agree(void **state)
{
    (void)state;
    enum { n = 120, d = 30, k = 5 };
    double *x = sparse_floats(6, n * d), *rows = malloc(sizeof(double) * n * d);
    double shift[n], factor[n], scale[d];
    for (int i = 0; i < n; i++) {
        shift[i] = 0.2 + 0.01 * i;
        factor[i] = 1.0 + 0.3 * (i % 4);
        for (int j = 0; j < d; j++) rows[i * d + j] = (x[i * d + j] - shift[i]) * factor[i];
    }
    for (int j = 0; j < d; j++) scale[j] = 0.5 + 0.1 * j;
    support_pair others[n];
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, n, d);
        const ald_operator z = {
            .x = m.view,
            .row_shift = shift,
            .row_factor = factor,
            .inverse_scale = scale,
        };
        const ald_graph_options options = {.n_neighbors = k};
        built b;
        assert_done(build(&b, &z, &options, 2), b.error);
        for (int i = 0; i < n; i++) {
            support_rank_others(rows, scale, n, d, i, others);
            for (int c = 0; c < k; c++) {
                assert_close(b.graph.squares[i * k + c], others[c].square, 1e-13 * others[c].square);
                assert_int_equal(b.graph.neighbours[i * k + c], others[c].index);
            }
        }
        end(&b);
        support_storage_free(&m);
    }
    free(x);
    free(rows);
}

/* A grid has ties everywhere; its copy shifted by 1/3 has them still, as differences are taken before
 * anything else. */
static void ties_go_to_the_lower_index(void **state)
{
    (void)state;
    enum { side = 12, n = side * side };
    double grid[2 * n], line[5] = {0.0, 1.0, 2.0, 3.0, 4.0}, scale = 0.3;
    for (int i = 0; i < n; i++) {
        grid[2 * i] = i % side;
        grid[2 * i + 1] = i / side;
    }
    check_dense("grid", grid, n, 2, 12);
    for (int i = 0; i < 2 * n; i++) grid[i] = grid[i] * 0.25 + 1048576.0;
    check_dense("grid far away", grid, n, 2, 12);
    const ald_operator z = {.x = ald_matrix_row_major(line, 5, 1, 1), .inverse_scale = &scale};
    check_knn("line, scaled", &z, line, 3, 1);
}

static void duplicates_and_constants(void **state)
{
    (void)state;
    enum { n = 400, d = 5 };
    double *x = support_normals(8, n * d);
    for (int i = 0; i < n * d; i++) x[i] = floor(2.0 * x[i]) / 3.0;
    for (int i = 0; i < n; i++) x[i * d + 3] = 0.1;
    for (int i = 1; i < 60; i++) memcpy(x + i * d, x, sizeof(double) * d);
    check_dense("duplicates", x, n, d, 70);
    for (int i = 0; i < n * d; i++) x[i] = 4.2;
    check_dense("all equal", x, n, d, 9);
    free(x);
}

/* Where single precision cannot tell: the exact distances decide. */
static void offsets_heaps_and_sizes(void **state)
{
    (void)state;
    enum { n = 900, d = 6 };
    double *x = support_normals(9, n * d), *y = malloc(sizeof(double) * n * d);
    for (int i = 0; i < n * d; i++) y[i] = x[i] + 1e8;
    check_dense("offset 1e8", y, n, d, 7);
    for (int i = 0; i < n * d; i++) y[i] = x[i] + (i / d % 3) * 1e6;
    check_dense("heaps", y, n, d, 7);
    for (int i = 0; i < n * d; i++) y[i] = x[i] * (i / d == 17 ? 1e12 : 1.0);
    check_dense("outlier", y, n, d, 7);
    for (int i = 0; i < n * d; i++) y[i] = x[i] * 1e-140;
    check_dense("tiny", y, n, d, 7);
    for (int i = 0; i < n * d; i++) y[i] = x[i] * 1e150;
    check_dense("huge", y, n, d, 7);
    for (int i = 0; i < n * d; i++) y[i] = x[i] * pow(10.0, -(i / d % 30));
    check_dense("all magnitudes", y, n, d, 7);
    free(x);
    free(y);
}

/* Long sums: what single precision loses grows with the number of columns, and the bound with it. */
static void heaps_with_many_columns(void **state)
{
    (void)state;
    enum { n = 200, d = 400 };
    double *x = support_normals(15, n * d);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            x[i * d + j] = 0.01 * x[i * d + j] + (i % 2 ? 50.0 : -50.0) * (1.0 + j % 7);
    check_dense("two heaps", x, n, d, 5);
    free(x);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    enum { n = 2500, d = 7, k = 8 };
    double *x = support_normals(10, n * d);
    const ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    for (int kind = 0; kind < 2; kind++) {
        const ald_graph_options options = {.kind = (ald_graph_kind)kind, .n_neighbors = k, .radius = 1.1};
        built one, more;
        assert_done(build(&one, &z, &options, 1), one.error);
        for (int threads = 2; threads <= 5; threads++) {
            assert_done(build(&more, &z, &options, threads), more.error);
            const int64_t edges = one.graph.pointers[n];
            assert_memory_equal(one.graph.pointers, more.graph.pointers, (n + 1) * sizeof(int64_t));
            assert_memory_equal(one.graph.neighbours, more.graph.neighbours, (size_t)edges * sizeof(int64_t));
            assert_memory_equal(one.graph.squares, more.graph.squares, (size_t)edges * sizeof(double));
            end(&more);
        }
        end(&one);
    }
    free(x);
}

static void check_ball(const ald_operator *z, const double *x, double radius, double expected_radius)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    const ald_graph_options options = {.kind = ALD_GRAPH_EPSILON, .radius = radius};
    support_pair *others = malloc((size_t)n * sizeof *others);
    built b;
    assert_done(build(&b, z, &options, 2), b.error);
    assert_close(b.graph.radius, expected_radius, 1e-15 * expected_radius);
    support_check_graph(&b.graph, x, NULL, d);
    for (int64_t i = 0; i < n; i++) {
        support_rank_others(x, NULL, n, d, i, others);
        int64_t count = 0;
        while (count < n - 1 && sqrt(others[count].square) < b.graph.radius) count++;
        assert_int_equal(b.graph.pointers[i + 1] - b.graph.pointers[i], count);
    }
    end(&b);
    free(others);
}

static void balls(void **state)
{
    (void)state;
    enum { n = 300, d = 3 };
    double *x = sparse_floats(11, n * d);
    double line[4] = {0.0, 0.3, 0.6, 2.0};
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, x, n, d);
        const ald_operator z = {.x = m.view};
        check_ball(&z, x, 0.4, 0.4);
        check_ball(&z, x, 0.0, cbrt(log(300.0) / 300.0));
        support_storage_free(&m);
    }
    /* Strict: 0.3 apart is not within 0.3; the last one is alone. */
    const ald_operator z = {.x = ald_matrix_row_major(line, 4, 1, 1)};
    const ald_graph_options options = {.kind = ALD_GRAPH_EPSILON, .radius = 0.3};
    built b;
    assert_done(build(&b, &z, &options, 1), b.error);
    assert_int_equal(b.graph.isolated, 4);
    end(&b);
    check_ball(&z, line, 0.31, 0.31);
    free(x);
}

/* Queries and references of different sets, of parts of one set, with and without the row itself. */
static void between_sets(void **state)
{
    (void)state;
    enum { n = 260, m = 75, d = 4, k = 6 };
    double *x = support_normals(12, n * d), *y = support_normals(13, m * d);
    double squares[m * k];
    int64_t neighbours[m * k], some[m], others[40];
    ald_context *context = support_context(2, NULL);
    ald_run run;
    ald_error error;
    support_pair ranked[n];
    support_run(&run, context, &error);
    for (int i = 0; i < m * d; i++) y[i] += 2.0;
    const ald_operator zx = {.x = ald_matrix_row_major(x, n, d, d)},
                       zy = {.x = ald_matrix_row_major(y, m, d, d)};
    const ald_rows rx = {.z = &zx}, ry = {.z = &zy};
    assert_done(ald_neighbours_between(&run, &ry, &rx, k, 0, neighbours, squares), error);
    for (int i = 0; i < m; i++) {
        double *joined = malloc(sizeof(double) * (n + 1) * d);
        memcpy(joined, x, sizeof(double) * n * d);
        memcpy(joined + n * d, y + i * d, sizeof(double) * d);
        support_pair all[n + 1];
        support_rank_others(joined, NULL, n + 1, d, n, all);
        for (int c = 0; c < k; c++) assert_int_equal(neighbours[i * k + c], all[c].index);
        free(joined);
    }
    for (int i = 0; i < m; i++) some[i] = 3 * i + 1;
    for (int i = 0; i < 40; i++) others[i] = 6 * i + 1;
    const ald_rows queries = {&zx, some, m}, references = {&zx, others, 40};
    assert_done(ald_neighbours_between(&run, &queries, &references, k, 1, neighbours, squares), error);
    for (int i = 0; i < m; i++) {
        support_rank_others(x, NULL, n, d, some[i], ranked);
        for (int c = 0, at = 0; c < k; at++)
            if (ranked[at].index % 6 == 1 && ranked[at].index < 240)
                assert_int_equal(others[neighbours[i * k + c++]], ranked[at].index);
    }
    assert_done(ald_neighbours_between(&run, &queries, &queries, 1, 0, neighbours, squares), error);
    for (int i = 0; i < m; i++) assert_true(neighbours[i] == i && squares[i] == 0.0);
    assert_int_equal(ald_neighbours_between(&run, &queries, &references, 41, 0, neighbours, squares),
                     ALD_ERROR_ARGUMENT);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(x);
    free(y);
}

static void refusals(void **state)
{
    (void)state;
    double x[6] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
    const ald_operator z = {.x = ald_matrix_row_major(x, 3, 2, 2)};
    static const int64_t wrong[] = {3, 4, 1000000000, 0, -1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const ald_graph_options options = {.n_neighbors = wrong[i]};
        built b;
        assert_int_equal(build(&b, &z, &options, 1), ALD_ERROR_ARGUMENT);
        assert_non_null(strstr(b.error.message, "choose 1 to 2"));
        end(&b);
    }
}

static int stop(void *user, const char *stage, double done)
{
    (void)stage;
    *(double *)user = done;
    return done > 0.2;
}

static void can_be_cancelled(void **state)
{
    (void)state;
    enum { n = 6000, d = 3 };
    double *x = support_normals(14, n * d);
    double heard = -1.0;
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .progress = stop,
        .progress_user = &heard,
    };
    const ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    ald_context *context;
    ald_run run;
    ald_error error;
    ald_graph graph;
    assert_done(ald_context_new(&options, &context, &error), error);
    for (int kind = 0; kind < 3; kind++) {
        const ald_graph_options wanted = {.kind = (ald_graph_kind)kind, .n_neighbors = 4, .radius = 0.05};
        const ald_operator some = {.x = ald_matrix_row_major(x, kind == 2 ? 200 : n, d, d)};
        support_run(&run, context, &error);
        assert_int_equal(ald_graph_build(&run, kind == 2 ? &some : &z, &wanted, &graph), ALD_ERROR_CANCELLED);
        assert_true(heard > 0.2 && heard < 0.7);
        ald_run_end(&run, ALD_ERROR_CANCELLED);
    }
    ald_context_free(context);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage_and_shape),
        cmocka_unit_test(scales_count_and_means_do_not),
        cmocka_unit_test(shifted_rows_agree),
        cmocka_unit_test(ties_go_to_the_lower_index),
        cmocka_unit_test(duplicates_and_constants),
        cmocka_unit_test(offsets_heaps_and_sizes),
        cmocka_unit_test(heaps_with_many_columns),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(balls),
        cmocka_unit_test(between_sets),
        cmocka_unit_test(refusals),
        cmocka_unit_test(can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
