/* The paired test against values of scipy.stats.t with the same formula, and marks that follow from it. */
#include "judge/compare/comparison.h"
#include "support/comparing.h"

#include <math.h>
#include <stdlib.h>

static void known_answers(void **state)
{
    (void)state;
    static const double a[] = {0.81, 0.79, 0.85, 0.80, 0.77}, b[] = {0.78, 0.80, 0.80, 0.76, 0.75};
    static const double c[] = {1.0, 2.0}, e[] = {0.5, 1.0};
    /* t = 1.34985274229303 with 4 degrees of freedom; then one degree. */
    assert_close(ald_paired_p_value(5, a, b, 0.5), 0.2483941886881631, 1e-12);
    assert_close(ald_paired_p_value(5, b, a, 0.5), 0.2483941886881631, 1e-12);
    assert_close(ald_paired_p_value(2, c, e, 1.0 / 9.0), 0.2247726837821635, 1e-12);
}

/* scipy: -+ t.ppf(0.975, 4) * sqrt((1/5 + 0.5) * variance); 0 lies within where the p-value is above 0.05,
 * and on the border where it is the level. */
static void intervals(void **state)
{
    (void)state;
    static const double a[] = {0.81, 0.79, 0.85, 0.80, 0.77}, b[] = {0.78, 0.80, 0.80, 0.76, 0.75};
    const ald_paired_difference d = ald_paired_interval(5, a, b, 0.5, 0.05);
    assert_close(d.mean, 0.026, 1e-15);
    assert_close(d.low, -0.027478109480680003, 1e-12);
    assert_close(d.high, 0.052 - d.low, 1e-15);
    const ald_paired_difference border = ald_paired_interval(5, a, b, 0.5, ald_paired_p_value(5, a, b, 0.5));
    assert_close(border.low, 0.0, 1e-12);
    assert_true(isnan(ald_paired_interval(1, a, b, 0.5, 0.05).low));
    assert_close(ald_paired_interval(5, a, a, 0.5, 0.05).high, 0.0, 0.0);
}

static void longer_lists(void **state)
{
    (void)state;
    static const struct {
        int J;
        double ratio, p;
    } cases[] = {
        {10, 0.5, 0.4009179153792236},
        {100, 1.0 / 9.0, 0.1029293209472169},
        {30, 0.25, 0.29012964723740664},
    };
    double a[100], zero[100] = {0};
    for (int s = 0; s < 100; s++) a[s] = 0.02 + 0.05 * sin(3.0 * s);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_close(ald_paired_p_value(cases[k].J, a, zero, cases[k].ratio), cases[k].p, 1e-11);
}

static void limits(void **state)
{
    (void)state;
    static const double a[] = {1.0, 2.0, 3.0}, shifted[] = {2.0, 3.0, 4.0}, hole[] = {1.0, NAN, 3.0};
    assert_true(isnan(ald_paired_p_value(1, a, shifted, 0.5)));
    assert_close(ald_paired_p_value(3, a, a, 0.5), 1.0, 0.0);
    assert_close(ald_paired_p_value(3, a, shifted, 0.5), 0.0, 0.0);
    assert_true(isnan(ald_paired_p_value(3, a, hole, 0.5)));
}

/* A method that knows the target, its twin, and one that cannot: best, equal, unmarked. */
static void marks_follow(void **state)
{
    (void)state;
    enum { n = 120, d = 4 };
    static const int64_t dims[] = {1};
    ald_context *context = support_context(1, NULL);
    double *x = support_normals(3, n * d);
    double y[n];
    for (int i = 0; i < n; i++) {
        x[i * d] *= 9.0; /* what pca sees first, and the target does not */
        y[i] = x[i * d + 1] + 0.3 * x[i * d + 2];
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pca", "", dims, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "opls", "", dims, 1);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "opls", "", dims, 1);
    const ald_splits_options splits = {.size = sizeof(ald_splits_options), .splits = 10};
    ald_comparison *r = support_compare(&c, &view, &target, &splits, NULL);
    assert_int_equal(ald_comparison_at(r, 0)->mark, ALD_MARK_NONE);
    assert_int_equal(ald_comparison_at(r, 1)->mark, ALD_MARK_BEST);
    assert_int_equal(ald_comparison_at(r, 2)->mark, ALD_MARK_EQUAL);
    assert_true(ald_comparison_at(r, 0)->p_value < 0.001);
    const ald_comparison_row *worse = ald_comparison_at(r, 0), *best = ald_comparison_at(r, 1);
    assert_close(worse->difference, worse->mean - best->mean, 1e-12);
    assert_true(worse->difference_low > 0.0 && worse->difference_high > worse->difference_low);
    assert_close(best->difference, 0.0, 0.0);
    assert_close(ald_comparison_at(r, 2)->p_value, 1.0, 0.0);
    assert_null(ald_comparison_unmarked(r));
    ald_comparison_free(r);
    support_candidates_end(&c);
    free(x);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers), cmocka_unit_test(intervals),    cmocka_unit_test(longer_lists),
        cmocka_unit_test(limits),        cmocka_unit_test(marks_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
