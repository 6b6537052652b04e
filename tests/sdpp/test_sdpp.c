/* sdpp as defined: invariances, descent, noise-free recovery, all kinds of targets and storages, and what is
 * refused.
 */
#include "parity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* y -> 7 y - 2: J by 7^4, the same subspace, W by 7. X -> X Q + 3: the same J, W turned with it. */
static void invariances(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "n_neighbors=10 tol=1e-12",
        "n_neighbors=10 tol=1e-12 solver=cg",
        "n_neighbors=10 solver=first-order",
    };
    enum { n = 250, d = 5 };
    parity s = make_parity(n, d, 4);
    static double turned[n * d], scaled[n];
    double q[d * d], unit[d], back[2 * d];
    /* Q = I - 2 u u', a reflection. */
    for (int j = 0; j < d; j++) unit[j] = (1.0 + j) / sqrt(55.0);
    for (int i = 0; i < d * d; i++) q[i] = (i / d == i % d) - 2.0 * unit[i / d] * unit[i % d];
    support_multiply(0, 0, n, d, d, s.x, q, turned);
    for (int i = 0; i < n * d; i++) turned[i] += 3.0;
    for (int i = 0; i < n; i++) scaled[i] = 7.0 * s.y[i] - 2.0;
    const ald_matrix other = ald_matrix_row_major(turned, n, d, d);
    const ald_target sevenfold = ald_target_real(ald_matrix_row_major(scaled, n, 1, 1));
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        ald_model *first = support_fit("sdpp", sets[k], &s.view, &s.target),
                  *seven = support_fit("sdpp", sets[k], &s.view, &sevenfold),
                  *moved = support_fit("sdpp", sets[k], &other, &s.target);
        const double j = support_resolved(first, "objective");
        const double *w = support_reals(first, "components", NULL);
        assert_close(support_resolved(seven, "objective") / j, pow(7.0, 4.0), 1e-8 * pow(7.0, 4.0));
        assert_close(support_resolved(moved, "objective") / j, 1.0, 1e-8);
        assert_below(support_degrees(seven, w), 1e-3);
        assert_close(support_norm(2 * d, support_reals(seven, "components", NULL)),
                     7.0 * support_norm(2 * d, w), 1e-5 * support_norm(2 * d, w));
        support_multiply(0, 1, 2, d, d, support_reals(moved, "components", NULL), q, back);
        assert_below(support_degrees(first, back), 1e-3);
        ald_model_free(first);
        ald_model_free(seven);
        ald_model_free(moved);
    }
    free_parity(&s);
}

static void j_never_rises(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "solver=cg",     "n_components=1 solver=cg n_starts=1 n_neighbors=5",
        "divergence=kl", "n_components=3 divergence=itakura-saito",
        "ridge_rel=0.1", "repulsion=3 n_components=1",
        "manifold=0.3",  "early_stopping=0.2",
    };
    parity s = make_parity(200, 12, 5);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        ald_model *model = support_fit("sdpp", sets[k], &s.view, &s.target);
        int64_t steps;
        const double *history = support_reals(model, "objective_history", &steps);
        assert_int_equal(steps, (int64_t)support_resolved(model, "iterations") + 1);
        for (int64_t i = 1; i < steps; i++) assert_true(history[i] <= history[i - 1]);
        assert_true(history[steps - 1] < support_resolved(model, "objective_at_zero"));
        ald_model_free(model);
    }
    free_parity(&s);
}

