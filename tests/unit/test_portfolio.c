/* The usual search: its table fits the methods and predictors there are, what is called the same is the same,
 * values that are given or set take the place of the usual ones, what is too much work is left out and named,
 * and settings that share a map are judged as if each had its own. */
#include "base/settings/limits.h"
#include "base/settings/method.h"
#include "judge/choosing/portfolio.h"
#include "methods/predict/predictor.h"
#include "support/comparing.h"

#include <alidade/tune.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
    ald_context *context;
    double *values, *numbers;
    int32_t *codes;
    ald_matrix x;
    ald_target y;
    ald_error error;
} table;

/* n x d normal rows; class 0 or 1, or a number, by the first column and noise. */
static table make_table(int64_t n, int64_t d, int classes)
{
    table t = {.context = support_context(1, NULL), .values = support_normals(7, n * d)};
    double *noise = support_normals(8, n);
    t.numbers = malloc((size_t)n * sizeof *t.numbers);
    t.codes = malloc((size_t)n * sizeof *t.codes);
    for (int64_t i = 0; i < n; i++) {
        t.numbers[i] = t.values[i * d] + 0.5 * t.values[i * d + 1] + noise[i];
        t.codes[i] = t.numbers[i] > 0.0;
    }
    t.x = ald_matrix_row_major(t.values, n, d, d);
    if (classes)
        t.y = (ald_target){.kind = ALD_TARGET_CLASSES, .rows = n, .classes = t.codes, .n_classes = 2};
    else
        t.y = (ald_target){
            .kind = ALD_TARGET_REAL,
            .rows = n,
            .values = ald_matrix_row_major(t.numbers, n, 1, 1),
        };
    free(noise);
    return t;
}

static void free_table(table *t)
{
    free(t->values);
    free(t->numbers);
    free(t->codes);
    ald_context_free(t->context);
}

static ald_candidates *usual(table *t, const char *const *settings, const char *const *grids)
{
    ald_search s = ALD_SEARCH_INIT;
    ald_candidates *made = NULL;
    s.tuning = 1;
    s.settings = settings;
    s.grids = grids;
    assert_done(ald_candidates_new(t->context, &t->x, &t->y, &s, &made, &t->error), t->error);
    assert_int_equal(ald_candidates_count(made), 1);
    return made;
}

static int uses(const ald_candidate *c, const char *method, const char *words)
{
    int count = 0;
    for (int s = 0; s < c->n_settings; s++)
        count += strcmp(ald_method_name(ald_settings_method(c->settings[s])), method) == 0 &&
                 strstr(c->words[s], words);
    return count;
}

static void entries_fit_what_there_is(void **state)
{
    static const ald_target_kind kinds[] = {
        ALD_TARGET_REAL,
        ALD_TARGET_REAL,
        ALD_TARGET_CLASSES,
        ALD_TARGET_LABELS,
    };
    static const unsigned can[] = {
        ALD_CAN_REAL,
        ALD_CAN_REAL | ALD_CAN_RESPONSES,
        ALD_CAN_CLASSES,
        ALD_CAN_LABELS,
    };
    (void)state;
    for (const ald_portfolio_entry *p = ald_portfolio; p->method; p++) {
        const ald_method *method = ald_method_find(p->method);
        assert_non_null(method);
        assert_non_null(p->reason);
        assert_true(!p->relative || ald_method_param_with(method, ALD_PARAM_IS_RIDGE_REL));
        assert_true(!p->ridges || ald_method_param_with(method, ALD_PARAM_IS_RIDGE));
        assert_true(!p->widths || ald_method_param_with(method, ALD_PARAM_IS_KERNEL_WIDTH));
        for (int k = 0; k < 4; k++) {
            char list[100];
            char *rest = list;
            if (!(p->targets & 1U << k)) continue;
            assert_int_equal(ald_method_capabilities(method) & can[k], can[k]);
            snprintf(list, sizeof list, "%s", p->predictors ? p->predictors : ald_predictor_usual(kinds[k]));
            for (const char *name; (name = strtok_r(rest, ",", &rest)) != NULL;)
                assert_true(ald_predictor_find(name)->kinds & 1U << kinds[k]);
        }
    }
}

