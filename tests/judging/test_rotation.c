/* Wide rows by fewer coordinates (judge/cells/rotation.h): a comparison has the predictions of fits to the
 * rows themselves, and what a rotation would change is fitted as it is. */
#include "judge/cells/rotation.h"
#include "support/comparing.h"
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 37, d = 160, parts = 4 };

typedef struct wide {
    support_sample sample;
    int64_t part[n];
    double weights[n];
    ald_splits_options splits;
    ald_context *context;
} wide;

static void begin(wide *w, int threads)
{
    w->sample = support_sample_make(n, d, 4);
    w->splits = (ald_splits_options){.size = sizeof w->splits, .parts = w->part, .n_parts = parts};
    w->context = support_context(threads, NULL);
    for (int i = 0; i < n; i++) {
        w->part[i] = (7 * i) % parts;
        w->weights[i] = 1.0 + i % 3;
        for (int j = 0; j < d; j++) w->sample.x[i * d + j] = w->sample.x[i * d + j] * (1.0 + j % 7) + j;
    }
}

static void end(wide *w)
{
    support_sample_free(&w->sample);
    ald_context_free(w->context);
}

static void take(const double *from, int64_t width, const int64_t *rows, int64_t count, double *to)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * width, from + rows[i] * width, (size_t)width * sizeof *to);
}

/* Scores (n x q) of the rows of every part by fits to the other parts. */
static void predict_parts(const wide *w, const ald_settings *settings, const ald_target *y, int64_t q,
                          double *scores)
{
    double x[n * d], values[n * 3], weights[n], found[n * 3];
    int32_t classes[n];
    for (int64_t part = 0; part < parts; part++) {
        int64_t train[n], test[n], n_train = 0, n_test = 0;
        ald_target own = *y;
        ald_model *model = NULL;
        ald_error error;
        for (int64_t i = 0; i < n; i++) *(w->part[i] == part ? &test[n_test++] : &train[n_train++]) = i;
        take(w->sample.x, d, train, n_train, x);
        if (y->values.values) take(y->values.values, y->values.cols, train, n_train, values);
        for (int64_t i = 0; i < n_train; i++) {
            if (y->classes) classes[i] = y->classes[train[i]];
            weights[i] = w->weights[train[i]];
        }
        own.rows = n_train;
        if (y->classes) own.classes = classes;
        if (y->weights) own.weights = weights;
        if (y->values.values) own.values = ald_matrix_row_major(values, n_train, q, q);
        const ald_matrix from = ald_matrix_row_major(x, n_train, d, d);
        assert_done(ald_fit(w->context, settings, &from, &own, &model, &error), error);
        take(w->sample.x, d, test, n_test, x);
        const ald_matrix to = ald_matrix_row_major(x, n_test, d, d);
        assert_done(ald_predict_scores(w->context, model, &to, found, &error), error);
        for (int64_t i = 0; i < n_test; i++)
            memcpy(scores + test[i] * q, found + i * q, (size_t)q * sizeof *scores);
        ald_model_free(model);
    }
}

static void assert_predictions(const wide *w, const support_candidates *c, const ald_comparison *comparison,
                               const ald_target *y)
{
    double expected[n * 3];
    for (int row = 0; row < ald_comparison_count(comparison); row++) {
        ald_out_of_fold found = ALD_OUT_OF_FOLD_INIT;
        ald_error error;
        double worst = 0.0, largest = 0.0;
        assert_done(ald_comparison_predictions(comparison, row, &found, &error), error);
        assert_done(ald_settings_set_int(c->settings[row], "n_components", 2, &error), error);
        predict_parts(w, c->settings[row], y, found.outputs, expected);
        for (int64_t i = 0; i < n * found.outputs; i++) {
            worst = fmax(worst, fabs(found.mean[i] - expected[i]));
            largest = fmax(largest, fabs(expected[i]));
        }
        print_message("%s: %.1e\n", ald_comparison_at(comparison, row)->label, worst / largest);
        assert_true(worst < 1e-10 * largest);
    }
}

