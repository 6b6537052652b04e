/* sdpp with a graph or distances that are given, in memory and in files. */
#include "parity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The k nearest of each row among those of positive weight, dense n x n: weight of j as a neighbour of i. */
static void nearest_graph(const parity *s, int k, const double *weights, double *graph)
{
    double *squares = malloc((size_t)s->n * sizeof *squares);
    memset(graph, 0, (size_t)(s->n * s->n) * sizeof *graph);
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t j = 0; j < s->n; j++) {
            squares[j] = i == j || (weights && !(weights[j] > 0.0)) ? INFINITY : 0.0;
            for (int64_t c = 0; c < s->d; c++)
                squares[j] += pow(s->x[i * s->d + c] - s->x[j * s->d + c], 2.0);
        }
        for (int a = 0; a < k; a++) {
            int64_t best = 0;
            for (int64_t j = 1; j < s->n; j++)
                if (squares[j] < squares[best]) best = j;
            graph[i * s->n + best] = weights ? weights[i] : 1.0;
            squares[best] = INFINITY;
        }
    }
    free(squares);
}

/* A given graph that is the one found, given distances that are those of y, and both: the same model. */
static void given_graph_and_distances(void **state)
{
    (void)state;
    enum { n = 150, k = 8 };
    parity s = make_parity(n, 5, 13);
    static double graph[n * n], distances[n * n], near[n * n];
    nearest_graph(&s, k, NULL, graph);
    for (int i = 0; i < n * n; i++) {
        distances[i] = fabs(s.y[i / n] - s.y[i % n]);
        near[i] = graph[i] > 0.0 ? distances[i] : 0.0;
    }
    support_matrix sparse = support_storage(5, graph, n, n), some = support_storage(7, near, n, n);
    const ald_matrix whole = ald_matrix_row_major(graph, n, n, n),
                     apart = ald_matrix_row_major(distances, n, n, n);
    const ald_inputs given[] = {
        {.size = sizeof(ald_inputs), .x = &s.view, .y = &s.target, .graph = &whole},
        {.size = sizeof(ald_inputs), .x = &s.view, .y = &s.target, .graph = &sparse.view},
        {.size = sizeof(ald_inputs), .x = &s.view, .target_distances = &apart},
        {.size = sizeof(ald_inputs), .x = &s.view, .target_distances = &some.view},
        {.size = sizeof(ald_inputs), .x = &s.view, .graph = &sparse.view, .target_distances = &apart},
        {.size = sizeof(ald_inputs), .x = &s.view, .graph = &whole, .target_distances = &some.view},
    };
    ald_model *found = support_fit("sdpp", "n_neighbors=8", &s.view, &s.target);
    for (size_t g = 0; g < sizeof given / sizeof *given; g++) {
        ald_model *model = support_fit_inputs("sdpp", "n_neighbors=8", &given[g], 1);
        support_assert_same_model(found, model, 1e-9);
        assert_close(support_resolved(model, "pairs"), support_resolved(found, "pairs"), 0.0);
        ald_model_free(model);
    }
    ald_model_free(found);
    support_storage_free(&sparse);
    support_storage_free(&some);
    free_parity(&s);
}

/* A weight is that of the pairs a row points to: the same as a graph with those weights. Rows of weight 0 are
 * in no pair. */
static void weights_are_of_first_rows(void **state)
{
    (void)state;
    enum { n = 150, k = 8 };
    parity s = make_parity(n, 5, 14);
    static double graph[n * n], weights[n];
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += weights[i] = i % 5 == 0 ? 0.0 : 0.5 + (double)(i % 3);
    nearest_graph(&s, k, weights, graph);
    const ald_matrix whole = ald_matrix_row_major(graph, n, n, n);
    ald_target weighted = s.target;
    weighted.weights = weights;
    ald_model *by_weights = support_fit("sdpp", "n_neighbors=8", &s.view, &weighted),
              *by_graph = support_fit_inputs(
                  "sdpp", "",
                  &(ald_inputs){.size = sizeof(ald_inputs), .x = &s.view, .y = &s.target, .graph = &whole},
                  1),
              *plain = support_fit("sdpp", "n_neighbors=8", &s.view, &s.target);
    support_assert_same_model(by_weights, by_graph, 1e-6);
    assert_true(support_sine(2, 5, support_reals(by_weights, "components", NULL),
                             support_reals(plain, "components", NULL)) > 1e-3);
    /* The sum over pairs is divided by the sum of the weights, or by the number of rows. */
    assert_close(support_resolved(by_weights, "objective") * sum / n, support_resolved(by_graph, "objective"),
                 1e-9 * support_resolved(by_graph, "objective"));
    ald_model_free(by_weights);
    ald_model_free(by_graph);
    ald_model_free(plain);
    free_parity(&s);
}

