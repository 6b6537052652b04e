/* A comparison: every figure is that of a fit on the training rows alone and an evaluation on the test rows;
 * the same for any number of threads; failures stay in their row; what was finished is found again. */
#include "support/comparing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 84, d = 7, n_classes = 3, q = 2, wide = 200 };

static const int64_t dims[] = {1, 2, 4};

typedef struct sample {
    double x[n * d], y[n * q], labels[n * q], weights[n];
    int32_t classes[n];
} sample;

static void make_sample(sample *s)
{
    ald_random random;
    ald_random_seed(&random, 21, 0);
    for (int i = 0; i < n; i++) {
        s->classes[i] = (int32_t)(i % n_classes);
        s->weights[i] = 0.5 + (double)ald_random_below(&random, 4);
        for (int j = 0; j < d; j++)
            s->x[i * d + j] =
                (1.0 + j) * ald_random_normal(&random) + (j == s->classes[i] ? 2.5 + j : 0.0) + 10.0 * j;
        for (int k = 0; k < q; k++) {
            s->y[i * q + k] = s->x[i * d + k] + 0.5 * ald_random_normal(&random);
            s->labels[i * q + k] = s->y[i * q + k] > 10.0 * k + 0.5;
        }
    }
}

static ald_matrix rows_of(const sample *s)
{
    return ald_matrix_row_major(s->x, n, d, d);
}

static ald_target target_of(const sample *s, ald_target_kind kind)
{
    if (kind == ALD_TARGET_CLASSES) return ald_target_classes(s->classes, n, n_classes);
    if (kind == ALD_TARGET_LABELS) return ald_target_labels(ald_matrix_row_major(s->labels, n, q, q));
    return ald_target_real(ald_matrix_row_major(s->y, n, q, q));
}

/* Some rows of everything, by plain copying. */
static void take(const sample *s, const int64_t *rows, int64_t count, sample *out)
{
    for (int64_t i = 0; i < count; i++) {
        memcpy(out->x + i * d, s->x + rows[i] * d, d * sizeof *out->x);
        memcpy(out->y + i * q, s->y + rows[i] * q, q * sizeof *out->y);
        memcpy(out->labels + i * q, s->labels + rows[i] * q, q * sizeof *out->labels);
        out->classes[i] = s->classes[rows[i]];
        out->weights[i] = s->weights[rows[i]];
    }
}

static void narrow(ald_matrix *x, ald_target *y, int64_t count)
{
    x->rows = y->rows = y->values.rows = count;
}

/* The metric by ald_fit with a predictor and ald_evaluate. */
static double evaluate(ald_context *context, const char *method, const char *set, int64_t r, const sample *s,
                       ald_target_kind kind, int weighted, const ald_splits *splits, int64_t split,
                       const char *metric)
{
    static sample train, test;
    int64_t train_rows[n], test_rows[n], n_train, n_test;
    ald_score scores[20] = {ALD_SCORE_INIT};
    ald_model *model = NULL;
    ald_error error;
    int count;
    ald_splits_rows(splits, split, train_rows, &n_train, test_rows, &n_test);
    take(s, train_rows, n_train, &train);
    take(s, test_rows, n_test, &test);
    ald_matrix x = rows_of(&train), x_test = rows_of(&test);
    ald_target y = target_of(&train, kind), y_test = target_of(&test, kind);
    narrow(&x, &y, n_train);
    narrow(&x_test, &y_test, n_test);
    if (weighted) y.weights = train.weights;
    ald_settings *settings = support_settings(context, method, set);
    assert_done(ald_settings_set_int(settings, "n_components", r, &error), error);
    assert_done(ald_fit(context, settings, &x, &y, &model, &error), error);
    assert_done(ald_evaluate(context, model, &x_test, &y_test, scores, 20, &count, &error), error);
    ald_model_free(model);
    ald_settings_free(settings);
    for (int i = 0; i < count; i++)
        if (strcmp(scores[i].name, metric) == 0) return scores[i].value;
    return NAN;
}

