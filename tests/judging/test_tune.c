/* Tuning: the rule takes what it says; choosing inside a training part is the same as doing it by hand on
 * those rows; the same for any number of threads; what cannot be done is said. */
#include "tuning_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A comparison whose rows have these values over four splits: settings x dims. */
static void fill(ald_comparison *c, ald_comparison_row *rows, int n_settings, const double *mean, double std)
{
    static double rank[9];
    *c = (ald_comparison){.rows = rows, .n_rows = n_settings * 3, .rank = rank};
    memcpy(rank, mean, (size_t)c->n_rows * sizeof *rank);
    for (int i = 0; i < c->n_rows; i++)
        rows[i] = (ald_comparison_row){
            .setting = i / 3,
            .dims = dims[i % 3],
            .mean = mean[i],
            .std = std,
            .count = 4,
        };
}

static ald_choice apply(ald_comparison *c, const ald_candidate *candidate)
{
    ald_context *context = support_context(1, NULL);
    ald_choice choice;
    ald_error error;
    ald_run run;
    support_run(&run, context, &error);
    assert_done(ald_rule_apply(&run, c, candidate, &choice), error);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
    return choice;
}

/* Errors of 0.1: what is up to 0.1 from the best counts as equally good. */
static void the_rule_takes_the_simplest(void **state)
{
    static const ald_metric rmse = {.name = "rmse"}, accuracy = {.name = "accuracy", .larger_is_better = 1};
    const double errors[] = {3.0, 1.05, 1.0, 3.0, 1.08, 1.2, 3.0, 1.09, 0.99},
                 shares[] = {0.5, 0.85, 0.9, 0.5, 0.81, 0.8, 0.5, 0.7, 0.9};
    ald_context *context = support_context(1, NULL);
    ald_settings *settings[] = {
        support_settings(context, "lda", "ridge=1"),
        support_settings(context, "lda", "ridge=9"),
        support_settings(context, "lda", "ridge=2"),
    };
    ald_candidate candidate = {
        .size = sizeof(ald_candidate),
        .settings = (const ald_settings *const *)settings,
        .n_settings = 3,
        .rule = ALD_RULE_BEST,
    };
    ald_comparison_row rows[9];
    ald_comparison c;
    (void)state;
    fill(&c, rows, 3, errors, 0.2);
    c.metric = &rmse;
    assert_int_equal(apply(&c, &candidate).row, 8); /* 0.99 */
    candidate.rule = ALD_RULE_ONE_SE;
    assert_int_equal(apply(&c, &candidate).row, 4); /* two dims, the largest ridge of three */
    assert_int_equal(apply(&c, &candidate).best, 8);
    assert_close(apply(&c, &candidate).within, 1.09, 1e-12);
    rows[4].count = 3; /* not comparable */
    assert_int_equal(apply(&c, &candidate).row, 7);
    rows[7].mean = NAN;
    assert_int_equal(apply(&c, &candidate).row, 1);
    fill(&c, rows, 3, shares, 0.2);
    c.metric = &accuracy;
    assert_int_equal(apply(&c, &candidate).row, 4);
    candidate.rule = ALD_RULE_BEST;
    assert_int_equal(apply(&c, &candidate).row, 8); /* of equal means the simpler: ridge 2 over 1 */
    for (int i = 0; i < 3; i++) ald_settings_free(settings[i]);
    ald_context_free(context);
}

/* Order number `at` of those of four things. */
static void order_four(int at, int order[4])
{
    int left[] = {0, 1, 2, 3};
    for (int k = 0; k < 4; k++) {
        const int place = at % (4 - k);
        order[k] = left[place];
        memmove(left + place, left + place + 1, (size_t)(3 - place) * sizeof *left);
        at /= 4 - k;
    }
}

/* Scalings are not compared: of the two largest ridges the one with the better mean is taken, whatever stands
 * first, though smaller ridges have better means. The other method came second. */
static void the_order_of_settings_decides_nothing(void **state)
{
    static const char *const words[] = {
        "ridge=1",
        "ridge=9",
        "scale=standard ridge=1",
        "scale=standard ridge=9",
    };
    static const ald_metric accuracy = {.name = "accuracy", .larger_is_better = 1};
    const double means[] = {0.95, 0.90, 0.93, 0.89};
    ald_context *context = support_context(1, NULL);
    ald_settings *own[4], *other = support_settings(context, "pls", "");
    (void)state;
    for (int i = 0; i < 4; i++) own[i] = support_settings(context, "lda", words[i]);
    for (int at = 0; at < 24; at++) {
        const ald_settings *settings[5] = {NULL, other};
        double rank[5] = {0.0, 0.94};
        ald_comparison_row rows[5];
        int order[4];
        order_four(at, order);
        for (int k = 0; k < 4; k++) {
            settings[k + (k > 0)] = own[order[k]];
            rank[k + (k > 0)] = means[order[k]];
        }
        for (int i = 0; i < 5; i++)
            rows[i] = (ald_comparison_row){.setting = i, .dims = 1, .mean = rank[i], .std = 0.2, .count = 4};
        ald_comparison c = {.rows = rows, .n_rows = 5, .rank = rank, .metric = &accuracy};
        const ald_candidate candidate = {.settings = settings, .n_settings = 5, .rule = ALD_RULE_ONE_SE};
        assert_ptr_equal(settings[apply(&c, &candidate).setting], own[1]);
        assert_ptr_equal(settings[apply(&c, &candidate).best], own[0]);
    }
    for (int i = 0; i < 4; i++) ald_settings_free(own[i]);
    ald_settings_free(other);
    ald_context_free(context);
}

