/* Figures of predictions: cases worked by hand, what is undefined, and the distance of subspaces. */
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { room = 40 };

typedef struct figures {
    ald_score scores[room];
    int count;
} figures;

static figures score(const ald_target *y, const double *prediction, int64_t columns)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    figures f = {.scores = {ALD_SCORE_INIT}};
    assert_done(ald_score_predictions(context, y, prediction, columns, f.scores, room, &f.count, &error),
                error);
    assert_true(f.count <= room);
    ald_context_free(context);
    return f;
}

static const ald_score *find(const figures *f, const char *name, const char *of)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->scores[i].name, name) == 0 && strcmp(f->scores[i].of, of) == 0) return &f->scores[i];
    fail_msg("there is no %s of '%s'", name, of);
    return NULL;
}

static double value(const figures *f, const char *name, const char *of)
{
    return find(f, name, of)->value;
}

/* Errors 1, -2, 0, 3 of y = 1, 3, 5, 7; and a response that does not vary. */
static void responses_by_hand(void **state)
{
    (void)state;
    const double y[] = {1, 4, 3, 4, 5, 4, 7, 4}, p[] = {0, 4, 5, 4, 5, 4, 4, 2};
    const char *const names[] = {"fat", NULL};
    ald_target target = ald_target_real(ald_matrix_row_major(y, 4, 2, 2));
    target.names = names;
    const figures f = score(&target, p, 2);
    assert_int_equal(f.count, 3 * 7); /* rmsecv is of cross-validation */
    assert_string_equal(f.scores[0].name, "rmse");
    assert_close(value(&f, "rmse", "fat"), sqrt(14.0 / 4.0), 1e-15);
    assert_close(value(&f, "mae", "fat"), 1.5, 1e-15);
    assert_close(value(&f, "r2", "fat"), 1.0 - 14.0 / 20.0, 1e-15);
    assert_close(value(&f, "rmse", "y2"), 1.0, 1e-15);
    assert_close(value(&f, "rmse", ""), 0.5 * (1.0 + sqrt(3.5)), 1e-15);
    assert_true(isnan(value(&f, "r2", "y2")) && isnan(value(&f, "r2", "")));
    assert_non_null(strstr(find(&f, "r2", "y2")->note, "does not vary"));
    /* Prediction less truth: -1, 2, 0, -3, mean -1/2; squares about it 13; squares of y about its mean 20. */
    assert_close(value(&f, "bias", "fat"), -0.5, 1e-15);
    assert_close(value(&f, "sep", "fat"), sqrt(13.0 / 3.0), 1e-15);
    assert_close(value(&f, "rpd", "fat"), sqrt(20.0 / 13.0), 1e-15);
    assert_close(value(&f, "q2", "fat"), 1.0 - 14.0 / 20.0, 1e-15);
    assert_close(value(&f, "q2", ""), 1.0 - 18.0 / 20.0, 1e-15);
    assert_non_null(strstr(find(&f, "q2", "fat")->note, "not known"));
    assert_true(isnan(value(&f, "rpd", "y2")));
}

static figures score_with(const ald_target *y, const double *prediction, const ald_score_options *options)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    figures f = {.scores = {ALD_SCORE_INIT}};
    assert_done(
        ald_score_predictions_with(context, y, prediction, 1, options, f.scores, room, &f.count, &error),
        error);
    ald_context_free(context);
    return f;
}

/* About the mean of the rows learned from, 2: squares 1, 1, 9, 25. One row has no standard error. */
static void q2_is_about_the_training_mean(void **state)
{
    (void)state;
    const double y[] = {1, 3, 5, 7}, p[] = {0, 5, 5, 4}, mean = 2.0;
    const ald_score_options options = {.size = sizeof options, .means = &mean};
    ald_target target = ald_target_real(ald_matrix_row_major(y, 4, 1, 1));
    figures f = score_with(&target, p, &options);
    assert_close(value(&f, "q2", ""), 1.0 - 14.0 / 36.0, 1e-15);
    target = ald_target_real(ald_matrix_row_major(y, 1, 1, 1));
    f = score_with(&target, p, &options);
    assert_close(value(&f, "q2", ""), 1.0 - 1.0 / 1.0, 1e-15);
    assert_true(isnan(value(&f, "sep", "")) && isnan(value(&f, "rpd", "")));
    assert_non_null(strstr(find(&f, "sep", "")->note, "one row"));
}