/* |cosine| of the scores of the first component by two methods. */
static double alike(table *t, const char *a, const char *b)
{
    const char *const names[] = {a, b};
    const int64_t n = t->x.rows;
    double *z[2];
    double sums[3] = {0};
    for (int k = 0; k < 2; k++) {
        ald_settings *settings = support_settings(t->context, names[k], "n_components=1");
        ald_model *model = NULL;
        z[k] = malloc((size_t)n * sizeof *z[k]);
        assert_done(ald_fit(t->context, settings, &t->x, &t->y, &model, &t->error), t->error);
        assert_done(ald_transform(t->context, model, &t->x, z[k], &t->error), t->error);
        ald_model_free(model);
        ald_settings_free(settings);
    }
    for (int64_t i = 0; i < n; i++) {
        sums[0] += z[0][i] * z[0][i];
        sums[1] += z[1][i] * z[1][i];
        sums[2] += z[0][i] * z[1][i];
    }
    free(z[0]);
    free(z[1]);
    return fabs(sums[2]) / sqrt(sums[0] * sums[1]);
}

static void what_is_called_the_same_is(void **state)
{
    table numbers = make_table(80, 5, 0), classes = make_table(80, 5, 1);
    (void)state;
    for (const ald_portfolio_entry *p = ald_portfolio; p->method; p++) {
        table *t = p->targets & ALD_CLASSES ? &classes : &numbers;
        char list[100];
        char *rest = list;
        if (!p->same || (p->targets & ALD_LABELS)) continue;
        snprintf(list, sizeof list, "%s", p->same);
        for (const char *name; (name = strtok_r(rest, " ", &rest)) != NULL;)
            if (strcmp(name, "and") != 0) assert_float_equal(alike(t, p->method, name), 1.0, 1e-9);
    }
    free_table(&numbers);
    free_table(&classes);
}

static void usual_values_and_given_ones(void **state)
{
    static const char *const grid[] = {"scale=none,standard,minmax", NULL};
    static const char *const set[] = {"scale=minmax", NULL};
    table t = make_table(120, 6, 1);
    (void)state;
    ald_candidates *plain = usual(&t, NULL, NULL), *wide = usual(&t, NULL, grid),
                   *fixed = usual(&t, set, NULL);
    const ald_candidate *all = ald_candidates_list(plain);
    assert_int_equal(uses(all, "lda", "ridge_rel=0.1"), 4); /* scalings and predictors */
    assert_int_equal(uses(all, "lda", "ridge_rel=0 "), 2);  /* without a ridge units do not matter */
    assert_true(uses(all, "pls", "predictor=logistic") == 2 && uses(all, "pls", "predictor=gaussian") == 2);
    assert_true(uses(all, "kcca", "scale=standard") > 4);
    assert_int_equal(uses(ald_candidates_list(wide), "lda", "ridge_rel=0.1"), 6);
    assert_int_equal(uses(ald_candidates_list(fixed), "lda", "ridge_rel=0.1"), 2);
    assert_int_equal(uses(ald_candidates_list(fixed), "lda", "scale="), 0);
    for (int s = 0; s < all->n_settings; s++) /* two classes: one component, but of pls and sdpp */
        if (strcmp(ald_method_name(ald_settings_method(all->settings[s])), "lda") == 0)
            assert_int_equal(all->tried[s], 1);
    assert_non_null(strstr(ald_candidates_notes(plain), "lda stands for cca and sir"));
    ald_candidates_free(plain);
    ald_candidates_free(wide);
    ald_candidates_free(fixed);
    free_table(&t);
}

/* In a comparison every method chooses from all that is usual for it, and the notes say so; the words of a
 * caller who asked for it are not repeated. */
