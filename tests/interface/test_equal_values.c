/* More columns than rows and no ridge: every direction between the classes has the correlation 1, so only
 * what they span is determined by the equations. Which directions are given is a rule of its own: orthogonal,
 * the shortest first, as a ridge that goes to 0 has them. They depend neither on the order of the rows nor on
 * the solver. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 16, d = 30, classes = 4, r = classes - 1 };

static const char *const methods[] = {"lda", "cca", "sir"};
enum { method_count = sizeof methods / sizeof *methods };

typedef struct sample {
    double x[n * d];
    int32_t y[n];
} sample;

static sample make_sample(void)
{
    sample s;
    double *values = support_normals(11, n * d);
    for (int i = 0; i < n * d; i++) s.x[i] = values[i] * (1.0 + 0.1 * (i % d));
    for (int i = 0; i < n; i++) s.y[i] = i % classes;
    free(values);
    return s;
}

static ald_model *fit(const char *method, const char *set, const sample *s)
{
    const ald_matrix view = ald_matrix_row_major(s->x, n, d, d);
    const ald_target y = ald_target_classes(s->y, n, classes);
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, method, set);
    ald_model *model;
    ald_error error;
    assert_done(ald_fit(context, settings, &view, &y, &model, &error), error);
    ald_settings_free(settings);
    ald_context_free(context);
    return model;
}

/* Largest difference of the components, which have their signs by rule, as a part of the longest. */
static void assert_same_directions(const ald_model *a, const ald_model *b, double tolerance)
{
    const double *u = support_reals(a, "components", NULL), *v = support_reals(b, "components", NULL);
    assert_below(support_largest_difference(r * d, u, v), tolerance * support_norm(r * d, u));
}

static void orthogonal_and_the_shortest_first(void **state)
{
    (void)state;
    const sample s = make_sample();
    for (int m = 0; m < method_count; m++) {
        ald_model *model = fit(methods[m], "n_components=0", &s);
        int64_t rows;
        const double *w = support_reals(model, "components", &rows);
        double gram[r * r];
        assert_int_equal(rows, r);
        support_multiply(0, 1, r, r, d, w, w, gram);
        for (int i = 0; i < r; i++)
            for (int j = 0; j < i; j++) {
                assert_below(fabs(gram[i * r + j]), 1e-9 * gram[i * r + i]);
                assert_below(gram[j * r + j], gram[i * r + i]);
            }
        ald_model_free(model);
    }
}

/* A ridge of e of the largest eigenvalue turns them by about e times the condition of X X', here some 1e2. */
static void as_a_ridge_that_goes_to_nothing(void **state)
{
    (void)state;
    const sample s = make_sample();
    for (int m = 0; m < method_count; m++) {
        ald_model *none = fit(methods[m], "n_components=0", &s),
                  *little = fit(methods[m], "n_components=0 ridge_rel=1e-8", &s);
        assert_same_directions(none, little, 1e-5);
        ald_model_free(none);
        ald_model_free(little);
    }
}

static void whatever_the_order_and_the_solver(void **state)
{
    (void)state;
    const sample s = make_sample();
    sample turned;
    for (int i = 0; i < n; i++) {
        turned.y[i] = s.y[n - 1 - i];
        for (int j = 0; j < d; j++) turned.x[i * d + j] = s.x[(n - 1 - i) * d + j];
    }
    static const char *const solvers[] = {"direct", "dual", "two-stage tol=1e-14"};
    for (int m = 0; m < method_count; m++) {
        ald_model *model = fit(methods[m], "n_components=0", &s);
        for (int k = 0; k < 3; k++) {
            char set[80];
            snprintf(set, sizeof set, "n_components=0 solver=%s", solvers[k]);
            ald_model *other = fit(methods[m], set, &turned);
            assert_same_directions(model, other, 1e-8);
            ald_model_free(other);
        }
        ald_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthogonal_and_the_shortest_first),
        cmocka_unit_test(as_a_ridge_that_goes_to_nothing),
        cmocka_unit_test(whatever_the_order_and_the_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