/* Y = X A without noise: J = 0 at W W' = A A', and random starts find it. */
static void noise_free(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{5, 1, 200}, {5, 2, 200}, {10, 3, 300}, {20, 3, 400}, {50, 2, 500}};
    static const char *const solvers[] = {"cg", "auto"};
    for (size_t t = 0; t < sizeof shapes / sizeof *shapes; t++) {
        const int64_t d = shapes[t][0], q = shapes[t][1], n = shapes[t][2];
        double *x = support_normals(t, n * d), *a = support_normals(t + 100, d * q),
               *y = malloc((size_t)(n * q) * sizeof *y), *aa = malloc((size_t)(d * d) * sizeof *aa),
               *ww = malloc((size_t)(d * d) * sizeof *ww);
        support_multiply(0, 0, n, q, d, x, a, y);
        support_multiply(0, 1, d, d, q, a, a, aa);
        const ald_matrix view = ald_matrix_row_major(x, n, d, d);
        const ald_target target = ald_target_real(ald_matrix_row_major(y, n, q, q));
        for (int k = 0; k < 2; k++) {
            char set[120];
            snprintf(set, sizeof set, "n_components=%d n_neighbors=6 solver=%s", (int)q, solvers[k]);
            ald_model *model = support_fit("sdpp", set, &view, &target);
            const double *w = support_reals(model, "components", NULL);
            support_multiply(1, 0, d, d, q, w, w, ww);
            assert_below(support_resolved(model, "objective"),
                         1e-12 * support_resolved(model, "objective_at_zero"));
            assert_below(support_largest_difference(d * d, aa, ww),
                         1e-5 * support_norm(d * d, aa) / (double)d);
            assert_below(support_resolved(model, "iterations"), 500.0);
            assert_below(support_resolved(model, "iterations_of_all_starts"), 6.0 * 500.0);
            assert_below(support_resolved(model, "relative_gap"), 1e-6);
            ald_model_free(model);
        }
        free(x);
        free(a);
        free(y);
        free(aa);
        free(ww);
    }
}

/* r = d: conjugate gradient reaches the J of the convex solver, which is certified. At r = 2 it is not below
 * it, and the certificate says what is known. */
static void all_directions_reach_the_convex_optimum(void **state)
{
    (void)state;
    static const char *const solvers[] = {"first-order", "auto", "cg"};
    for (int64_t d = 3; d <= 12; d += 3) {
        parity s = make_parity(200, d, (uint64_t)d);
        double best = 0.0;
        for (int k = 0; k < 3; k++) {
            char set[120];
            snprintf(set, sizeof set, "n_components=%d n_neighbors=10 solver=%s", (int)d, solvers[k]);
            ald_model *model = support_fit("sdpp", set, &s.view, &s.target);
            const double j = support_resolved(model, "objective");
            if (k == 0) best = j;
            assert_close(j, best, 1e-6 * best);
            assert_below(support_resolved(model, "relative_gap"), 1e-6);
            assert_non_null(
                strstr(ald_model_text(model, "alidade.resolved.certificate"), "global optimum to"));
            ald_model_free(model);
        }
        ald_model *few = support_fit("sdpp", "n_components=1 n_neighbors=10", &s.view, &s.target);
        assert_true(support_resolved(few, "objective") > best);
        assert_true(support_resolved(few, "relative_gap") * support_resolved(few, "objective_at_zero") >=
                    support_resolved(few, "objective") - best);
        assert_non_null(
            strstr(ald_model_text(few, "alidade.resolved.certificate"), "rank 1 is below the rank"));
        ald_model_free(few);
        free_parity(&s);
    }
}

/* Two classes are the response 0 and 1, labels are responses of 0 and 1, and responses may be turned. */
static void kinds_of_targets(void **state)
{
    (void)state;
    enum { n = 120, d = 6 };
    support_sample s = support_sample_make(n, d, 9);
    static double codes[n], turned[3 * n];
    for (int i = 0; i < n; i++) {
        s.classes[i] = s.classes[i] > 0;
        codes[i] = s.classes[i];
        turned[3 * i] = 0.6 * s.responses[3 * i] + 0.8 * s.responses[3 * i + 1];
        turned[3 * i + 1] = 0.8 * s.responses[3 * i] - 0.6 * s.responses[3 * i + 1];
        turned[3 * i + 2] = 5.0 - s.responses[3 * i + 2];
    }
    const ald_target pairs[3][2] = {
        {ald_target_classes(s.classes, n, 2), ald_target_real(ald_matrix_row_major(codes, n, 1, 1))},
        {ald_target_labels(ald_matrix_row_major(s.labels, n, 3, 3)),
         ald_target_real(ald_matrix_row_major(s.labels, n, 3, 3))},
        {ald_target_real(ald_matrix_row_major(s.responses, n, 3, 3)),
         ald_target_real(ald_matrix_row_major(turned, n, 3, 3))},
    };
    for (int k = 0; k < 3; k++) {
        ald_model *one = support_fit("sdpp", "tol=1e-13", &s.view, &pairs[k][0]),
                  *two = support_fit("sdpp", "tol=1e-13", &s.view, &pairs[k][1]);
        support_assert_same_model(one, two, 1e-6);
        ald_model_free(one);
        ald_model_free(two);
    }
    support_sample_free(&s);
}