/* Whether the fit is given other rows in the first split. */
static int is_turned(const wide *w, const support_candidates *c, int which, const ald_target *y)
{
    ald_sums_fit fits[support_most_candidates];
    const ald_subset all = {w->sample.view, *y};
    ald_subset train, test;
    int64_t rows[n], others[n], count = 0, n_others = 0;
    ald_rotations rotations;
    const ald_turned *turned;
    ald_error error;
    ald_run run;
    for (int i = 0; i < c->count; i++) fits[i] = (ald_sums_fit){.settings = c->settings[i], .r = 2};
    for (int64_t i = 0; i < n; i++) *(w->part[i] == 0 ? &others[n_others++] : &rows[count++]) = i;
    support_run(&run, c->context, &error);
    assert_done(ald_subset_take(&run, &all, rows, count, &train), error);
    assert_done(ald_subset_take(&run, &all, others, n_others, &test), error);
    ald_rotations_begin(&run, fits, c->count, &rotations);
    assert_done(ald_rotations_find(&run, &rotations, c->settings[which], &train, &test, NULL, &turned),
                error);
    const int is = turned != NULL;
    ald_rotations_end(&rotations);
    ald_run_end(&run, ALD_OK);
    return is;
}

typedef struct tried {
    const char *method, *set;
    int turned;
} tried;

static const int64_t two = 2;

static ald_comparison *compare(const support_candidates *c, const wide *w, const ald_target *y)
{
    const ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = c->list,
        .count = c->count,
        .splits = &w->splits,
        .keep_predictions = 1,
    };
    ald_comparison *comparison = NULL;
    ald_error error;
    assert_done(ald_compare(c->context, &w->sample.view, y, &options, &comparison, &error), error);
    return comparison;
}

static void check(const tried *list, int count, ald_target_kind kind, int weighted)
{
    support_candidates c;
    wide w;
    begin(&w, 2);
    ald_target y = support_sample_target(&w.sample, kind);
    if (weighted) y.weights = w.weights;
    support_candidates_begin(&c, w.context);
    for (int i = 0; i < count; i++)
        support_candidates_add(&c, ALD_CANDIDATE_METHOD, list[i].method, list[i].set, &two, 1);
    for (int i = 0; i < count; i++) {
        print_message("%s %s\n", list[i].method, list[i].set);
        assert_int_equal(is_turned(&w, &c, i, &y), list[i].turned);
    }
    ald_comparison *comparison = compare(&c, &w, &y);
    assert_predictions(&w, &c, comparison, &y);
    ald_comparison_free(comparison);
    support_candidates_end(&c);
    end(&w);
}

static void predictions_of_responses(void **state)
{
    (void)state;
    static const tried list[] = {
        {"pls", "predictor=linear", 1},
        {"pls", "predictor=linear scale=standard", 1},
        {"pls", "predictor=linear scale=minmax", 1},
        {"pls", "predictor=knn rows=snv", 1},
        {"cca", "predictor=linear", 1},
        {"cca", "predictor=linear ridge_rel=0.01", 1},
        {"cca", "predictor=linear ridge_rel=0.01 scale=standard", 1},
        {"opls", "predictor=linear ridge_rel=1e-4 scale=standard", 1},
        {"opls", "predictor=linear ridge_rel=0.1 rows=snv", 1},
        {"rrr", "predictor=linear ridge_rel=1e-4", 1},
        {"rrr", "predictor=linear ridge_rel=0.1 scale=minmax", 1},
        {"pca", "predictor=linear", 1},
        {"pca", "predictor=linear scale=minmax", 1},
        {"pca", "predictor=linear center=0", 0},
        {"pca", "predictor=linear solver=direct", 0},
        {"spca", "predictor=linear scale=standard", 1},
        {"spca", "predictor=linear rows=snv row_scale=unit", 0},
        {"plssb", "predictor=linear rows=snv", 1},
        {"kpls", "predictor=linear", 1},
        {"kpls", "predictor=linear scale=standard landmarks=9", 1},
        {"kpls", "predictor=linear scale=minmax", 1},
        {"kpls", "predictor=linear kernel=linear", 0},
        {"kpls", "predictor=linear kernel=laplacian", 0},
        {"kpls", "predictor=linear features=50", 0},
        {"kcca", "predictor=linear scale=standard", 1},
        {"kspca", "predictor=linear", 1},
        {"kspca", "predictor=linear rows=snv", 1},
        {"kpca", "predictor=knn", 1},
        {"bair", "predictor=linear", 0},
    };
    check(list, sizeof list / sizeof *list, ALD_TARGET_REAL, 0);
}

