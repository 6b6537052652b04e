/* What is tried: words become candidates, with nothing given what is usual is tried, baselines need no
 * settings, and predictions of rows that were not fitted are those of fits by hand. */
#include "support/comparing.h"

#include <alidade/tune.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    ald_context *context;
    ald_dataset *data;
    const ald_matrix *x;
    const ald_target *y;
    ald_error error;
} world;

static world open_world(const char *file, const char *target)
{
    world w = {.context = support_context(2, NULL)};
    const ald_load_options load = {.size = sizeof load, .target = target};
    char path[400];
    snprintf(path, sizeof path, "%s/%s", support_data(), file);
    assert_done(ald_dataset_load(w.context, path, &load, &w.data, &w.error), w.error);
    w.x = ald_dataset_x(w.data);
    w.y = ald_dataset_target(w.data);
    return w;
}

static void close_world(world *w)
{
    ald_dataset_free(w->data);
    ald_context_free(w->context);
}

static ald_candidates *search(world *w, const ald_search *search)
{
    ald_candidates *made = NULL;
    assert_done(ald_candidates_new(w->context, w->x, w->y, search, &made, &w->error), w->error);
    return made;
}

static void assert_refused(world *w, const ald_search *search, const char *why)
{
    ald_candidates *made = NULL;
    assert_int_equal(ald_candidates_new(w->context, w->x, w->y, search, &made, &w->error),
                     ALD_ERROR_ARGUMENT);
    assert_null(made);
    if (!strstr(w->error.message, why)) fail_msg("'%s' is not in: %s", why, w->error.message);
}

static void grids_are_written_out(void **state)
{
    static const char *const good[][2] = {
        {"0,1,10", "0,1,10"},
        {"log:1e-2:1:3", "0.01,0.1,1"},
        {"0,lin:1:2:3,9", "0,1,1.5,2,9"},
        {"rbf,linear", "rbf,linear"},
    };
    static const char *const bad[] = {
        "",        ",",           "1,,2",          "1,",        "log:0:1:3", "log:1:2",
        "lin:2:1", "lin:1:2:1e9", "log:1:2:3:4:5", "lin:a:b:3", "log::::",   "log:1:1e999:3",
    };
    ald_context *context = support_context(1, NULL);
    ald_error error;
    char *list;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_done(ald_grid_list(context, good[i][0], &list, &error), error);
        assert_string_equal(list, good[i][1]);
        ald_text_free(context, list);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ald_grid_list(context, bad[i], &list, &error), ALD_ERROR_ARGUMENT);
        assert_null(list);
        assert_non_null(strstr(error.message, "`grids="));
    }
    ald_context_free(context);
}

/* The values of two settings of the candidate and its numbers of components. */
static void words_become_candidates(void **state)
{
    static const char *const settings[] = {"scale=standard", "ridge=3", NULL};
    static const char *const grids[] = {"ridge=1,2", NULL};
    world w = open_world("wine.csv", "y");
    ald_search s = ALD_SEARCH_INIT;
    (void)state;
    s.methods = "pls,lda components=1:5:2 , kspca kernel=linear";
    s.components = "3,1:2,2";
    s.settings = settings;
    s.grids = grids;
    ald_candidates *made = search(&w, &s);
    const ald_candidate *list = ald_candidates_list(made);
    assert_int_equal(ald_candidates_count(made), 6);
    assert_string_equal(list[0].label, "majority");
    assert_string_equal(list[1].label, "all features");
    assert_string_equal(ald_settings_text(list[1].settings[0], "scale"), "standard");
    assert_string_equal(list[2].label, "pca");
    assert_int_equal(list[3].n_dims, 3);
    assert_int_equal(list[3].dims[2], 3);
    assert_int_equal(list[4].n_settings, 2);
    assert_string_equal(list[4].words[1], "ridge=2");
    assert_string_equal(ald_settings_text(list[4].settings[1], "ridge"), "2");
    assert_int_equal(list[4].dims[2], 5);
    assert_string_equal(list[5].words[0], "kernel=linear");
    ald_candidates_free(made);
    close_world(&w);
}