/* Three classes at equal distances from each other: one-hot responses over the root of 2. */
static void three_classes(void **state)
{
    (void)state;
    enum { n = 120, d = 6 };
    support_sample s = support_sample_make(n, d, 10);
    static double onehot[3 * n];
    for (int i = 0; i < n; i++) onehot[3 * i + s.classes[i]] = sqrt(0.5);
    const ald_target classes = support_sample_target(&s, ALD_TARGET_CLASSES),
                     numbers = ald_target_real(ald_matrix_row_major(onehot, n, 3, 3));
    ald_model *one = support_fit("sdpp", "tol=1e-13", &s.view, &classes),
              *two = support_fit("sdpp", "tol=1e-13", &s.view, &numbers);
    support_assert_same_model(one, two, 1e-6);
    ald_model_free(one);
    ald_model_free(two);
    support_sample_free(&s);
}

/* More responses than rows. */
static void many_responses(void **state)
{
    (void)state;
    enum { n = 30, d = 4, q = 50 };
    double *x = support_normals(1, n * d), *a = support_normals(2, d * q);
    double y[n * q], ww[d * d], aa[d * d];
    support_multiply(0, 0, n, q, d, x, a, y);
    support_multiply(0, 1, d, d, q, a, a, aa);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, q, q));
    ald_model *model = support_fit("sdpp", "n_components=4", &view, &target);
    const double *w = support_reals(model, "components", NULL);
    support_multiply(1, 0, d, d, d, w, w, ww);
    assert_below(support_largest_difference(d * d, aa, ww), 1e-5 * support_norm(d * d, aa));
    ald_model_free(model);
    free(x);
    free(a);
}

static void storages(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{150, 8}, {40, 90}};
    for (int t = 0; t < 2; t++) {
        parity s = make_parity(shapes[t][0], shapes[t][1], 11);
        for (int64_t i = 0; i < s.n * s.d; i++)
            if (i % 3 == 0 && i % s.d > 1) s.x[i] = 0.0;
        const char *set = t ? "n_neighbors=6 ridge_rel=0.05 n_components=1" : "n_neighbors=10 tol=1e-13";
        ald_model *dense = support_fit("sdpp", set, &s.view, &s.target);
        for (int which = 1; which < support_storage_count; which++) {
            support_matrix m = support_storage(which, s.x, s.n, s.d);
            ald_model *model = support_fit("sdpp", set, &m.view, &s.target);
            support_assert_same_model(dense, model, 1e-5);
            assert_close(support_resolved(dense, "objective"), support_resolved(model, "objective"),
                         1e-10 * support_resolved(dense, "objective_at_zero"));
            ald_model_free(model);
            support_storage_free(&m);
        }
        ald_model_free(dense);
        free_parity(&s);
    }
}

/* Two threads: to rounding; the same number of them: the same bytes. */
static void threads(void **state)
{
    (void)state;
    parity s = make_parity(1500, 8, 12);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &s.view, .y = &s.target};
    static const char *const sets[] = {
        "n_neighbors=10",
        "n_neighbors=10 solver=cg pca_dims=7",
        "divergence=kl n_starts=2",
    };
    for (int k = 0; k < 3; k++) {
        ald_model *one = support_fit_inputs("sdpp", sets[k], &inputs, 1),
                  *two = support_fit_inputs("sdpp", sets[k], &inputs, 2),
                  *again = support_fit_inputs("sdpp", sets[k], &inputs, 2);
        support_assert_same_model(two, again, 0.0);
        support_assert_same_model(one, two, 1e-5);
        ald_model_free(one);
        ald_model_free(two);
        ald_model_free(again);
    }
    free_parity(&s);
}

/* Rows that no radius reaches contribute nothing, and are counted. */
static void isolated_rows(void **state)
{
    (void)state;
    parity s = make_parity(100, 2, 17);
    s.x[0] = s.x[1] = 50.0;
    ald_model *model = support_fit("sdpp", "graph=epsilon radius=0.3", &s.view, &s.target);
    assert_close(support_resolved(model, "isolated_rows"), 1.0, 0.0);
    ald_model_free(model);
    support_refused("sdpp", "graph=epsilon radius=1e-9", &s.view, &s.target, "raise");
    free_parity(&s);
}

/* With no number of neighbours given, there are as many as it takes to meet another class: 20 rows in each,
 * of whose usual 10 neighbours none is. */