static void check_against_fits(const char *method, const char *set, const char *predictor,
                               ald_target_kind kind, int weighted)
{
    static sample s;
    char all[200];
    make_sample(&s);
    ald_context *context = support_context(2, NULL);
    const ald_matrix x = rows_of(&s);
    ald_target y = target_of(&s, kind);
    if (weighted) y.weights = s.weights;
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, method, set, dims, 2);
    const ald_splits_options splits = {.size = sizeof(ald_splits_options), .splits = 3, .seed = 9};
    ald_comparison *comparison = support_compare(&c, &x, &y, &splits, NULL);
    snprintf(all, sizeof all, "%s%spredictor=%s", set, *set ? " " : "", predictor);
    for (int row = 0; row < 2; row++)
        for (int k = 0; ald_comparison_metric_at(comparison, k); k++)
            for (int64_t split = 0; split < 3; split++) {
                const double value = ald_comparison_values(comparison, row, k)[split];
                const char *metric = ald_comparison_metric_at(comparison, k);
                /* Figures of several splits together, which ald_evaluate does not have; the reference tests
                 * have them. */
                if (strcmp(metric, "q2") == 0 || strcmp(metric, "rmsecv") == 0) continue;
                const double want = evaluate(context, method, all, dims[row], &s, kind, weighted,
                                             ald_comparison_splits(comparison), split, metric);
                /* One fit for both dims: the same to rounding times the condition of the eigenvectors. */
                assert_int_equal(isnan(value), isnan(want));
                if (!isnan(want)) assert_close(value, want, 1e-8 * (1.0 + fabs(want)));
            }
    ald_comparison_free(comparison);
    support_candidates_end(&c);
    ald_context_free(context);
}

static void figures_are_those_of_fits(void **state)
{
    (void)state;
    check_against_fits("pls", "scale=standard", "linear", ALD_TARGET_REAL, 0);
    check_against_fits("pls", "", "linear", ALD_TARGET_REAL, 1);
    check_against_fits("lda", "row_scale=standard", "gaussian", ALD_TARGET_CLASSES, 0);
    check_against_fits("kspca", "scale=minmax", "gaussian", ALD_TARGET_CLASSES, 0);
    check_against_fits("cca", "", "one-vs-rest", ALD_TARGET_LABELS, 0);
    check_against_fits("bair", "predictor_neighbors=3 predictor=knn", "knn", ALD_TARGET_REAL, 0);
    check_against_fits("pca", "predictor=logistic predictor_ridge=0.1", "logistic", ALD_TARGET_CLASSES, 1);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 4};
    static sample s;
    make_sample(&s);
    const ald_matrix x = rows_of(&s);
    const ald_target y = target_of(&s, ALD_TARGET_CLASSES);
    ald_comparison *results[3];
    for (int t = 0; t < 3; t++) {
        ald_context *context = support_context(threads[t], NULL);
        support_candidates c;
        support_candidates_begin(&c, context);
        support_candidates_add(&c, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
        support_candidates_add(&c, ALD_CANDIDATE_FEATURES, "pca", "", NULL, 0);
        support_candidates_add(&c, ALD_CANDIDATE_METHOD, "lda", "", dims, 3);
        support_candidates_add(&c, ALD_CANDIDATE_METHOD, "kpls", "", dims, 3);
        support_candidates_add(&c, ALD_CANDIDATE_METHOD, "sdpp", "max_iter=30", dims, 2);
        support_candidates_add(&c, ALD_CANDIDATE_METHOD, "kdr", "n_starts=2 n_stages=3", dims, 1);
        const ald_splits_options splits = {.size = sizeof(ald_splits_options), .folds = 5, .seed = 1};
        results[t] = support_compare(&c, &x, &y, &splits, NULL);
        support_candidates_end(&c);
        if (t > 0) support_assert_same_comparison(results[0], results[t]);
        if (t > 0) ald_comparison_free(results[t]);
        ald_context_free(context);
    }
    ald_comparison_free(results[0]);
}

