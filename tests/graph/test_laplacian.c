/* Laplacians against matrices written out, components and bridges against known ones. */
#include "support/pairs.h"
#include "support/storages.h"
#include "support/support.h"

#include "math/graph/components.h"
#include "math/graph/laplacian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 70, d = 4, k = 3, wide = 5 };

typedef struct fixture {
    ald_context *context;
    ald_run run;
    ald_error error;
    double *x, *v, *out, *expected;
    double w[n * n], degree[n];
} fixture;

static void set_up(fixture *f, int threads)
{
    f->context = support_context(threads, NULL);
    support_run(&f->run, f->context, &f->error);
    f->x = support_normals(1, n * d);
    f->v = support_normals(2, n * wide);
    f->out = malloc(sizeof(double) * n * wide);
    f->expected = malloc(sizeof(double) * n * wide);
    for (int i = 0; i < n * d; i++) f->x[i] = (double)(float)f->x[i];
    memset(f->w, 0, sizeof f->w);
}

static void tear_down(fixture *f)
{
    ald_run_end(&f->run, ALD_OK);
    ald_context_free(f->context);
    free(f->x);
    free(f->v);
    free(f->out);
    free(f->expected);
}

/* W v, L v and the normalised product by the written-out W. */
static void check_products(fixture *f, const ald_laplacian *l)
{
    double lap[n * n], normal[n * n];
    for (int i = 0; i < n; i++) {
        f->degree[i] = 0.0;
        for (int j = 0; j < n; j++) f->degree[i] += f->w[i * n + j];
        assert_close(l->degree[i], f->degree[i], 1e-13 * n);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double scale = sqrt(f->degree[i] * f->degree[j]), here = i == j;
            lap[i * n + j] = here * f->degree[i] - f->w[i * n + j];
            normal[i * n + j] = scale > 0.0 ? here - f->w[i * n + j] / scale : 0.0;
        }
    assert_done(ald_laplacian_weigh(&f->run, l, f->v, wide, f->out), f->error);
    support_multiply(0, 0, n, wide, n, f->w, f->v, f->expected);
    assert_below(support_largest_difference(n * wide, f->out, f->expected), 1e-12);
    assert_done(ald_laplacian_apply(&f->run, l, f->v, wide, f->out), f->error);
    support_multiply(0, 0, n, wide, n, lap, f->v, f->expected);
    assert_below(support_largest_difference(n * wide, f->out, f->expected), 1e-11);
    assert_done(ald_laplacian_apply_normalised(&f->run, l, f->v, wide, f->out), f->error);
    support_multiply(0, 0, n, wide, n, normal, f->v, f->expected);
    assert_below(support_largest_difference(n * wide, f->out, f->expected), 1e-12);
}

static double square_of(const fixture *f, int i, int j)
{
    double sum = 0.0;
    for (int c = 0; c < d; c++) sum += pow(f->x[i * d + c] - f->x[j * d + c], 2.0);
    return sum;
}

static void of_nearest_neighbours(void **state)
{
    (void)state;
    fixture f;
    for (int kind = 0; kind < 2; kind++) {
        set_up(&f, 1 + kind);
        const ald_operator z = {.x = ald_matrix_row_major(f.x, n, d, d)};
        const ald_graph_options options = {.kind = (ald_graph_kind)kind, .n_neighbors = k, .radius = 0.9};
        ald_graph graph;
        ald_laplacian l;
        double mean = 0.0;
        assert_done(ald_graph_build(&f.run, &z, &options, &graph), f.error);
        for (int64_t e = 0; e < graph.pointers[n]; e++) mean += graph.squares[e] / (double)graph.pointers[n];
        assert_done(
            ald_laplacian_of_graph(&f.run, &graph, kind ? ALD_WEIGHTS_EQUAL : ALD_WEIGHTS_HEAT, 0.0, &l),
            f.error);
        if (kind == 0) assert_close(l.width, mean, 1e-13 * mean);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (support_joined(&graph, i, j) || support_joined(&graph, j, i))
                    f.w[i * n + j] = kind ? 1.0 : exp(-square_of(&f, i, j) / mean);
        assert_true(kind == 0 || graph.isolated > 0); /* the second graph has rows of their own */
        check_products(&f, &l);
        tear_down(&f);
    }
}