static void far_classes_find_neighbours(const ald_matrix *far, const ald_target *two)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "sdpp", "n_components=1");
    ald_model *model;
    ald_error error;
    assert_done(ald_fit(context, settings, far, two, &model, &error), error);
    assert_string_equal(ald_model_text(model, "alidade.resolved.n_neighbors"), "20");
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
}

static void refusals(void **state)
{
    (void)state;
    enum { n = 40, d = 7 };
    parity s = make_parity(n, d, 18);
    int32_t classes[n];
    unsigned char labelled[n];
    static double same[n], apart[n * d], repeated[n * d];
    support_refused("sdpp", "n_neighbors=40", &s.view, &s.target, "n_neighbors");
    support_refused("sdpp", "n_components=8", &s.view, &s.target, "8");
    support_refused("sdpp", "n_components=3 pca_dims=2", &s.view, &s.target, "sdpp has 2 components here");
    support_refused("sdpp", "n_components=0 divergence=kl", &s.view, &s.target, "`divergence=squared` only");
    support_refused("sdpp", "solver=first-order divergence=kl", &s.view, &s.target,
                    "`divergence=squared` only");
    support_refused("sdpp", "n_components=0 early_stopping=0.2", &s.view, &s.target,
                    "`early_stopping` needs a number");
    support_refused("sdpp", "solver=first-order early_stopping=0.2", &s.view, &s.target,
                    "use `solver=cg`, not first-order");
    support_refused("sdpp", "ridge_rel=3", &s.view, &s.target, "lower `ridge`");
    support_refused("sdpp", "penalty=l21 penalty_weight=1e6", &s.view, &s.target,
                    "no feature is left with this `penalty_weight`");
    for (int i = 0; i < n; i++) {
        same[i] = 2.5;
        classes[i] = i % 2;
        labelled[i] = i % 4 != 0;
        for (int j = 0; j < d; j++) {
            apart[i * d + j] = s.x[i * d + j] + 100.0 * classes[i];
            repeated[i * d + j] = (double)(j + i / 20); /* two different rows, twenty times each */
        }
    }
    const ald_target constant = ald_target_real(ald_matrix_row_major(same, n, 1, 1)),
                     two = ald_target_classes(classes, n, 2);
    const ald_matrix far = ald_matrix_row_major(apart, n, d, d),
                     heaps = ald_matrix_row_major(repeated, n, d, d);
    ald_target some = s.target;
    some.labelled = labelled;
    support_refused("sdpp", "", &s.view, &constant, "");
    support_refused("sdpp", "n_neighbors=5", &far, &two, "no two neighbours are of different classes");
    support_refused("sdpp", "n_neighbors=5", &far, &two, "raise `n_neighbors`");
    far_classes_find_neighbours(&far, &two);
    support_refused("sdpp", "n_neighbors=5", &heaps, &s.target, "no pair of neighbours differs");
    support_refused("sdpp", "", &s.view, &some, "10 of 40 rows have no target: set `manifold` above 0");
    for (int i = 1; i < n; i++) labelled[i] = 0;
    labelled[0] = 1;
    support_refused("sdpp", "manifold=1", &s.view, &some, "target");
    free_parity(&s);
}

/* Some rows twice: their pairs have distance 0 in X and in y, which J takes as it is. */
static void repeated_rows(void **state)
{
    (void)state;
    parity s = make_parity(200, 5, 19);
    for (int64_t i = 0; i < 20; i++) {
        memcpy(s.x + i * 5, s.x + (i + 100) * 5, 5 * sizeof *s.x);
        s.y[i] = s.y[i + 100];
    }
    ald_model *model = support_fit("sdpp", "n_neighbors=10", &s.view, &s.target);
    static const double truth[] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    assert_below(support_degrees(model, truth), 25.0);
    ald_model_free(model);
    free_parity(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invariances),      cmocka_unit_test(j_never_rises),
        cmocka_unit_test(noise_free),       cmocka_unit_test(all_directions_reach_the_convex_optimum),
        cmocka_unit_test(kinds_of_targets), cmocka_unit_test(three_classes),
        cmocka_unit_test(many_responses),   cmocka_unit_test(storages),
        cmocka_unit_test(threads),          cmocka_unit_test(isolated_rows),
        cmocka_unit_test(refusals),         cmocka_unit_test(repeated_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