/* Two classes, scores of the second .1 .4 .35 .8 for 0 0 1 1: three of four pairs in order. */
static void two_classes_by_hand(void **state)
{
    (void)state;
    const int32_t y[] = {0, 0, 1, 1};
    const double p[] = {0, 1, 0, 1}, scores[] = {.9, .1, .4, .6, .65, .35, .2, .8};
    const char *const names[] = {"no", "yes"};
    ald_target target = ald_target_classes(y, 4, 2);
    target.names = names;
    const ald_score_options options = {
        .size = sizeof options,
        .scores = scores,
        .n_scores = 2,
        .probabilities = 1,
    };
    const figures f = score_with(&target, p, &options);
    assert_close(value(&f, "auc", ""), 0.75, 1e-15);
    assert_close(value(&f, "sensitivity", ""), 0.5, 0.0);
    assert_close(value(&f, "specificity", ""), 0.5, 0.0);
    assert_close(value(&f, "mcc", ""), 0.0, 1e-15);
    assert_close(value(&f, "log_loss", ""), -(log(.9) + log(.4) + log(.35) + log(.8)) / 4.0, 1e-15);
    assert_close(value(&f, "brier", ""), (.01 + .36 + .65 * .65 + .04) / 4.0, 1e-15);
    assert_non_null(strstr(find(&f, "sensitivity", "")->note, "yes"));
    const figures bare = score(&target, p, 1);
    assert_true(isnan(value(&bare, "auc", "")) && isnan(value(&bare, "log_loss", "")));
    assert_non_null(strstr(find(&bare, "auc", "")->note, "no scores"));
}

/* Margins order rows where scores have no common scale: the second is above the first by 1, -2, 3, -4. */
static void scores_that_are_no_probabilities(void **state)
{
    (void)state;
    const int32_t y[] = {1, 0, 1, 0};
    const double p[] = {1, 0, 1, 0}, scores[] = {100, 101, 5, 3, -7, -4, 50, 46};
    const ald_target target = ald_target_classes(y, 4, 2);
    const ald_score_options options = {.size = sizeof options, .scores = scores, .n_scores = 2};
    const figures f = score_with(&target, p, &options);
    assert_close(value(&f, "auc", ""), 1.0, 0.0);
    assert_true(isnan(value(&f, "brier", "")));
    assert_non_null(strstr(find(&f, "brier", "")->note, "no probabilities"));
}

/* One class in the rows, one class predicted, probabilities of 0 and 1, a class that the scores do not know.
 */
static void edges_of_classes(void **state)
{
    (void)state;
    const int32_t one[] = {1, 1, 1}, two[] = {0, 1, 1}, unknown[] = {0, 1, 2};
    const double p[] = {1, 1, 1}, sure[] = {0, 1, 0, 1, 1, 0};
    const ald_score_options options = {
        .size = sizeof options,
        .scores = sure,
        .n_scores = 2,
        .probabilities = 1,
    };
    ald_target target = ald_target_classes(one, 3, 2);
    figures f = score_with(&target, p, &options);
    assert_true(isnan(value(&f, "auc", "")) && isnan(value(&f, "mcc", "")));
    assert_true(isnan(value(&f, "specificity", "")));
    assert_close(value(&f, "sensitivity", ""), 1.0, 0.0);
    assert_non_null(strstr(find(&f, "mcc", "")->note, "one class"));
    assert_close(value(&f, "log_loss", ""), -log(2.220446049250313e-16) / 3.0, 1e-12);
    target = ald_target_classes(two, 3, 2);
    f = score_with(&target, p, &options);
    assert_close(value(&f, "mcc", ""), 0.0, 0.0); /* always the same answer */
    assert_close(value(&f, "specificity", ""), 0.0, 0.0);
    target = ald_target_classes(unknown, 3, 3);
    f = score_with(&target, p, &options);
    assert_true(isfinite(value(&f, "log_loss", "")) && isfinite(value(&f, "brier", "")));
}

static void the_table_of_metrics(void **state)
{
    (void)state;
    ald_metric_facts facts = ALD_METRIC_FACTS_INIT;
    int count = 0, usual = 0;
    for (; ald_metric_at(count, &facts); count++) {
        assert_true(strlen(facts.name) > 0 && strlen(facts.title) > 0 && facts.least < facts.most);
        assert_int_equal(ald_metric_larger_is_better(facts.name), facts.larger_is_better > 0);
        usual += strcmp(facts.name, "brier") == 0 && facts.needs_scores == 2 && facts.larger_is_better == 0;
        usual += strcmp(facts.name, "bias") == 0 && facts.larger_is_better == -1;
        usual += strcmp(facts.name, "rmsecv") == 0 && facts.pooled;
    }
    assert_int_equal(count, 8 + 1 + 9 + 5);
    assert_int_equal(usual, 3);
    assert_int_equal(ald_metric_at(-1, &facts), 0);
    assert_int_equal(ald_metric_at(0, NULL), 0);
}