/* Mean and deviation, by hand. */
static void baselines_are_what_they_say(void **state)
{
    (void)state;
    static sample s;
    make_sample(&s);
    ald_context *context = support_context(1, NULL);
    const ald_matrix x = rows_of(&s);
    const ald_target real = ald_target_real(ald_matrix_row_major(s.y, n, 1, q)),
                     classes = target_of(&s, ALD_TARGET_CLASSES);
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
    const ald_splits_options options = {.size = sizeof(ald_splits_options), .splits = 4, .stratify = -1};
    ald_comparison *of_numbers = support_compare(&c, &x, &real, &options, NULL),
                   *of_classes = support_compare(&c, &x, &classes, &options, NULL);
    double mean_rmse = 0.0;
    for (int64_t split = 0; split < 4; split++) {
        int64_t train[n], test[n], n_train, n_test, counts[n_classes] = {0}, best = 0, right = 0;
        double mean = 0.0, square = 0.0;
        ald_splits_rows(ald_comparison_splits(of_numbers), split, train, &n_train, test, &n_test);
        for (int64_t i = 0; i < n_train; i++) mean += s.y[train[i] * q] / (double)n_train;
        for (int64_t i = 0; i < n_test; i++) square += pow(s.y[test[i] * q] - mean, 2) / (double)n_test;
        assert_close(ald_comparison_values(of_numbers, 0, 0)[split], sqrt(square), 1e-12 * sqrt(square));
        mean_rmse += sqrt(square) / 4.0;
        for (int64_t i = 0; i < n_train; i++) counts[s.classes[train[i]]]++;
        for (int k = 1; k < n_classes; k++)
            if (counts[k] > counts[best]) best = k;
        for (int64_t i = 0; i < n_test; i++) right += s.classes[test[i]] == best;
        assert_close(ald_comparison_values(of_classes, 0, 0)[split], (double)right / (double)n_test, 1e-12);
    }
    assert_close(ald_comparison_at(of_numbers, 0)->mean, mean_rmse, 1e-12 * mean_rmse);
    assert_int_equal(ald_comparison_at(of_numbers, 0)->mark, ALD_MARK_BEST);
    ald_comparison_free(of_numbers);
    ald_comparison_free(of_classes);
    support_candidates_end(&c);
    ald_context_free(context);
}

/* More columns than rows: rows are told apart by their distances, which the rotation to few coordinates
 * keeps. */
static void all_features_survive_the_rotation(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    double *x = support_normals(4, (int64_t)n * wide);
    static sample s;
    make_sample(&s);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) x[i * wide + j] += 3.0 * (s.classes[i] == j);
    const ald_matrix view = ald_matrix_row_major(x, n, wide, wide);
    const ald_target y = target_of(&s, ALD_TARGET_CLASSES);
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_FEATURES, "pca", "predictor=knn", NULL, 0);
    const ald_splits_options options = {.size = sizeof(ald_splits_options), .splits = 3};
    ald_comparison *comparison = support_compare(&c, &view, &y, &options, NULL);
    for (int64_t split = 0; split < 3; split++) {
        int64_t train[n], test[n], n_train, n_test, right = 0;
        ald_splits_rows(ald_comparison_splits(comparison), split, train, &n_train, test, &n_test);
        for (int64_t i = 0; i < n_test; i++) {
            double least = INFINITY;
            int64_t nearest = 0;
            for (int64_t k = 0; k < n_train; k++) {
                double square = 0.0;
                for (int j = 0; j < wide; j++)
                    square += pow(x[test[i] * wide + j] - x[train[k] * wide + j], 2);
                if (square < least) nearest = train[k];
                least = fmin(least, square);
            }
            right += s.classes[nearest] == s.classes[test[i]];
        }
        assert_close(ald_comparison_values(comparison, 0, 0)[split], (double)right / (double)n_test, 1e-12);
    }
    assert_true(ald_comparison_at(comparison, 0)->mean > 0.4);
    ald_comparison_free(comparison);
    support_candidates_end(&c);
    free(x);
    ald_context_free(context);
}