static ald_dataset *load(ald_context *context, const char *file, const char *target, const char *ignore)
{
    char path[400];
    ald_dataset *data;
    ald_error error;
    snprintf(path, sizeof path, "%s/%s", support_data(), file);
    assert_done(ald_dataset_load(
                    context, path,
                    &(ald_load_options){.size = sizeof(ald_load_options), .target = target, .ignore = ignore},
                    &data, &error),
                error);
    return data;
}

static const int64_t few[] = {1, 2};

enum { n_settings = 4 };

static const ald_splits_options four_folds = {.size = sizeof(ald_splits_options), .folds = 4, .seed = 5};

static ald_candidate several(ald_context *context, ald_settings **settings)
{
    static const char *const sets[n_settings][2] = {
        {"lda", "ridge=0.1"},
        {"lda", "ridge=100"},
        {"pls", "scale=standard"},
        {"kspca", "scale=standard"},
    };
    for (int i = 0; i < n_settings; i++) settings[i] = support_settings(context, sets[i][0], sets[i][1]);
    return (ald_candidate){
        .size = sizeof(ald_candidate),
        .settings = (const ald_settings *const *)settings,
        .n_settings = n_settings,
        .dims = few,
        .n_dims = 2,
        .rule = ALD_RULE_ONE_SE,
        .inner = &four_folds,
    };
}

static void free_all(ald_settings **settings, int count)
{
    for (int i = 0; i < count; i++) ald_settings_free(settings[i]);
}

/* The choice of an outer split by a comparison of its training rows alone, and its figure by a fit of what it
 * chose. */
static void check_choice(ald_context *context, const ald_subset *rows_of, const ald_candidate *candidate,
                         const ald_comparison *nested, int64_t split)
{
    const ald_subset all = *rows_of;
    ald_candidate inner = *candidate;
    ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = &inner,
        .count = 1,
        .splits = candidate->inner,
        .fill_missing = 1,
    };
    ald_comparison *by_hand, *alone;
    ald_splits_options given = {.size = sizeof(ald_splits_options), .n_parts = 2, .test_part = 2};
    ald_subset train;
    ald_choice choice;
    ald_error error;
    ald_run run;
    int setting;
    int64_t chosen, n_train, n_test;
    int64_t *rows = malloc((size_t)(2 * all.x.rows) * sizeof *rows), *test = rows + all.x.rows,
            *part = calloc((size_t)all.x.rows, sizeof *part);
    ald_splits_rows(ald_comparison_splits(nested), split, rows, &n_train, test, &n_test);
    for (int64_t i = 0; i < n_test; i++) part[test[i]] = 1;
    support_run(&run, context, &error);
    assert_done(ald_subset_take(&run, &all, rows, n_train, &train), error);
    assert_done(ald_compare(context, &train.x, &train.y, &options, &by_hand, &error), error);
    assert_done(ald_rule_apply(&run, by_hand, candidate, &choice), error);
    ald_comparison_choice(nested, 0, split, &setting, &chosen);
    assert_int_equal(setting, choice.setting);
    assert_int_equal(chosen, choice.dims);
    given.parts = part;
    inner.settings += setting;
    inner.n_settings = 1;
    inner.dims = &chosen;
    inner.n_dims = 1;
    options.splits = &given;
    assert_done(ald_compare(context, &all.x, &all.y, &options, &alone, &error), error);
    assert_close(ald_comparison_values(alone, 0, 0)[0], ald_comparison_values(nested, 0, 0)[split], 1e-9);
    ald_comparison_free(by_hand);
    ald_comparison_free(alone);
    ald_run_end(&run, ALD_OK);
    free(rows);
    free(part);
}

