/* Slices of a response by the letter of their definition, and weights as repeated rows. */
#include "base/core/model.h"
#include "methods/engines/slices.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* Slices of y with these weights (NULL: none), in scratch of the run. */
static ald_status slice(ald_run *run, const double *y, int64_t n, const double *weights, int64_t n_slices,
                        ald_model *model, ald_slices *slices)
{
    static ald_target target;
    target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_problem problem = {.n = n, .d = 1, .r = 1, .weights = weights, .target = &target};
    for (int64_t i = 0; i < n; i++) problem.total += weights ? weights[i] : 1.0;
    return ald_problem_slices(run, &problem, n_slices, model, slices);
}

static void slices_are_those_of_the_definition(void **state)
{
    (void)state;
    enum { n = 57 };
    ald_context *context = support_context(1, NULL);
    double *y = support_normals(6, n);
    for (int i = 0; i < n; i++) y[i] = floor(4.0 * y[i]);
    for (int n_slices = 2; n_slices < 80; n_slices++) {
        ald_run run;
        ald_error error;
        ald_model *model;
        ald_slices s;
        support_run(&run, context, &error);
        assert_done(ald_model_new(&run, &model), error);
        assert_done(slice(&run, y, n, NULL, n_slices, model, &s), error);
        int raw[n];
        double count[n] = {0}, edge[n];
        for (int i = 0; i < n; i++) {
            int below = 0;
            for (int j = 0; j < n; j++) below += y[j] < y[i];
            raw[i] = n_slices * below / n;
        }
        for (int64_t h = 0; h < s.count; h++) edge[h] = INFINITY;
        for (int i = 0; i < n; i++) {
            assert_in_range(s.of[i], 0, s.count - 1);
            count[s.of[i]] += 1.0;
            edge[s.of[i]] = fmin(edge[s.of[i]], y[i]);
            for (int j = 0; j < n; j++) {
                assert_int_equal(s.of[i] == s.of[j], raw[i] == raw[j]);
                if (raw[i] < raw[j]) assert_true(s.of[i] < s.of[j]);
            }
        }
        ald_array edges;
        assert_true(ald_model_array(model, "slice_edges", &edges));
        assert_int_equal(edges.shape[0], s.count);
        const double *stored = edges.data;
        for (int64_t h = 0; h < s.count; h++) {
            assert_true(count[h] > 0.0 && count[h] == s.weight[h]);
            assert_true(edge[h] == s.edges[h] && stored[h] == edge[h]);
        }
        assert_int_equal(strtol(ald_model_text(model, "alidade.resolved.slices"), NULL, 10), s.count);
        ald_model_free(model);
        ald_run_end(&run, ALD_OK);
    }
    ald_context_free(context);
    free(y);
}

/* Slices of n rows with weights 0 .. 3, scaled to any sum, against the rows repeated as often. */
static void compare_with_repeated(ald_context *context, const double *y, int n, int n_slices)
{
    double weights[64], repeated[3 * 64], total = 0.0;
    int64_t rows = 0, at = 0;
    ald_run run;
    ald_error error;
    ald_model *one, *two;
    ald_slices a, b;
    for (int i = 0; i < n; i++) {
        total += i % 4;
        for (int copy = 0; copy < i % 4; copy++) repeated[rows++] = y[i];
    }
    for (int i = 0; i < n; i++) weights[i] = (i % 4) / total * n; /* rounded */
    support_run(&run, context, &error);
    assert_done(ald_model_new(&run, &one), error);
    assert_done(ald_model_new(&run, &two), error);
    assert_done(slice(&run, y, n, weights, n_slices, one, &a), error);
    assert_done(slice(&run, repeated, rows, NULL, n_slices, two, &b), error);
    assert_int_equal(a.count, b.count);
    for (int64_t h = 0; h < a.count; h++) {
        assert_true(a.edges[h] == b.edges[h]);
        assert_close(a.weight[h] * total / n, b.weight[h], 1e-9);
    }
    for (int i = 0; i < n; i++) {
        assert_in_range(a.of[i], 0, a.count - 1);
        for (int copy = 0; copy < i % 4; copy++) assert_int_equal(b.of[at++], a.of[i]);
    }
    ald_model_free(one);
    ald_model_free(two);
    ald_run_end(&run, ALD_OK);
}

/* Weights count as repeated rows, however they are rescaled; rows of weight 0 change nothing. */
static void weighted_slices_are_repeated_rows(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    double *y = support_normals(12, 64);
    for (int n = 20; n <= 64; n++)
        for (int n_slices = 2; n_slices < 20; n_slices++) compare_with_repeated(context, y, n, n_slices);
    ald_context_free(context);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_those_of_the_definition),
        cmocka_unit_test(weighted_slices_are_repeated_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