/* lda has two directions for three classes, hsl cannot take classes: both say so, the others go on. */
static void failures_stay_in_their_row(void **state)
{
    (void)state;
    static sample s;
    make_sample(&s);
    ald_context *context = support_context(2, NULL);
    const ald_matrix x = rows_of(&s);
    const ald_target y = target_of(&s, ALD_TARGET_CLASSES);
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "lda", "", dims, 3);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "hsl", "", dims, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "predictor=linear predictor_neighbors=4", dims,
                           1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "", dims, 2);
    const ald_splits_options options = {.size = sizeof(ald_splits_options), .splits = 3};
    ald_comparison *comparison = support_compare(&c, &x, &y, &options, NULL);
    static const char *const reasons[] = {
        NULL, NULL, "lda has 2 components", "hsl cannot take", "does not use neighbours", NULL, NULL,
    };
    assert_int_equal(ald_comparison_count(comparison), 7);
    for (int i = 0; i < 7; i++) {
        const ald_comparison_row *row = ald_comparison_at(comparison, i);
        assert_int_equal(row->count, reasons[i] ? 0 : 3);
        assert_true(isnan(row->mean) == (reasons[i] != NULL));
        if (!reasons[i]) continue;
        if (!row->reason || !strstr(row->reason, reasons[i])) print_error("row %d: %s\n", i, row->reason);
        assert_non_null(strstr(row->reason, reasons[i]));
        assert_int_equal(row->mark, ALD_MARK_NONE);
    }
    ald_comparison_free(comparison);
    support_candidates_end(&c);
    ald_context_free(context);
}

/* A metric that is undefined for the data, a constant response, one class: told, neither a crash nor a bare
 * NaN. */
static void degenerate_targets_are_told(void **state)
{
    (void)state;
    static sample s;
    make_sample(&s);
    ald_context *context = support_context(1, NULL);
    const ald_matrix x = rows_of(&s);
    double constant[n];
    int32_t one[n];
    for (int i = 0; i < n; i++) {
        constant[i] = 3.0;
        one[i] = 0;
    }
    const ald_target targets[] = {
        ald_target_real(ald_matrix_row_major(constant, n, 1, 1)),
        ald_target_classes(one, n, 1),
    };
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "", dims, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pca", "", dims, 1);
    const ald_splits_options options = {.size = sizeof(ald_splits_options), .splits = 2};
    for (int t = 0; t < 2; t++) {
        ald_comparison *comparison = support_compare(&c, &x, &targets[t], &options, t ? NULL : "r2");
        for (int i = 0; i < 3; i++) {
            const ald_comparison_row *row = ald_comparison_at(comparison, i);
            if (isnan(row->mean)) assert_true(row->reason && *row->reason);
        }
        assert_true(isnan(ald_comparison_at(comparison, 1)->mean));
        if (t == 0) assert_non_null(ald_comparison_unmarked(comparison));
        ald_comparison_free(comparison);
    }
    support_candidates_end(&c);
    ald_context_free(context);
}

/* A class that the training part lacks: its rows are wrong, and nothing else happens. */
static void a_class_may_lack(void **state)
{
    (void)state;
    static sample s;
    make_sample(&s);
    ald_context *context = support_context(1, NULL);
    const ald_matrix x = rows_of(&s);
    const ald_target y = target_of(&s, ALD_TARGET_CLASSES);
    int64_t parts[n];
    for (int i = 0; i < n; i++) parts[i] = s.classes[i] == 2 || i % 4 == 0;
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
    support_candidates_add(&c, ALD_CANDIDATE_FEATURES, "pca", "", NULL, 0);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "lda", "", dims, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "predictor=knn", dims, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "kpca", "predictor=logistic", dims, 1);
    const ald_splits_options options = {
        .size = sizeof(ald_splits_options),
        .parts = parts,
        .n_parts = 2,
        .test_part = 2,
    };
    ald_comparison *comparison = support_compare(&c, &x, &y, &options, NULL);
    for (int i = 0; i < 5; i++) {
        const ald_comparison_row *row = ald_comparison_at(comparison, i);
        assert_true(row->mean >= 0.0 && row->mean <= 0.5);
    }
    assert_non_null(strstr(ald_comparison_unmarked(comparison), "one split"));
    ald_comparison_free(comparison);
    support_candidates_end(&c);
    ald_context_free(context);
}