/* A kernel has as many components as rows allow, whatever the number of columns: iris has 4. */
static void kernels_have_more_components_than_columns(void **state)
{
    static const struct {
        const char *methods;
        int dims;
    } cases[] = {{"kpls", 10}, {"kpca", 10}, {"pls", 4}, {"lda", 2}, {"pls,kpls", 10}};
    static const int64_t six = 6;
    world w = open_world("iris.csv", "y");
    ald_splits_options splits = ALD_SPLITS_OPTIONS_INIT;
    support_candidates c;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ald_search s = ALD_SEARCH_INIT;
        s.methods = cases[i].methods;
        s.tuning = 1;
        ald_candidates *made = search(&w, &s);
        assert_int_equal(ald_candidates_list(made)[ald_candidates_count(made) - 1].n_dims, cases[i].dims);
        ald_candidates_free(made);
    }
    splits.folds = 3;
    support_candidates_begin(&c, w.context);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "kpls", "", &six, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "kspca", "landmarks=20", &six, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "", &six, 1);
    ald_comparison *found = support_compare(&c, w.x, w.y, &splits, NULL);
    assert_null(ald_comparison_at(found, 0)->reason);
    assert_null(ald_comparison_at(found, 1)->reason);
    assert_non_null(strstr(ald_comparison_at(found, 2)->reason, "pls has 4 components"));
    ald_comparison_free(found);
    support_candidates_end(&c);
    close_world(&w);
}

/* Numbers of components that there are not take nothing from those that there are. */
static void impossible_numbers_change_nothing(void **state)
{
    static const int64_t dims[] = {1, 2, 3, 7};
    world w = open_world("iris.csv", "y");
    ald_splits_options splits = ALD_SPLITS_OPTIONS_INIT;
    (void)state;
    splits.folds = 3;
    ald_comparison *found[2];
    for (int k = 0; k < 2; k++) {
        support_candidates c;
        support_candidates_begin(&c, w.context);
        support_candidates_add(&c, ALD_CANDIDATE_METHOD, "kfda", "", dims, k ? 4 : 2);
        found[k] = support_compare(&c, w.x, w.y, &splits, NULL);
        support_candidates_end(&c);
    }
    for (int row = 0; row < 2; row++)
        assert_memory_equal(ald_comparison_values(found[0], row, 0), ald_comparison_values(found[1], row, 0),
                            3 * sizeof(double));
    assert_non_null(strstr(ald_comparison_at(found[1], 2)->reason, "but 3 were requested"));
    assert_non_null(strstr(ald_comparison_at(found[1], 3)->reason, "but 7 were requested"));
    for (int k = 0; k < 2; k++) ald_comparison_free(found[k]);
    close_world(&w);
}

static void slips_are_told(void **state)
{
    static const char *const unknown[] = {"speed=3", NULL}, *const other[] = {"n_slices=3", NULL},
                             *const directions[] = {"n_components=3", NULL},
                             *const no_value[] = {"ridge", NULL}, *const empty[] = {"ridge=", NULL},
                             *const many[] = {"ridge=lin:1:9:1000", "ridge_rel=lin:1:9:1000", NULL};
    static const struct {
        const char *methods, *dims;
        const char *const *settings, *const *grids;
        int64_t random;
        const char *why;
    } cases[] = {
        {.methods = "lda,,pls", .why = "missing next to a comma"},
        {.methods = "lda,", .why = "missing next to a comma"},
        {.methods = " ", .why = "missing next to a comma"},
        {.methods = "", .why = "names no method"},
        {.methods = "ldaa", .why = "did you mean lda?"},
        {.methods = "lda ridge", .why = "of the form name=value, not 'ridge'"},
        {.methods = "lda n_components=2", .why = "are set with `components`"},
        {.methods = "lda ridg=2", .why = "the nearest is 'ridge'"},
        {.methods = "lda dims=0", .why = "numbers of components"},
        {.dims = "1:", .why = "numbers of components"},
        {.dims = "9999999999999999999", .why = "numbers of components"},
        {.dims = "1:2000", .why = "numbers of components"},
        {.methods = "lda", .settings = unknown, .why = "no method has a parameter speed"},
        {.methods = "lda", .settings = other, .why = "none of these methods has the parameter n_slices"},
        {.methods = "lda", .settings = directions, .why = "are set with `components`"},
        {.methods = "lda", .settings = no_value, .why = "not 'ridge'"},
        {.methods = "lda", .grids = empty, .why = "has no values"},
        {.methods = "lda", .grids = many, .why = "combinations are too many"},
        {.methods = "lda", .random = 3, .why = "give `grids` too"},
        {.methods = "lda", .random = -3, .why = "`random`"},
    };
    world w = open_world("iris.csv", "y");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ald_search s = ALD_SEARCH_INIT;
        s.methods = cases[i].methods;
        s.components = cases[i].dims;
        s.settings = cases[i].settings;
        s.grids = cases[i].grids;
        s.random = cases[i].random;
        assert_refused(&w, &s, cases[i].why);
    }
    assert_refused(&w, &(ald_search){.methods = "lda"}, "ALD_SEARCH_INIT");
    close_world(&w);
}