/* Rows of class 0: 3 right of 4; class 1: 1 of 2; class 2: none there, predicted once. */
static void classes_by_hand(void **state)
{
    (void)state;
    const int32_t y[] = {0, 0, 0, 0, 1, 1};
    const double p[] = {0, 0, 0, 1, 1, 2};
    static const int64_t want[] = {3, 1, 0, 0, 1, 1, 0, 0, 0};
    const ald_target target = ald_target_classes(y, 6, 3);
    const figures f = score(&target, p, 1);
    assert_close(value(&f, "accuracy", ""), 4.0 / 6.0, 1e-15);
    assert_close(value(&f, "balanced_accuracy", ""), 0.625, 1e-15);
    /* One against the rest: 5/6, 4/6 and 5/6 are right. */
    assert_close(value(&f, "mean_ovr_accuracy", ""), (5.0 + 4.0 + 5.0) / 18.0, 1e-15);
    assert_non_null(strstr(find(&f, "balanced_accuracy", "")->note, "2 of 3 classes"));
    ald_context *context = support_context(1, NULL);
    ald_error error;
    int64_t counts[9];
    assert_done(ald_confusion(context, &target, p, 3, counts, &error), error);
    assert_memory_equal(counts, want, sizeof want);
    assert_true(ald_confusion(context, &target, p, 2, counts, &error) < 0);
    assert_non_null(strstr(error.message, "3 classes"));
    ald_context_free(context);
}

/* Label a: scores .9 .6 .6 .2 for 1 1 0 0: of four pairs one ties: 3.5/4. b is all 0 and predicted once: F1
 * 0, no AUC. c is all 0 and never predicted: neither. */