static void methods_choose_in_comparisons(void **state)
{
    table t = make_table(120, 6, 1);
    (void)state;
    for (int choose = 0; choose < 2; choose++) {
        ald_search s = ALD_SEARCH_INIT;
        ald_candidates *made = NULL;
        s.choose = choose;
        assert_done(ald_candidates_new(t.context, &t.x, &t.y, &s, &made, &t.error), t.error);
        for (int i = 2; i < ald_candidates_count(made); i++) {
            const ald_candidate *candidate = &ald_candidates_list(made)[i];
            assert_int_equal(candidate->choose, 1);
            assert_true(candidate->n_settings * candidate->n_dims > 1);
            assert_int_equal(candidate->inner->repeats, 3);
        }
        assert_int_equal(strstr(ald_candidates_notes(made), "every method chooses") == NULL, choose);
        ald_candidates_free(made);
    }
    free_table(&t);
}

/* Smooth curves: sums of the columns before, so that neighbours are alike. */
static void make_smooth(table *t)
{
    for (int64_t i = 0; i < t->x.rows; i++)
        for (int64_t j = 1; j < t->x.cols; j++)
            t->values[i * t->x.cols + j] =
                t->values[i * t->x.cols + j - 1] + 0.02 * t->values[i * t->x.cols + j];
}

/* Row steps for spectra alone, |.|_1 for tables of no more columns than rows; few rows are divided often. */
static void forms_suit_the_columns(void **state)
{
    table plain = make_table(120, 40, 0), smooth = make_table(120, 40, 0), wide = make_table(30, 60, 1),
          many = make_table(500, 4, 1);
    (void)state;
    make_smooth(&smooth);
    ald_candidates *a = usual(&plain, NULL, NULL), *b = usual(&smooth, NULL, NULL),
                   *c = usual(&wide, NULL, NULL), *d = usual(&many, NULL, NULL);
    const ald_candidate *table_of = ald_candidates_list(a), *spectrum = ald_candidates_list(b);
    assert_int_equal(uses(table_of, "pls", "rows="), 0);
    assert_true(uses(table_of, "kcca", "kernel=laplacian") > 4 && uses(table_of, "kcca", "kernel=rbf") > 4);
    assert_int_equal(uses(spectrum, "pls", "rows=snv"), 1);
    assert_int_equal(uses(spectrum, "pls", "rows=savgol:11:2:2"), 1);
    assert_true(uses(spectrum, "kcca", "rows=savgol:11:2:1") > 4);
    assert_int_equal(uses(spectrum, "kcca", "rows=snv scale=standard"), 0);
    assert_int_equal(uses(ald_candidates_list(c), "kcca", "laplacian"), 0);
    table large = make_table(2400, 30, 0); /* where all pairs would take too long, some rows stand for all */
    ald_candidates *e = usual(&large, NULL, NULL);
    assert_true(uses(ald_candidates_list(e), "kcca", "kernel=laplacian") > 2);
    ald_candidates_free(e);
    free_table(&large);
    assert_int_equal(table_of->inner->repeats, 3);
    assert_true(ald_candidates_list(d)->inner->repeats < 2);
    ald_candidates_free(a);
    ald_candidates_free(b);
    ald_candidates_free(c);
    ald_candidates_free(d);
    free_table(&plain);
    free_table(&smooth);
    free_table(&wide);
    free_table(&many);
}

/* A dead column, or one of numbers 0 and 1, takes no row steps from a spectrum; one of categories does. */
static void row_steps_are_for_numbers(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        table t = make_table(120, 40, 0);
        ald_search s = ALD_SEARCH_INIT;
        ald_candidates *made = NULL;
        make_smooth(&t);
        for (int64_t i = 0; i < 120; i++) t.values[i * 40 + 20] = k ? (double)(i % 2) : 0.0;
        s.tuning = 1;
        s.categories = k == 2;
        assert_done(ald_candidates_new(t.context, &t.x, &t.y, &s, &made, &t.error), t.error);
        assert_int_equal(uses(ald_candidates_list(made), "pls", "rows=snv"), k < 2);
        ald_candidates_free(made);
        free_table(&t);
    }
}