/* kpca, which resolves the median distance, tells what the widths are made of. */
static void widths_are_around_the_median_distance(void **state)
{
    static const char *const standard[] = {"scale=standard", NULL};
    world w = open_world("wine.csv", "y");
    ald_settings *kpca = support_settings(w.context, "kpca", "scale=standard n_components=1");
    ald_search s = ALD_SEARCH_INIT;
    ald_model *model = NULL;
    char want[64];
    (void)state;
    s.methods = "kspca";
    s.settings = standard;
    s.tuning = 1;
    ald_candidates *made = search(&w, &s);
    const ald_candidate *all = ald_candidates_list(made);
    assert_done(ald_fit(w.context, kpca, w.x, NULL, &model, &w.error), w.error);
    const double width = strtod(ald_model_text(model, "alidade.resolved.kernel_width"), NULL);
    assert_int_equal(all->n_settings, 3);
    for (int i = 0; i < 3; i++) {
        snprintf(want, sizeof want, "kernel_width=%.4g", width * (double[]){0.5, 1.0, 2.0}[i]);
        assert_string_equal(all->words[i], want);
    }
    ald_candidates_free(made);
    ald_model_free(model);
    ald_settings_free(kpca);
    close_world(&w);
}

/* Nothing given is the usual search, on the usual splits. */
static void nothing_given_is_what_is_usual(void **state)
{
    world w = open_world("iris.csv", "y");
    ald_search s = ALD_SEARCH_INIT;
    ald_compare_options options = ALD_COMPARE_OPTIONS_INIT;
    ald_comparison *bare = NULL, *said = NULL;
    (void)state;
    s.methods = "auto";
    options.search = &s;
    assert_done(ald_compare(w.context, w.x, w.y, NULL, &bare, &w.error), w.error);
    assert_done(ald_compare_dataset(w.context, w.data, &options, &said, &w.error), w.error);
    support_assert_same_comparison(bare, said);
    assert_string_equal(ald_comparison_at(bare, 0)->label, "majority");
    assert_null(ald_comparison_at(bare, 0)->method);
    assert_string_equal(ald_comparison_at(bare, 2)->method, "pca");
    assert_int_equal(ald_splits_count(ald_comparison_splits(bare)), 10);
    for (int i = 0; i < ald_comparison_count(bare); i++) /* lda has two components, and no more are tried */
        assert_true(ald_comparison_at(bare, i)->status >= 0);
    ald_comparison_free(bare);
    ald_comparison_free(said);
    close_world(&w);
}

static void tuning_with_nothing_given(void **state)
{
    world w = open_world("iris.csv", "y");
    ald_tune_options options = ALD_TUNE_OPTIONS_INIT;
    ald_tuning *tuning = NULL;
    ald_model *model = NULL;
    (void)state;
    options.no_nested = 1;
    assert_done(ald_tune(w.context, w.data, &options, &tuning, &model, &w.error), w.error);
    assert_null(ald_tuning_nested(tuning));
    assert_int_equal(ald_splits_count(ald_comparison_splits(ald_tuning_curve(tuning))), 30);
    const ald_comparison_row *row = ald_comparison_at(ald_tuning_curve(tuning), ald_tuning_chosen(tuning));
    assert_true(row->mean > 0.9);
    assert_string_equal(ald_model_text(model, "alidade.tuning.rule"), "one-se");
    assert_string_equal(row->method, ald_model_method(model));
    assert_string_equal(row->words, ald_comparison_words(ald_tuning_curve(tuning), 0, row->setting));
    ald_tuning_free(tuning);
    ald_model_free(model);
    close_world(&w);
}