static void labels_by_hand(void **state)
{
    (void)state;
    const double y[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    const double p[] = {.9, .7, .1, .6, .1, .1, .6, .1, .1, .2, .1, .1};
    const char *const names[] = {"a", "b", "c"};
    ald_target target = ald_target_labels(ald_matrix_row_major(y, 4, 3, 3));
    target.names = names;
    const figures f = score(&target, p, 3);
    assert_close(value(&f, "auc", "a"), 3.5 / 4.0, 1e-15);
    assert_close(value(&f, "f1", "a"), 2.0 * 2.0 / 5.0, 1e-15);
    assert_true(isnan(value(&f, "auc", "b")));
    assert_close(value(&f, "f1", "b"), 0.0, 0.0);
    assert_true(isnan(value(&f, "auc", "c")) && isnan(value(&f, "f1", "c")));
    assert_non_null(strstr(find(&f, "auc", "c")->note, "all 0"));
    assert_close(value(&f, "macro_auc", ""), 3.5 / 4.0, 1e-15);
    assert_close(value(&f, "macro_f1", ""), 0.4, 1e-15);
    assert_non_null(strstr(find(&f, "macro_auc", "")->note, "1 of 3 labels"));
    assert_non_null(strstr(find(&f, "macro_f1", "")->note, "2 of 3 labels"));
    /* Micro: .9 beats all 10; .6 ties with one, loses to .7, beats 8. */
    assert_close(value(&f, "micro_auc", ""), (10.0 + 8.5) / 20.0, 1e-15);
    assert_close(value(&f, "micro_f1", ""), 4.0 / 6.0, 1e-15);
    assert_close(value(&f, "accuracy", ""), 10.0 / 12.0, 1e-15);
}

static void bad_predictions_are_refused(void **state)
{
    (void)state;
    const int32_t y[] = {0, 1};
    const double half[] = {0, 0.5}, below[] = {-1, 0}, nan[] = {0, NAN};
    const double *const wrong[] = {half, below, nan};
    const ald_target target = ald_target_classes(y, 2, 2);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    int count;
    for (int i = 0; i < 3; i++) {
        assert_true(ald_score_predictions(context, &target, wrong[i], 1, NULL, 0, &count, &error) < 0);
        assert_non_null(strstr(error.message, "a class code"));
    }
    assert_true(ald_score_predictions(context, &target, half, 2, NULL, 0, &count, &error) < 0);
    assert_non_null(strstr(error.message, "2 columns"));
    assert_true(ald_score_predictions(context, NULL, half, 1, NULL, 0, &count, &error) < 0);
    const double good[] = {0, 1}, scores[] = {0.5, 0.5, NAN, 1.0}, high[] = {0.5, 0.5, 0.0, 1.5};
    ald_score_options options = {.size = sizeof options, .scores = scores, .n_scores = 2};
    assert_true(ald_score_predictions_with(context, &target, good, 1, &options, NULL, 0, &count, &error) < 0);
    assert_non_null(strstr(error.message, "row 2"));
    options.scores = high;
    options.probabilities = 1;
    assert_true(ald_score_predictions_with(context, &target, good, 1, &options, NULL, 0, &count, &error) < 0);
    assert_non_null(strstr(error.message, "probability"));
    options.n_scores = 0;
    assert_true(ald_score_predictions_with(context, &target, good, 1, &options, NULL, 0, &count, &error) < 0);
    ald_context_free(context);
}

static ald_subspace_result distance(const ald_model *model, const double *known, int64_t k, int64_t d)
{
    ald_context *context = support_context(1, NULL);
    const ald_matrix m = ald_matrix_row_major(known, k, d, d);
    ald_subspace_result result = ALD_SUBSPACE_RESULT_INIT;
    ald_error error;
    assert_done(ald_subspace_distance(context, model, &m, &result, &error), error);
    ald_context_free(context);
    return result;
}

/* Rows along the axes with variances 100, 25, 1: pca keeps axes 1 and 2. Known directions at known angles to
 * them. With scale the columns are divided by 10, 5, 1 before, and the directions of the data are e/scale:
 * still the axes. */
static void subspaces_by_hand(void **state)
{
    (void)state;
    static const double x[] = {10, 0, 0, -10, 0, 0, 0, 5, 0, 0, -5, 0, 0, 0, 1, 0, 0, -1};
    const ald_matrix view = ald_matrix_row_major(x, 6, 3, 3);
    ald_model *model = support_fit("pca", "n_components=2", &view, NULL);
    const double angle = 0.3, half_pi = asin(1.0);
    const double one[] = {0, 5.0 * cos(angle), 5.0 * sin(angle)};
    ald_subspace_result s = distance(model, one, 1, 3);
    assert_close(s.angle, angle, 1e-14);
    assert_close(s.trace_correlation, cos(angle) * cos(angle), 1e-14);
    const double two[] = {1, 1, 0, 0, cos(angle), sin(angle)}; /* span(e1 + e2, cos e2 + sin e3) */
    s = distance(model, two, 2, 3);
    /* The planes e3 and n = (-sin, sin, -cos) across: cos of the angle is |n3|/|n|. */
    const double length = sqrt(2.0 * sin(angle) * sin(angle) + cos(angle) * cos(angle));
    assert_close(s.angle, acos(cos(angle) / length), 1e-13);
    assert_close(s.trace_correlation, 0.5 * (1.0 + pow(cos(angle) / length, 2)), 1e-14);
    const double all[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    s = distance(model, all, 3, 3);
    assert_close(s.angle, half_pi, 1e-14);
    assert_close(s.trace_correlation, 2.0 / 3.0, 1e-14);
    s = distance(model, all, 2, 3);
    assert_close(s.angle, 0.0, 1e-12);
    assert_close(s.trace_correlation, 1.0, 1e-14);
    ald_model_free(model);
}

/* y = a'x on columns of very different size: pls of one component on standardised independent columns finds
 * a, which is only so in the units of the data. */
static void subspaces_are_in_units_of_the_data(void **state)
{
    (void)state;
    static const double x[] = {10, 1, 10, -1, -10, 1, -10, -1}, known[] = {1, 30};
    double y[4];
    for (int i = 0; i < 4; i++) y[i] = x[2 * i] + 30.0 * x[2 * i + 1];
    const ald_matrix view = ald_matrix_row_major(x, 4, 2, 2);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, 4, 1, 1));
    ald_model *model = support_fit("pls", "n_components=1 scale=standard", &view, &target);
    assert_close(distance(model, known, 1, 2).angle, 0.0, 1e-12);
    ald_model_free(model);
}

