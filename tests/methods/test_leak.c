/* Nothing of the test rows is known at the fit: with targets in random order every method is at the level of
 * chance.
 *
 * 160 rows with 60 columns and two equal classes: whoever has seen the test rows tells them apart well, since
 * so many columns fit so few rows (a control checks that). Whoever has not is right with probability 1/2 on
 * each of the m test rows, so the accuracy of a split has deviation 1/(2 sqrt(m)), and that of the mean over
 * splits is not larger, however the splits overlap. For J methods the bound of 4.5 deviations is passed by
 * chance with probability below J 7e-6. The same for numbers: the correlation of predictions with values in
 * random order has deviation 1/sqrt(m - 1), and r2 is at most its square. */
#include "support/comparing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 160, d = 60, splits_wanted = 4, m = 80 };

static const int64_t dims[] = {1, 3};

typedef struct sample {
    double *x;
    double y[n];
    int32_t classes[n];
} sample;

/* X holds the target plainly (in three columns), unless it is shuffled. */
static void make_sample(sample *s, int shuffled)
{
    int64_t order[n];
    ald_random random;
    ald_random_seed(&random, 17, 0);
    ald_random_permutation(&random, n, order);
    s->x = support_normals(29, n * d);
    for (int i = 0; i < n; i++) {
        const int64_t of = shuffled ? order[i] : i;
        s->classes[i] = (int32_t)(of % 2);
        s->y[i] = (double)of / n - 0.5;
        for (int j = 0; j < 3; j++) s->x[i * d + j] += i % 2 ? 3.0 : -3.0;
        s->x[i * d + 4] += 20.0 * ((double)i / n - 0.5);
    }
}

/* Methods that place the rows of the fit only say so in their row. */
static int maps_new_rows(const ald_method *method)
{
    return (ald_method_capabilities(method) & ALD_CAN_MAP_NEW_ROWS) != 0;
}

/* Settings that end long searches early: how far they get does not matter here. */
static const char *shortened(const char *method)
{
    static const char *const searches[][2] = {
        {"sdpp", "max_iter=20"},
        {"ksdpp", "max_iter=20 n_neighbors=4"},
        {"kdr", "n_starts=1 n_stages=3"},
    };
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++)
        if (strcmp(method, searches[i][0]) == 0) return searches[i][1];
    return "";
}

static void add_all(support_candidates *c, unsigned kind)
{
    support_candidates_add(c, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
    support_candidates_add(c, ALD_CANDIDATE_FEATURES, "pca", "", NULL, 0);
    for (int i = 0; i < ald_method_count(); i++) {
        const ald_method *method = ald_method_at(i);
        const char *name = ald_method_name(method);
        if (!(ald_method_capabilities(method) & kind) || !maps_new_rows(method)) continue;
        support_candidates_add(c, ALD_CANDIDATE_METHOD, name, shortened(name), dims, 2);
    }
    support_candidates_add(c, ALD_CANDIDATE_METHOD, "kspca", "predictor=knn scale=standard", dims, 2);
}

static ald_comparison *compare_all(ald_context *context, const sample *s, unsigned kind)
{
    const ald_matrix x = ald_matrix_row_major(s->x, n, d, d);
    const ald_target y = kind == ALD_CAN_CLASSES ? ald_target_classes(s->classes, n, 2)
                                                 : ald_target_real(ald_matrix_row_major(s->y, n, 1, 1));
    const ald_splits_options splits = {
        .size = sizeof(ald_splits_options),
        .splits = splits_wanted,
        .train = 0.5,
        .seed = 2,
    };
    support_candidates c;
    support_candidates_begin(&c, context);
    add_all(&c, kind);
    ald_comparison *comparison = support_compare(&c, &x, &y, &splits, kind == ALD_CAN_CLASSES ? NULL : "r2");
    support_candidates_end(&c);
    return comparison;
}

static void check(unsigned kind, double low, double high)
{
    ald_context *context = support_context(2, NULL);
    sample s;
    make_sample(&s, 1);
    ald_comparison *comparison = compare_all(context, &s, kind);
    int judged = 0;
    for (int i = 0; i < ald_comparison_count(comparison); i++) {
        const ald_comparison_row *row = ald_comparison_at(comparison, i);
        if (row->count == 0) continue; /* fewer directions than asked for, say */
        if (!(row->mean > low && row->mean < high))
            print_error("%s with %d: %g\n", row->label, (int)row->dims, row->mean);
        assert_true(row->mean > low && row->mean < high);
        judged++;
    }
    assert_true(judged > 20);
    ald_comparison_free(comparison);
    free(s.x);
    ald_context_free(context);
}

static void shuffled_classes_are_chance(void **state)
{
    (void)state;
    const double deviation = 0.5 / sqrt(m);
    check(ALD_CAN_CLASSES, 0.5 - 4.5 * deviation, 0.5 + 4.5 * deviation);
}

static void shuffled_numbers_are_chance(void **state)
{
    (void)state;
    check(ALD_CAN_REAL, -INFINITY, 20.25 / (m - 1));
}

/* The test can fail: a fit that has seen the test rows is beyond the bound, and so is a target that is there.
 */
static void the_bound_would_be_passed(void **state)
{
    (void)state;
    const double bound = 0.5 + 4.5 * 0.5 / sqrt(m);
    ald_context *context = support_context(1, NULL);
    ald_score scores[8] = {ALD_SCORE_INIT};
    ald_error error;
    ald_model *model = NULL;
    sample s;
    int count;
    make_sample(&s, 1);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d);
    const ald_target y = ald_target_classes(s.classes, n, 2);
    ald_settings *settings = support_settings(context, "lda", "n_components=1 predictor=gaussian");
    assert_done(ald_fit(context, settings, &x, &y, &model, &error), error);
    assert_done(ald_evaluate(context, model, &x, &y, scores, 8, &count, &error), error);
    assert_true(scores[0].value > bound);
    ald_model_free(model);
    ald_settings_free(settings);
    free(s.x);
    make_sample(&s, 0);
    ald_comparison *comparison = compare_all(context, &s, ALD_CAN_CLASSES);
    assert_true(ald_comparison_at(comparison, 1)->mean > bound);
    ald_comparison_free(comparison);
    free(s.x);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffled_classes_are_chance),
        cmocka_unit_test(shuffled_numbers_are_chance),
        cmocka_unit_test(the_bound_would_be_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