static void baselines_need_no_settings(void **state)
{
    world w = open_world("wine.csv", "y");
    ald_candidate bare[] = {ALD_CANDIDATE_INIT, ALD_CANDIDATE_INIT};
    ald_compare_options options = ALD_COMPARE_OPTIONS_INIT;
    ald_comparison *without = NULL;
    support_candidates c;
    (void)state;
    support_candidates_begin(&c, w.context);
    for (int i = 0; i < 2; i++) {
        bare[i].kind = i ? ALD_CANDIDATE_FEATURES : ALD_CANDIDATE_CONSTANT;
        support_candidates_add(&c, bare[i].kind, "pls", "", NULL, 0);
    }
    options.candidates = bare;
    options.count = 2;
    ald_comparison *with = support_compare(&c, w.x, w.y, NULL, NULL);
    assert_done(ald_compare(w.context, w.x, w.y, &options, &without, &w.error), w.error);
    support_assert_same_comparison(with, without);
    assert_string_equal(ald_comparison_at(without, 0)->label, "majority");
    bare[1].size = 0; /* one that was forgotten */
    ald_comparison *none = NULL;
    assert_int_equal(ald_compare(w.context, w.x, w.y, &options, &none, &w.error), ALD_ERROR_ARGUMENT);
    assert_null(none);
    assert_non_null(strstr(w.error.message, "ALD_CANDIDATE_INIT"));
    ald_comparison_free(with);
    ald_comparison_free(without);
    support_candidates_end(&c);
    close_world(&w);
}

/* Adds what a fit on the training rows of a split predicts for its test rows. */
static void add_by_hand(world *w, const char *set, const ald_splits *splits, int64_t split, double *sum,
                        int64_t *times)
{
    const int64_t n = w->x->rows, d = w->x->cols;
    int64_t *train = malloc((size_t)n * sizeof *train), *test = malloc((size_t)n * sizeof *test);
    int64_t n_train, n_test;
    double *x = malloc((size_t)(2 * n * d) * sizeof *x), *y = malloc((size_t)n * sizeof *y), *z = x + n * d;
    double *predicted = malloc((size_t)n * sizeof *predicted);
    ald_settings *settings = support_settings(w->context, "pls", set);
    ald_model *model = NULL;
    ald_splits_rows(splits, split, train, &n_train, test, &n_test);
    const double *all = w->x->values, *targets = w->y->values.values;
    for (int64_t i = 0; i < n_train; i++) {
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = all[train[i] * w->x->row_stride + j * w->x->col_stride];
        y[i] = targets[train[i] * w->y->values.row_stride];
    }
    for (int64_t i = 0; i < n_test; i++)
        for (int64_t j = 0; j < d; j++) z[i * d + j] = all[test[i] * w->x->row_stride + j * w->x->col_stride];
    const ald_matrix rows = ald_matrix_row_major(x, n_train, d, d),
                     others = ald_matrix_row_major(z, n_test, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n_train, 1, 1));
    assert_done(ald_fit(w->context, settings, &rows, &target, &model, &w->error), w->error);
    assert_done(ald_predict(w->context, model, &others, predicted, &w->error), w->error);
    for (int64_t i = 0; i < n_test; i++) {
        sum[test[i]] += predicted[i];
        times[test[i]]++;
    }
    ald_model_free(model);
    ald_settings_free(settings);
    free(train);
    free(test);
    free(x);
    free(y);
    free(predicted);
}