static void choosing_inside_is_choosing_by_hand(void **state)
{
    ald_context *context = support_context(2, NULL);
    ald_dataset *data = load(context, "wine.csv", "y", NULL);
    ald_settings *settings[n_settings];
    const ald_candidate candidate = several(context, settings);
    const ald_tune_options options = {
        .size = sizeof(ald_tune_options),
        .candidate = &candidate,
        .inner = &four_folds,
        .outer = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 3, .seed = 5},
    };
    ald_tuning *tuning = NULL;
    ald_model *model;
    ald_error error;
    (void)state;
    assert_done(ald_tune(context, data, &options, &tuning, &model, &error), error);
    const ald_subset all = {*ald_dataset_x(data), *ald_dataset_target(data)};
    for (int64_t split = 0; split < 3; split++)
        check_choice(context, &all, &candidate, ald_tuning_nested(tuning), split);
    const ald_comparison_row *chosen = ald_comparison_at(ald_tuning_curve(tuning), ald_tuning_chosen(tuning));
    assert_int_equal(ald_model_component_count(model), chosen->dims);
    assert_string_equal(ald_model_method(model),
                        ald_method_name(ald_settings_method(settings[chosen->setting])));
    assert_int_equal(support_prediction_shape(model).columns, 1);
    assert_string_equal(ald_model_text(model, "alidade.tuning.rule"), "one-se");
    assert_non_null(
        strstr(ald_model_text(model, "alidade.resolved.tuning"), "on rows that played no part in it"));
    ald_array curve;
    assert_true(ald_model_array(model, "tuning/mean", &curve));
    assert_int_equal(curve.shape[0], n_settings * 2);
    assert_close(((const double *)curve.data)[ald_tuning_chosen(tuning)], chosen->mean, 0.0);
    ald_model_free(model);
    ald_tuning_free(tuning);
    free_all(settings, n_settings);
    ald_dataset_free(data);
    ald_context_free(context);
}

/* Cells without a value are filled inside anew: the means of a part that judges take no part in the choice.
 */
static void gaps_are_filled_inside(void **state)
{
    enum { n = 60, d = 6, count = 4 };
    static const char *const sets[count] = {"ridge=3", "ridge=10", "ridge=30", "ridge=100"};
    ald_context *context = support_context(1, NULL);
    ald_settings *settings[count];
    double *x = support_normals(3, n * d), *y = support_normals(4, n), *u = support_normals(5, n * d);
    for (int i = 0; i < n; i++) y[i] += x[i * d] + 0.5 * x[i * d + 1];
    for (int i = 0; i < n * d; i++) x[i] = u[i] > 0.0 ? (double)NAN : x[i] + 3.0;
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (int i = 0; i < count; i++) settings[i] = support_settings(context, "opls", sets[i]);
    ald_candidate candidate = {
        .size = sizeof(ald_candidate),
        .settings = (const ald_settings *const *)settings,
        .n_settings = count,
        .dims = few,
        .n_dims = 1,
        .choose = 1,
        .inner = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 3},
    };
    const ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = &candidate,
        .count = 1,
        .splits = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 10, .seed = 1},
        .fill_missing = 1,
    };
    ald_comparison *nested;
    ald_error error;
    (void)state;
    assert_done(ald_compare(context, &view, &target, &options, &nested, &error), error);
    candidate.choose = 0;
    for (int64_t split = 0; split < 10; split++)
        check_choice(context, &(ald_subset){view, target}, &candidate, nested, split);
    ald_comparison_free(nested);
    free_all(settings, count);
    free(x);
    free(y);
    free(u);
    ald_context_free(context);
}

static void threads_do_not_matter(void **state)
{
    static const int threads[] = {1, 2, 4};
    ald_context *contexts[3];
    ald_tuning *tuning[3] = {NULL};
    ald_model *model[3];
    ald_error error;
    (void)state;
    for (int t = 0; t < 3; t++) {
        ald_context *context = contexts[t] = support_context(threads[t], NULL);
        ald_dataset *data = load(context, "tecator.csv", "fat", "water,protein");
        ald_settings *settings[] = {
            support_settings(context, "pls", ""),
            support_settings(context, "opls", "ridge=1"),
            support_settings(context, "opls", "ridge=1e-2"),
        };
        const ald_candidate candidate = {
            .size = sizeof(ald_candidate),
            .settings = (const ald_settings *const *)settings,
            .n_settings = 3,
            .dims = dims,
            .n_dims = 3,
        };
        const ald_tune_options options = {
            .size = sizeof(ald_tune_options),
            .candidate = &candidate,
            .inner = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 5},
            .outer = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 3},
        };
        assert_done(ald_tune(context, data, &options, &tuning[t], &model[t], &error), error);
        support_assert_same_comparison(ald_tuning_curve(tuning[0]), ald_tuning_curve(tuning[t]));
        support_assert_same_comparison(ald_tuning_nested(tuning[0]), ald_tuning_nested(tuning[t]));
        assert_int_equal(ald_tuning_chosen(tuning[0]), ald_tuning_chosen(tuning[t]));
        ald_array one, two;
        for (int i = 0; ald_model_array_at(model[0], i, &one); i++) {
            size_t count = 1;
            assert_true(ald_model_array(model[t], one.name, &two));
            for (int k = 0; k < one.dims; k++) count *= (size_t)one.shape[k];
            assert_memory_equal(one.data, two.data, count * 8);
        }
        free_all(settings, 3);
        ald_dataset_free(data);
    }
    for (int t = 0; t < 3; t++) {
        ald_tuning_free(tuning[t]);
        ald_model_free(model[t]);
        ald_context_free(contexts[t]);
    }
}

