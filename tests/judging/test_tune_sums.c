/* Cross-validation by sums gives the figures of refitting. */
#include "tuning_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double no_clock(void)
{
    return 0.0;
}

/* Sums are used without a clock and not with one. */
static ald_comparison *compare(const support_candidates *c, const ald_matrix *x, const ald_target *y,
                               const ald_splits_options *splits, int by_sums)
{
    const ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = c->list,
        .count = c->count,
        .splits = splits,
        .clock = by_sums ? NULL : no_clock,
    };
    ald_comparison *comparison = NULL;
    ald_error error;
    assert_done(ald_compare(c->context, x, y, &options, &comparison, &error), error);
    return comparison;
}

/* That there are sums for these candidates at all. */
static void assert_summed(const support_candidates *c, const ald_matrix *x, const ald_target *y,
                          const ald_splits_options *splits)
{
    ald_sums_fit fits[support_most_candidates];
    const ald_subset data = {*x, *y};
    ald_splits *made;
    ald_sums sums;
    ald_error error;
    ald_run run;
    int count = 0;
    for (int i = 0; i < c->count; i++)
        if (c->list[i].kind == ALD_CANDIDATE_METHOD)
            fits[count++] = (ald_sums_fit){.settings = c->settings[i], .r = 3};
    support_run(&run, c->context, &error);
    assert_done(ald_splits_make(&run, &data, splits, &made), error);
    assert_done(ald_sums_make(&run, &data, made, fits, count, &sums), error);
    assert_int_equal(sums.divisions, made->repeats);
    ald_sums_free(&sums);
    ald_splits_free(made);
    ald_run_end(&run, ALD_OK);
}

static void assert_near(const ald_comparison *a, const ald_comparison *b, const char *what)
{
    for (int row = 0; row < ald_comparison_count(a); row++) {
        const ald_comparison_row *one = ald_comparison_at(a, row), *two = ald_comparison_at(b, row);
        assert_string_equal(one->reason ? one->reason : "", two->reason ? two->reason : "");
        for (int k = 0; ald_comparison_metric_at(a, k); k++)
            for (int64_t s = 0; s < ald_splits_count(ald_comparison_splits(a)); s++) {
                const double left = ald_comparison_values(a, row, k)[s],
                             right = ald_comparison_values(b, row, k)[s];
                if (isnan(left) && isnan(right)) continue;
                if (!(fabs(left - right) <= 1e-8 * (1.0 + fabs(left))))
                    fail_msg("%s: row %d, %s, split %d: %.17g by refitting, %.17g by sums", what, row,
                             ald_comparison_metric_at(a, k), (int)s, left, right);
            }
    }
}

typedef struct sums_case {
    ald_target_kind kind;
    int64_t responses;
    const char *common;
    const char *candidates[8]; /* method, settings, ... */
} sums_case;

static const sums_case sums_cases[] = {
    {ALD_TARGET_REAL, 1, "", {"pca", "", "pls", "", "opls", "ridge=3", "sir", "ridge=0.01"}},
    {ALD_TARGET_REAL,
     1,
     "scale=standard",
     {"pls", "predictor=ridge", "sir", "n_slices=6", "pca", "", "opls", ""}},
    {ALD_TARGET_REAL, 3, "row_scale=unit", {"pls", "", "cca", "", "cca", "ridge=1", "opls", "ridge_rel=0.1"}},
    {ALD_TARGET_CLASSES, 0, "", {"lda", "", "lda", "ridge=10", "sir", "", "cca", "ridge=1"}},
    {ALD_TARGET_CLASSES,
     0,
     "scale=standard",
     {"pls", "predictor=knn", "lda", "predictor=centroid", "opls", "", "pca", ""}},
    {ALD_TARGET_CLASSES, 0, "row_scale=standard", {"pls", "", "pca", "", "lda", "ridge=1", "lda", ""}},
    {ALD_TARGET_LABELS, 0, "", {"opls", "", "cca", "ridge=2", "pls", "", "hsl", "ridge=1"}},
};

static void check_sums(const sums_case *c, const ald_matrix *x, ald_target *y, const char *storage)
{
    ald_context *context = support_context(2, NULL);
    const ald_splits_options folds = {.size = sizeof(ald_splits_options), .folds = 5, .seed = 3},
                             random = {.size = sizeof(ald_splits_options), .splits = 3, .seed = 4};
    support_candidates all;
    char set[200], what[300];
    support_candidates_begin(&all, context);
    /* Baselines stand beside what is fitted from sums, and learn from rows. */
    support_candidates_add(&all, ALD_CANDIDATE_CONSTANT, "pca", c->common, NULL, 0);
    support_candidates_add(&all, ALD_CANDIDATE_FEATURES, "pca", c->common, NULL, 0);
    for (int i = 0; i < 8; i += 2) {
        snprintf(set, sizeof set, "%s %s", c->candidates[i + 1], c->common);
        support_candidates_add(&all, ALD_CANDIDATE_METHOD, c->candidates[i], set, dims, 3);
    }
    for (int k = 0; k < 2; k++) {
        const ald_splits_options *splits = k ? &random : &folds;
        assert_summed(&all, x, y, splits);
        ald_comparison *refitted = compare(&all, x, y, splits, 0), *summed = compare(&all, x, y, splits, 1);
        snprintf(what, sizeof what, "%s %s %s%s", c->candidates[0], c->common, storage,
                 y->weights ? " weighted" : "");
        assert_near(refitted, summed, what);
        ald_comparison_free(refitted);
        ald_comparison_free(summed);
    }
    support_candidates_end(&all);
    ald_context_free(context);
}

static void sums_give_the_figures_of_refitting(void **state)
{
    support_sample s = support_sample_make(n, d, 11);
    double *weights = malloc(n * sizeof *weights);
    const int sampled = support_stride() > 1; /* one storage for each */
    (void)state;
    for (int i = 0; i < n; i++) weights[i] = 0.2 + fabs(cos(i));
    for (size_t c = 0; c < sizeof sums_cases / sizeof *sums_cases; c++)
        for (int storage = sampled ? (int)(c % 2) * 3 : 0; storage < support_storage_count;
             storage += sampled ? support_storage_count : 3) {
            support_matrix x = support_storage(storage, s.x, n, d);
            ald_target y = support_sample_target(&s, sums_cases[c].kind);
            if (sums_cases[c].responses) y.values.cols = sums_cases[c].responses;
            check_sums(&sums_cases[c], &x.view, &y, x.name);
            y.weights = weights;
            check_sums(&sums_cases[c], &x.view, &y, x.name);
            support_storage_free(&x);
        }
    free(weights);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_give_the_figures_of_refitting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