static void write_pairs(const char *path, const double *matrix, int n, int market)
{
    FILE *file = fopen(path, "w");
    int count = 0;
    assert_non_null(file);
    for (int i = 0; i < n * n; i++) count += matrix[i] > 0.0;
    if (market) fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, count);
    for (int i = 0; i < n * n; i++)
        if (matrix[i] > 0.0)
            fprintf(file, market ? "%d %d %.17g\n" : "%d,%d,%.17g\n", i / n + 1, i % n + 1, matrix[i]);
    fclose(file);
}

/* The same from files, without a target column. */
static void given_as_files(void **state)
{
    (void)state;
    enum { n = 60, k = 6 };
    parity s = make_parity(n, 3, 15);
    static double graph[n * n], near[n * n];
    static const char *const header[] = {"a", "b", "c"};
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "sdpp", "n_neighbors=6");
    ald_error error;
    nearest_graph(&s, k, NULL, graph);
    for (int i = 0; i < n * n; i++) near[i] = graph[i] > 0.0 ? fabs(s.y[i / n] - s.y[i % n]) : 0.0;
    assert_done(ald_write_matrix(context, "x.csv", s.x, n, 3, header, &error), error);
    ald_model *found = support_fit("sdpp", "n_neighbors=6", &s.view, &s.target);
    for (int market = 0; market < 2; market++) {
        const char *const names[2] = {market ? "graph.mtx" : "graph.csv", market ? "near.mtx" : "near.csv"};
        const ald_load_options options = {
            .size = sizeof options,
            .graph_file = names[0],
            .distances_file = names[1],
        };
        ald_dataset *data;
        ald_model *model;
        write_pairs(names[0], graph, n, market);
        write_pairs(names[1], near, n, market);
        assert_done(ald_dataset_load(context, "x.csv", &options, &data, &error), error);
        assert_done(ald_fit_dataset(context, settings, data, &model, &error), error);
        support_assert_same_model(found, model, 1e-9);
        ald_model_free(model);
        ald_dataset_free(data);
    }
    ald_model_free(found);
    ald_settings_free(settings);
    ald_context_free(context);
    free_parity(&s);
}

/* The answer when a given matrix is no graph or no distances. */
static void bad_given(void **state)
{
    (void)state;
    enum { n = 20 };
    static const struct {
        double graph, distance;
        int distances, one_way;
        const char *part;
    } cases[] = {
        {-1.0, 1.0, 0, 0, "graph"},
        {NAN, 1.0, 0, 0, "graph"},
        {1.0, -2.0, 1, 0, "have -2; a distance is a number >= 0"},
        {1.0, 5.0, 1, 1, "one way and"},
    };
    parity s = make_parity(n, 3, 16);
    static double graph[n * n], distances[n * n];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        nearest_graph(&s, 4, NULL, graph);
        for (int i = 0; i < n * n; i++) distances[i] = fabs(s.y[i / n] - s.y[i % n]);
        const int64_t first = graph[1] > 0.0 ? 1 : 0;
        for (int j = 1; j < n; j++) {
            graph[j] = j == 1 || graph[j] > 0.0 ? cases[c].graph : 0.0;
            if (cases[c].distances) distances[j] = cases[c].distance;
            if (cases[c].distances && !cases[c].one_way) distances[j * n] = cases[c].distance;
        }
        (void)first;
        const ald_matrix whole = ald_matrix_row_major(graph, n, n, n),
                         apart = ald_matrix_row_major(distances, n, n, n);
        const ald_inputs inputs = {
            .size = sizeof inputs,
            .x = &s.view,
            .y = &s.target,
            .graph = &whole,
            .target_distances = cases[c].distances ? &apart : NULL,
        };
        ald_context *context = support_context(1, NULL);
        ald_settings *settings = support_settings(context, "sdpp", "");
        ald_model *model;
        ald_error error;
        assert_true(ald_fit_inputs(context, settings, &inputs, &model, &error) < 0);
        assert_null(model);
        if (!strstr(error.message, cases[c].part))
            fail_msg("'%s' does not say '%s'", error.message, cases[c].part);
        ald_settings_free(settings);
        ald_context_free(context);
    }
    free_parity(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_graph_and_distances),
        cmocka_unit_test(weights_are_of_first_rows),
        cmocka_unit_test(given_as_files),
        cmocka_unit_test(bad_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