static void of_given_weights(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 1);
    double *given = support_normals(5, n * n);
    for (int i = 0; i < n * n; i++) given[i] = given[i] > 1.5 ? given[i] : 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) f.w[i * n + j] = i == j ? 0.0 : fmax(given[i * n + j], given[j * n + i]);
    const ald_matrix m = ald_matrix_row_major(given, n, n, n);
    ald_graph graph;
    ald_laplacian l;
    assert_done(ald_graph_from_matrix(&f.run, &m, n, &graph), f.error);
    assert_done(ald_laplacian_of_graph(&f.run, &graph, ALD_WEIGHTS_GIVEN, 0.0, &l), f.error);
    check_products(&f, &l);
    assert_int_equal(ald_laplacian_of_graph(&f.run, &graph, ALD_WEIGHTS_HEAT, 0.0, &l), ALD_ERROR_ARGUMENT);
    free(given);
    tear_down(&f);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void of_all_pairs(void **state)
{
    (void)state;
    fixture f;
    for (int which = 0; which < support_storage_count; which++) {
        set_up(&f, 1 + which % 3);
        support_matrix m = support_storage(which, f.x, n, d);
        const ald_operator z = {.x = m.view};
        const ald_rows rows = {.z = &z};
        ald_laplacian l;
        double squares[n * n];
        int count = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) squares[count++] = square_of(&f, i, j);
        qsort(squares, (size_t)count, sizeof *squares, ascending);
        const double median = 0.5 * (squares[(count - 1) / 2] + squares[count / 2]);
        assert_done(ald_laplacian_of_all(&f.run, &rows, 0.0, 0, &l), f.error);
        assert_close(l.width, median, 1e-14 * median);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) f.w[i * n + j] = exp(-square_of(&f, i, j) / median);
        check_products(&f, &l);
        support_storage_free(&m);
        tear_down(&f);
    }
}

/* The degrees of all pairs, to the last bit, for any number of threads. */
static void threads_do_not_matter(void **state)
{
    enum { many = 450, columns = 20 };
    double *x = support_normals(5, many * columns);
    double first[many];
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        ald_context *context = support_context(threads, NULL);
        ald_error error;
        ald_run run;
        ald_laplacian l;
        const ald_operator z = {.x = ald_matrix_row_major(x, many, columns, columns)};
        const ald_rows rows = {.z = &z};
        support_run(&run, context, &error);
        assert_done(ald_laplacian_of_all(&run, &rows, 40.0, 0, &l), error);
        if (threads == 1) memcpy(first, l.degree, sizeof first);
        assert_memory_equal(first, l.degree, sizeof first);
        ald_run_end(&run, ALD_OK);
        ald_context_free(context);
    }
    free(x);
}

/* Prim's tree over the parts by plain loops: only its total length is unique. */
static double shortest_tree(const double *x, int64_t rows, const int64_t *component, int64_t parts)
{
    unsigned char *in = calloc((size_t)parts, 1);
    double total = 0.0;
    in[0] = 1;
    for (int64_t step = 1; step < parts; step++) {
        double best = INFINITY;
        int64_t next = -1;
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < rows; j++) {
                const double apart = hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]);
                if (in[component[i]] && !in[component[j]] && apart < best) {
                    best = apart;
                    next = component[j];
                }
            }
        in[next] = 1;
        total += best;
    }
    free(in);
    return total;
}

static void parts_and_bridges(void **state)
{
    (void)state;
    enum { rows = 200 };
    double *x = support_normals(9, 2 * rows);
    double total = 0.0;
    for (int i = 0; i < rows; i++) x[2 * i] += 10.0 * (i % 5) + (i % 5 == 4 ? 100.0 : 0.0);
    ald_context *context = support_context(2, NULL);
    ald_run run;
    ald_error error;
    ald_graph graph;
    ald_edge *edges;
    int64_t component[rows], parts, count, left;
    support_run(&run, context, &error);
    const ald_operator z = {.x = ald_matrix_row_major(x, rows, 2, 2)};
    const ald_graph_options options = {.n_neighbors = 2};
    assert_done(ald_graph_build(&run, &z, &options, &graph), error);
    assert_done(ald_graph_components(&run, &graph, component, &parts), error);
    assert_true(parts >= 5 && parts < rows / 2);
    for (int64_t i = 0, seen = 0; i < rows; i++) {
        assert_true(component[i] <= seen); /* numbered by first row */
        if (component[i] == seen) seen++;
        for (int64_t e = graph.pointers[i]; e < graph.pointers[i + 1]; e++)
            assert_int_equal(component[i], component[graph.neighbours[e]]);
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < rows; j++)
            if (i % 5 != j % 5 && (i % 5 == 4 || j % 5 == 4)) assert_true(component[i] != component[j]);
    assert_done(ald_graph_bridges(&run, &z, &graph, &edges, &count), error);
    assert_int_equal(count, parts - 1);
    for (int64_t e = 0; e < count; e++) {
        assert_true(edges[e].from < edges[e].to && component[edges[e].from] != component[edges[e].to]);
        total += sqrt(edges[e].square);
    }
    assert_close(total, shortest_tree(x, rows, component, parts), 1e-11 * total);
    const int64_t before = graph.pointers[rows];
    assert_done(ald_graph_connect(&run, &z, &graph, &count), error);
    assert_int_equal(graph.pointers[rows], before + 2 * count);
    support_check_graph(&graph, x, NULL, 2);
    assert_done(ald_graph_components(&run, &graph, component, &left), error);
    assert_int_equal(left, 1);
    assert_done(ald_graph_connect(&run, &z, &graph, &count), error);
    assert_int_equal(count, 0);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_nearest_neighbours), cmocka_unit_test(of_given_weights),
        cmocka_unit_test(of_all_pairs),          cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(parts_and_bridges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