static void predictions_are_those_of_fits_without_the_row(void **state)
{
    world w = open_world("wine.csv", "alcohol");
    const int64_t n = w.x->rows;
    double *sum = calloc((size_t)n, sizeof *sum);
    int64_t *times = calloc((size_t)n, sizeof *times);
    int64_t never = 0;
    const ald_splits_options splits = {.size = sizeof splits, .splits = 4, .seed = 3};
    ald_compare_options options = ALD_COMPARE_OPTIONS_INIT;
    ald_search s = ALD_SEARCH_INIT;
    ald_out_of_fold kept = ALD_OUT_OF_FOLD_INIT;
    ald_comparison *comparison = NULL;
    (void)state;
    s.methods = "pls";
    s.components = "2:3";
    options.search = &s;
    options.splits = &splits;
    options.keep_predictions = 1;
    assert_done(ald_compare(w.context, w.x, w.y, &options, &comparison, &w.error), w.error);
    const int row = ald_comparison_count(comparison) - 1; /* three directions */
    assert_done(ald_comparison_predictions(comparison, row, &kept, &w.error), w.error);
    assert_int_equal(kept.rows, n);
    assert_int_equal(kept.outputs, 1);
    assert_null(kept.classes);
    for (int64_t k = 0; k < 4; k++)
        add_by_hand(&w, "n_components=3 predictor=linear", ald_comparison_splits(comparison), k, sum, times);
    for (int64_t i = 0; i < n; i++) {
        assert_int_equal(kept.tested[i], times[i]);
        never += times[i] == 0;
        if (times[i] == 0)
            assert_true(isnan(kept.mean[i]));
        else
            assert_close(kept.mean[i], sum[i] / (double)times[i], 1e-8 * fabs(kept.mean[i]));
    }
    assert_true(never > 0 && never < n);
    assert_int_equal(ald_comparison_predictions(comparison, row + 1, &kept, &w.error), ALD_ERROR_ARGUMENT);
    ald_comparison_free(comparison);
    free(sum);
    free(times);
    close_world(&w);
}

/* With folds every row is predicted once, and the share of right classes is the mean accuracy of equal folds.
 */
static void classes_are_predicted_once_per_repeat(void **state)
{
    world w = open_world("iris.csv", "y");
    const ald_splits_options folds = {.size = sizeof folds, .folds = 5};
    ald_tune_options options = ALD_TUNE_OPTIONS_INIT;
    ald_out_of_fold kept = ALD_OUT_OF_FOLD_INIT;
    ald_tuning *tuning = NULL;
    ald_model *model = NULL;
    (void)state;
    options.methods = "lda";
    options.inner = options.outer = &folds;
    options.keep_predictions = 1;
    assert_done(ald_tune(w.context, w.data, &options, &tuning, &model, &w.error), w.error);
    for (int row = 0; row < 2; row++) {
        int64_t right = 0;
        assert_done(ald_comparison_predictions(ald_tuning_nested(tuning), row, &kept, &w.error), w.error);
        assert_int_equal(kept.outputs, 3);
        for (int64_t i = 0; i < kept.rows; i++) {
            assert_int_equal(kept.tested[i], 1);
            right += (int32_t)kept.classes[i] == w.y->classes[i];
        }
        assert_close((double)right / (double)kept.rows,
                     ald_comparison_at(ald_tuning_nested(tuning), row)->mean, 1e-12);
    }
    assert_done(ald_comparison_predictions(ald_tuning_curve(tuning), 0, &kept, &w.error), w.error);
    ald_tuning_free(tuning);
    ald_model_free(model);
    options.keep_predictions = 0;
    options.no_nested = 1;
    assert_done(ald_tune(w.context, w.data, &options, &tuning, &model, &w.error), w.error);
    assert_int_equal(ald_comparison_predictions(ald_tuning_curve(tuning), 0, &kept, &w.error),
                     ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(w.error.message, "keep_predictions"));
    ald_tuning_free(tuning);
    ald_model_free(model);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_written_out),
        cmocka_unit_test(words_become_candidates),
        cmocka_unit_test(kernels_have_more_components_than_columns),
        cmocka_unit_test(impossible_numbers_change_nothing),
        cmocka_unit_test(slips_are_told),
        cmocka_unit_test(widths_are_around_the_median_distance),
        cmocka_unit_test(nothing_given_is_what_is_usual),
        cmocka_unit_test(tuning_with_nothing_given),
        cmocka_unit_test(baselines_need_no_settings),
        cmocka_unit_test(predictions_are_those_of_fits_without_the_row),
        cmocka_unit_test(classes_are_predicted_once_per_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