/* What is tried on more rows is part of what is tried on fewer, and what is left out is named. */
static void work_bounds_what_is_tried(void **state)
{
    static const int64_t rows[] = {100, 900, 6000};
    int before = 1 << 20;
    (void)state;
    for (int k = 0; k < 3; k++) {
        table t = make_table(rows[k], 40, 0);
        ald_candidates *made = usual(&t, NULL, NULL), *again = usual(&t, NULL, NULL);
        const ald_candidate *all = ald_candidates_list(made), *same = ald_candidates_list(again);
        double work = 0.0;
        assert_true(all->n_settings > 0 && all->n_settings <= before);
        assert_int_equal(all->n_settings, same->n_settings);
        for (int s = 0; s < all->n_settings; s++) {
            work += ald_portfolio_work(all->settings[s], &t.x, &t.y, all->dims, all->tried[s], 0);
            assert_string_equal(all->words[s], same->words[s]);
        }
        assert_true(work <= ALD_PORTFOLIO_WORK);
        if (all->n_settings < before && k > 0)
            assert_non_null(strstr(ald_candidates_notes(made), "not tried"));
        before = all->n_settings;
        ald_candidates_free(made);
        ald_candidates_free(again);
        free_table(&t);
    }
}

static void shared_maps_change_nothing(void **state)
{
    static const char *const words[] = {"predictor=gaussian", "predictor=logistic", "predictor=knn"};
    static const int64_t dims[] = {1, 2, 4};
    table t = make_table(90, 6, 1);
    support_candidates apart;
    ald_settings *made[3];
    (void)state;
    support_candidates_begin(&apart, t.context);
    for (int k = 0; k < 3; k++)
        support_candidates_add(&apart, ALD_CANDIDATE_METHOD, "pls", words[k], dims, 3);
    ald_comparison *b = support_compare(&apart, &t.x, &t.y, NULL, NULL);
    for (int k = 0; k < 3; k++) made[k] = support_settings(t.context, "pls", words[k]);
    ald_candidate all = ALD_CANDIDATE_INIT;
    all.settings = (const ald_settings *const *)made;
    all.n_settings = 3;
    all.dims = dims;
    all.n_dims = 3;
    ald_compare_options options = ALD_COMPARE_OPTIONS_INIT;
    options.candidates = &all;
    options.count = 1;
    ald_comparison *a = NULL;
    assert_done(ald_compare(t.context, &t.x, &t.y, &options, &a, &t.error), t.error);
    assert_int_equal(ald_comparison_count(a), 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(ald_comparison_at(a, i)->setting, i / 3);
        assert_int_equal(ald_comparison_at(a, i)->dims, dims[i % 3]);
        assert_float_equal(ald_comparison_at(a, i)->mean, ald_comparison_at(b, i)->mean, 1e-12);
    }
    ald_comparison_free(a);
    ald_comparison_free(b);
    for (int k = 0; k < 3; k++) ald_settings_free(made[k]);
    support_candidates_end(&apart);
    free_table(&t);
}

static ald_tuning *tune_usual(ald_context *context, const ald_dataset *data, ald_race race)
{
    ald_tune_options options = ALD_TUNE_OPTIONS_INIT;
    ald_tuning *tuning = NULL;
    ald_model *model = NULL;
    ald_error error;
    const ald_splits_options five = {.size = sizeof five, .folds = 5};
    options.inner = &five;
    options.no_nested = 1;
    options.race = race;
    assert_done(ald_tune(context, data, &options, &tuning, &model, &error), error);
    ald_model_free(model);
    return tuning;
}