/* The last has a preparation of its own, for which a rotation does not pay. */
static void scores_of_classes(void **state)
{
    (void)state;
    static const tried list[] = {
        {"lda", "predictor=linear ridge_rel=0.01", 1},
        {"lda", "predictor=knn", 1},
        {"lda", "predictor=logistic ridge_rel=0.1 scale=standard", 1},
        {"sir", "predictor=linear ridge_rel=0.1 scale=standard", 1},
        {"cfml", "predictor=linear ridge_rel=0.001", 1},
        {"lsir", "predictor=linear", 1},
        {"kfda", "predictor=linear", 1},
        {"kfda", "predictor=linear scale=standard", 1},
        {"lda", "predictor=gaussian ridge_rel=0.1 scale=minmax", 0},
    };
    check(list, sizeof list / sizeof *list, ALD_TARGET_CLASSES, 0);
}

static void rows_with_weights(void **state)
{
    (void)state;
    static const tried list[] = {
        {"pls", "predictor=linear", 1},
        {"cca", "predictor=linear ridge_rel=0.01", 1},
        {"pca", "predictor=linear", 1},
        {"spca", "predictor=linear", 1},
        {"opls", "predictor=linear ridge_rel=0.1", 1},
        {"rrr", "predictor=linear ridge_rel=0.1", 1},
    };
    check(list, sizeof list / sizeof *list, ALD_TARGET_REAL, 1);
}

/* Columns far from 0 leave the rounding of their means in the rows: the methods must see these. */
static void far_means_are_left(void **state)
{
    (void)state;
    support_candidates c;
    wide w;
    begin(&w, 1);
    const ald_target y = support_sample_target(&w.sample, ALD_TARGET_REAL);
    support_candidates_begin(&c, w.context);
    for (int i = 0; i < 5; i++) support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "", &two, 1);
    assert_int_equal(is_turned(&w, &c, 0, &y), 1);
    for (int i = 0; i < n * d; i++) w.sample.x[i] += 1e6;
    assert_int_equal(is_turned(&w, &c, 0, &y), 0);
    support_candidates_end(&c);
    end(&w);
}

/* One fit of few components from products with X is faster than a rotation. */
static void one_fit_is_left(void **state)
{
    (void)state;
    support_candidates c;
    wide w;
    begin(&w, 1);
    const ald_target y = support_sample_target(&w.sample, ALD_TARGET_REAL);
    support_candidates_begin(&c, w.context);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "", &two, 1);
    assert_int_equal(is_turned(&w, &c, 0, &y), 0);
    support_candidates_end(&c);
    end(&w);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const char *const sets[] = {"", "scale=standard", "rows=snv", "scale=minmax"};
    static const int64_t dims[] = {1, 2, 3};
    ald_comparison *found[2];
    for (int k = 0; k < 2; k++) {
        support_candidates c;
        wide w;
        begin(&w, k ? 3 : 1);
        const ald_target y = support_sample_target(&w.sample, ALD_TARGET_REAL);
        support_candidates_begin(&c, w.context);
        for (int i = 0; i < 12; i++)
            support_candidates_add(&c, ALD_CANDIDATE_METHOD, i % 3 ? "pls" : "kpls", sets[i % 4], dims, 3);
        found[k] = compare(&c, &w, &y);
        support_candidates_end(&c);
        end(&w);
    }
    support_assert_same_comparison(found[0], found[1]);
    for (int k = 0; k < 2; k++) ald_comparison_free(found[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_of_responses), cmocka_unit_test(scores_of_classes),
        cmocka_unit_test(rows_with_weights),        cmocka_unit_test(far_means_are_left),
        cmocka_unit_test(one_fit_is_left),          cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