static void bad_subspaces_are_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(30, 4, 2);
    ald_context *context = support_context(1, NULL);
    ald_model *model = support_fit("pca", "n_components=2", &s.view, NULL);
    static const double same[] = {1, 2, 3, 4, 2, 4, 6, 8};
    ald_subspace_result result = ALD_SUBSPACE_RESULT_INIT;
    ald_error error;
    ald_matrix known = ald_matrix_row_major(same, 2, 4, 4);
    assert_true(ald_subspace_distance(context, model, &known, &result, &error) < 0);
    assert_non_null(strstr(error.message, "not independent"));
    known = ald_matrix_row_major(same, 4, 2, 2);
    assert_true(ald_subspace_distance(context, model, &known, &result, &error) < 0);
    assert_non_null(strstr(error.message, "2 columns"));
    ald_model_free(model);
    model = support_fit("kpca", "n_components=2", &s.view, NULL);
    known = ald_matrix_row_major(same, 1, 4, 4);
    assert_true(ald_subspace_distance(context, model, &known, &result, &error) < 0);
    assert_non_null(strstr(error.message, "no linear map"));
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

/* Axes 1 and 2 against axis 1 alone: W W' - V V' = e2 e2'. With scale the directions are e/scale, so W W' has
 * 1/10^2 and 1/5^2 in units of the data. */
static void maps_by_hand(void **state)
{
    (void)state;
    static const double x[] = {10, 0, 0, -10, 0, 0, 0, 5, 0, 0, -5, 0, 0, 0, 1, 0, 0, -1};
    const ald_matrix view = ald_matrix_row_major(x, 6, 3, 3);
    ald_context *context = support_context(1, NULL);
    ald_model *two = support_fit("pca", "n_components=2", &view, NULL),
              *one = support_fit("pca", "n_components=1", &view, NULL),
              *all = support_fit("pca", "n_components=3 scale=standard", &view, NULL);
    ald_map_difference result = ALD_MAP_DIFFERENCE_INIT;
    ald_error error;
    assert_done(ald_model_difference(context, two, one, &result, &error), error);
    assert_close(result.distance, 1.0, 1e-14);
    assert_close(result.norm, 1.0, 1e-14);
    assert_done(ald_model_difference(context, two, two, &result, &error), error);
    assert_true(result.relative < 1e-15);
    /* Variances are 100/3, 25/3 and 1/3, so the third axis has W W' = 3, against 0; both have more than three
     * rows. */
    assert_done(ald_model_difference(context, two, all, &result, &error), error);
    assert_close(result.distance, 3.0, 1e-13);
    assert_done(ald_model_difference(context, all, two, &result, &error), error);
    assert_close(result.norm, 3.0, 1e-13);
    assert_close(result.relative, 1.0, 1e-13);
    ald_model_free(all);
    ald_model_free(one);
    ald_model_free(two);
    ald_context_free(context);
}

static void maps_that_cannot_be_compared_are_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(30, 4, 2), t = support_sample_make(30, 5, 2);
    ald_context *context = support_context(1, NULL);
    ald_model *four = support_fit("pca", "n_components=2", &s.view, NULL),
              *five = support_fit("pca", "n_components=2", &t.view, NULL),
              *curved = support_fit("kpca", "n_components=2", &s.view, NULL);
    ald_map_difference result = ALD_MAP_DIFFERENCE_INIT;
    ald_error error;
    assert_true(ald_model_difference(context, four, five, &result, &error) < 0);
    assert_non_null(strstr(error.message, "4 and 5 features"));
    assert_true(ald_model_difference(context, four, curved, &result, &error) < 0);
    assert_non_null(strstr(error.message, "no linear map"));
    ald_model_free(four);
    ald_model_free(five);
    ald_model_free(curved);
    ald_context_free(context);
    support_sample_free(&s);
    support_sample_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_by_hand),
        cmocka_unit_test(q2_is_about_the_training_mean),
        cmocka_unit_test(two_classes_by_hand),
        cmocka_unit_test(scores_that_are_no_probabilities),
        cmocka_unit_test(edges_of_classes),
        cmocka_unit_test(the_table_of_metrics),
        cmocka_unit_test(classes_by_hand),
        cmocka_unit_test(labels_by_hand),
        cmocka_unit_test(bad_predictions_are_refused),
        cmocka_unit_test(subspaces_by_hand),
        cmocka_unit_test(subspaces_are_in_units_of_the_data),
        cmocka_unit_test(bad_subspaces_are_refused),
        cmocka_unit_test(maps_by_hand),
        cmocka_unit_test(maps_that_cannot_be_compared_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