/* The usual search is the same every time, and what its race drops costs no more than a standard error. */
static void usual_search_again_and_without_a_race(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    ald_context *context = support_context(2, NULL);
    const ald_load_options load = {.size = sizeof load, .target = "y"};
    ald_dataset *data = NULL;
    ald_error error;
    char path[400];
    (void)state;
    snprintf(path, sizeof path, "%s/wine.csv", support_data());
    assert_done(ald_dataset_load(context, path, &load, &data, &error), error);
    ald_tuning *first = tune_usual(context, data, ALD_RACE_ON),
               *second = tune_usual(context, data, ALD_RACE_ON),
               *whole = tune_usual(context, data, ALD_RACE_OFF);
    support_assert_same_comparison(ald_tuning_curve(first), ald_tuning_curve(second));
    assert_int_equal(ald_tuning_chosen(first), ald_tuning_chosen(second));
    const ald_comparison_row *best = ald_comparison_at(ald_tuning_curve(whole), ald_tuning_best(whole)),
                             *taken = ald_comparison_at(ald_tuning_curve(whole), ald_tuning_chosen(first));
    assert_true(taken->mean >= best->mean - best->std / sqrt((double)best->count) - 1e-12);
    int left = 0;
    for (int i = 0; i < ald_comparison_count(ald_tuning_curve(first)); i++)
        left += ald_comparison_at(ald_tuning_curve(first), i)->left_after > 0;
    assert_true(left > 0);
    ald_tuning_free(first);
    ald_tuning_free(second);
    ald_tuning_free(whole);
    ald_dataset_free(data);
    ald_context_free(context);
}

static int64_t count_outer(table *t, const char *method, const char *metric, const int64_t *groups)
{
    static const int64_t one = 1;
    const ald_splits_options small = {.size = sizeof small, .folds = 10, .repeats = 3};
    const ald_inputs inputs = {.size = sizeof inputs, .x = &t->x, .y = &t->y};
    ald_settings *settings = support_settings(t->context, method, "");
    ald_candidate candidate = ALD_CANDIDATE_INIT;
    ald_tune_options options = ALD_TUNE_OPTIONS_INIT;
    ald_dataset *data = NULL;
    ald_tuning *tuning = NULL;
    ald_model *model = NULL;
    candidate.settings = (const ald_settings *const *)&settings;
    candidate.n_settings = candidate.n_dims = 1;
    candidate.dims = &one;
    candidate.inner = &small;
    options.candidate = &candidate;
    options.metric = metric;
    options.groups = groups;
    assert_done(ald_dataset_from_arrays(t->context, &inputs, 0, &data, &t->error), t->error);
    assert_done(ald_tune(t->context, data, &options, &tuning, &model, &t->error), t->error);
    const int64_t count = ald_splits_count(ald_comparison_splits(ald_tuning_nested(tuning)));
    ald_tuning_free(tuning);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_dataset_free(data);
    return count;
}

/* Small data whose figure is a mean over rows have 4000 / n outer folds, at least ten and at most twenty;
 * groups, and figures that depend on the size of a fold, ten. */
static void few_rows_have_many_outer_folds(void **state)
{
    static const int64_t sizes[][2] = {{19, 10}, {20, 20}, {200, 20}, {250, 16}, {400, 10}};
    int64_t groups[200];
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        table t = make_table(sizes[k][0], 2, 1);
        assert_int_equal(count_outer(&t, "lda", NULL, NULL), sizes[k][1]);
        free_table(&t);
    }
    table classes = make_table(200, 2, 1), numbers = make_table(200, 2, 0);
    for (int64_t i = 0; i < 200; i++) groups[i] = i % 12;
    assert_int_equal(count_outer(&classes, "lda", "accuracy", NULL), 20);
    assert_int_equal(count_outer(&classes, "lda", "auc", NULL), 10);
    assert_int_equal(count_outer(&classes, "lda", NULL, groups), 10);
    assert_int_equal(count_outer(&numbers, "pls", NULL, NULL), 10);
    free_table(&classes);
    free_table(&numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_fit_what_there_is),
        cmocka_unit_test(what_is_called_the_same_is),
        cmocka_unit_test(usual_values_and_given_ones),
        cmocka_unit_test(methods_choose_in_comparisons),
        cmocka_unit_test(forms_suit_the_columns),
        cmocka_unit_test(row_steps_are_for_numbers),
        cmocka_unit_test(work_bounds_what_is_tried),
        cmocka_unit_test(shared_maps_change_nothing),
        cmocka_unit_test(usual_search_again_and_without_a_race),
        cmocka_unit_test(few_rows_have_many_outer_folds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