/* Cells without a value are filled with what the training rows say, and nothing of the test rows. */
static void missing_cells_are_filled_inside(void **state)
{
    (void)state;
    static sample s, filled;
    make_sample(&s);
    ald_context *context = support_context(1, NULL);
    int64_t parts[n];
    double mean = 0.0, count = 0.0;
    for (int i = 0; i < n; i++) parts[i] = i % 3 == 0;
    filled = s;
    for (int i = 0; i < n; i++)
        if (!parts[i] && i % 4 != 0) {
            mean += s.x[i * d + 1];
            count += 1.0;
        }
    for (int i = 0; i < n; i += 4) {
        s.x[i * d + 1] = NAN;
        filled.x[i * d + 1] = mean / count;
    }
    const ald_target y = target_of(&s, ALD_TARGET_REAL);
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_FEATURES, "pca", "", NULL, 0);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "", dims, 3);
    ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = c.list,
        .count = c.count,
        .splits =
            &(ald_splits_options){
                .size = sizeof(ald_splits_options), .parts = parts, .n_parts = 2, .test_part = 2},
        .fill_missing = 1,
    };
    const ald_matrix x = rows_of(&s), x_filled = rows_of(&filled);
    ald_comparison *holes = NULL, *plain = NULL;
    ald_error error;
    assert_done(ald_compare(context, &x, &y, &options, &holes, &error), error);
    assert_done(ald_compare(context, &x_filled, &y, &options, &plain, &error), error);
    for (int i = 0; i < 4; i++)
        assert_close(ald_comparison_at(holes, i)->mean, ald_comparison_at(plain, i)->mean, 1e-9);
    ald_comparison_free(holes);
    ald_comparison_free(plain);
    options.fill_missing = 0;
    assert_int_equal(ald_compare(context, &x, &y, &options, &holes, &error), ALD_ERROR_DATA);
    assert_null(holes);
    support_candidates_end(&c);
    ald_context_free(context);
}

/* Rows without a target: left out for methods that cannot use them, so that the figures are those of the
 * others alone.
 */
static void rows_without_a_target_help_or_are_left_out(void **state)
{
    (void)state;
    static sample s, fewer;
    unsigned char labelled[n];
    int64_t kept[n], count = 0;
    make_sample(&s);
    for (int i = 0; i < n; i++) {
        labelled[i] = i % 4 != 3;
        if (labelled[i]) kept[count++] = i;
    }
    take(&s, kept, count, &fewer);
    ald_context *context = support_context(1, NULL);
    ald_matrix x = rows_of(&s), x_fewer = rows_of(&fewer);
    ald_target y = target_of(&s, ALD_TARGET_CLASSES), y_fewer = target_of(&fewer, ALD_TARGET_CLASSES);
    y.labelled = labelled;
    narrow(&x_fewer, &y_fewer, count);
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
    support_candidates_add(&c, ALD_CANDIDATE_FEATURES, "pca", "scale=standard", NULL, 0);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "lda", "", dims, 2);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "lsir", "n_neighbors=4", dims, 1);
    const ald_splits_options splits = {.size = sizeof(ald_splits_options), .splits = 5};
    ald_comparison *all = support_compare(&c, &x, &y, &splits, NULL),
                   *alone = support_compare(&c, &x_fewer, &y_fewer, &splits, NULL);
    for (int i = 0; i < 4; i++)
        assert_memory_equal(ald_comparison_values(all, i, 0), ald_comparison_values(alone, i, 0),
                            5 * sizeof(double));
    assert_int_equal(ald_comparison_at(all, 4)->count, 5);
    assert_int_equal(ald_comparison_at(alone, 4)->count, 5);
    ald_comparison_free(all);
    ald_comparison_free(alone);
    support_candidates_end(&c);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_fits),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(baselines_are_what_they_say),
        cmocka_unit_test(all_features_survive_the_rotation),
        cmocka_unit_test(failures_stay_in_their_row),
        cmocka_unit_test(degenerate_targets_are_told),
        cmocka_unit_test(a_class_may_lack),
        cmocka_unit_test(missing_cells_are_filled_inside),
        cmocka_unit_test(rows_without_a_target_help_or_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