/* Every way in which there may be nothing to choose from, or not enough. */
static void what_cannot_be_tuned_is_said(void **state)
{
    ald_context *context = support_context(1, NULL);
    ald_dataset *data = load(context, "iris.csv", "y", NULL);
    ald_settings *lda = support_settings(context, "lda", ""),
                 *sdpp = support_settings(context, "sdpp", "n_neighbors=149");
    const int64_t too_many = 3;
    ald_candidate candidate = {
        .size = sizeof(ald_candidate),
        .settings = (const ald_settings *const *)&lda,
        .n_settings = 1,
        .dims = few,
        .n_dims = 2,
    };
    ald_splits_options inner = {.size = sizeof(ald_splits_options), .folds = 151};
    ald_tune_options options = {
        .size = sizeof(ald_tune_options),
        .candidate = &candidate,
        .inner = &inner,
        .no_nested = 1,
    };
    ald_tuning *tuning = NULL;
    ald_model *model;
    ald_error error;
    (void)state;
    assert_true(ald_tune(context, data, &options, &tuning, &model, &error) < 0);
    assert_null(model);
    assert_non_null(strstr(error.message, "151"));
    ald_tuning_free(tuning);
    inner.folds = 5;
    candidate.dims = &too_many;
    candidate.n_dims = 1;
    assert_true(ald_tune(context, data, &options, &tuning, &model, &error) < 0);
    assert_non_null(strstr(error.message, "nothing to choose from: lda has 2 components here"));
    ald_tuning_free(tuning);
    candidate.settings = (const ald_settings *const *)&sdpp;
    assert_true(ald_tune(context, data, &options, &tuning, &model, &error) < 0);
    assert_non_null(strstr(error.message, "nothing to choose from"));
    ald_tuning_free(tuning);
    candidate.n_settings = 0;
    assert_true(ald_tune(context, data, &options, &tuning, &model, &error) < 0);
    ald_tuning_free(tuning);
    ald_settings_free(lda);
    ald_settings_free(sdpp);
    ald_dataset_free(data);
    ald_context_free(context);
}

/* Classes in random order have nothing to do with X: the nested figure is at chance, by at most four
 * deviations of a share of n rows above that of the commonest class. */
static void choosing_does_not_leak(void **state)
{
    ald_context *context = support_context(2, NULL);
    ald_dataset *data = load(context, "wine.csv", "y", NULL);
    const ald_target *y = ald_dataset_target(data);
    int64_t *order = malloc((size_t)y->rows * sizeof *order);
    int32_t *codes = malloc((size_t)y->rows * sizeof *codes);
    ald_settings *settings[n_settings];
    ald_candidate candidate = several(context, settings);
    ald_comparison *comparison;
    ald_random random;
    ald_error error;
    (void)state;
    ald_random_seed(&random, 12, 0);
    ald_random_permutation(&random, y->rows, order);
    for (int64_t i = 0; i < y->rows; i++) codes[i] = y->classes[order[i]];
    const ald_target shuffled = ald_target_classes(codes, y->rows, y->n_classes);
    candidate.choose = 1;
    candidate.rule = ALD_RULE_BEST;
    const ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = &candidate,
        .count = 1,
        .splits = &(ald_splits_options){.size = sizeof(ald_splits_options), .folds = 5, .seed = 2},
    };
    assert_done(ald_compare(context, ald_dataset_x(data), &shuffled, &options, &comparison, &error), error);
    const double chance = 71.0 / 178.0, deviation = sqrt(chance * (1.0 - chance) / 178.0);
    assert_below(ald_comparison_at(comparison, 0)->mean, chance + 4.0 * deviation);
    ald_comparison_free(comparison);
    free_all(settings, n_settings);
    free(order);
    free(codes);
    ald_dataset_free(data);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_settings_decides_nothing),
        cmocka_unit_test(the_rule_takes_the_simplest),
        cmocka_unit_test(choosing_inside_is_choosing_by_hand),
        cmocka_unit_test(gaps_are_filled_inside),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(what_cannot_be_tuned_is_said),
        cmocka_unit_test(choosing_does_not_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
