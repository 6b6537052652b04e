/* The picture of a comparison: a line for each name, levels for what has no directions, the way that is
 * better. */
#include "support/comparing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 40, d = 4 };

static const int64_t dims[] = {1, 2, 3};

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) found++;
    return found;
}

static ald_comparison *compare(ald_context *context, const double *x, int splits_wanted)
{
    double y[n];
    for (int i = 0; i < n; i++) y[i] = x[i * d] + 0.1 * x[i * d + 1];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    support_candidates c;
    support_candidates_begin(&c, context);
    support_candidates_add(&c, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "pls", "", dims, 3);
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "opls", "", dims, 2); /* has one direction */
    support_candidates_add(&c, ALD_CANDIDATE_METHOD, "hsl", "", dims, 1);  /* fails: no line */
    const ald_splits_options splits = {.size = sizeof(ald_splits_options), .splits = splits_wanted};
    ald_comparison *comparison = support_compare(&c, &view, &target, &splits, NULL);
    support_candidates_end(&c);
    return comparison;
}

static void lines_and_levels(void **state)
{
    (void)state;
    static const char *const names[] = {"mean <&>", "pls", "pls", "pls", "opls", "opls", "hsl"};
    ald_context *context = support_context(1, NULL);
    double *x = support_normals(6, n * d);
    for (int splits = 1; splits < 4; splits += 2) {
        ald_comparison *comparison = compare(context, x, splits);
        char *svg = NULL;
        ald_error error;
        assert_done(ald_plot_comparison(context, comparison, names, NULL, &svg, &error), error);
        assert_int_equal(count(svg, "class=\"curve\""), 3);
        assert_int_equal(count(svg, "stroke-dasharray=\"6 4\""), 1);
        assert_int_equal(count(svg, ">rmse, smaller is better<"), 1);
        assert_int_equal(count(svg, ">mean &lt;&amp;&gt;<"), 1);
        assert_int_equal(count(svg, ">hsl<"), 0);
        /* Two lines join three points; each of four points has a deviation of three strokes where there is
         * one. */
        assert_int_equal(count(svg, "stroke-width=\"1.8\""), 2);
        assert_int_equal(count(svg, "stroke-width=\"1\""), splits > 1 ? 4 * 3 : 0);
        ald_text_free(context, svg);
        ald_comparison_free(comparison);
    }
    free(x);
    ald_context_free(context);
}

static void sizes_and_labels(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    double *x = support_normals(6, n * d);
    ald_comparison *comparison = compare(context, x, 2);
    ald_plot_options options = {.size = sizeof options, .width = 500, .height = 400, .title = "mine"};
    char *svg = NULL;
    ald_error error;
    assert_done(ald_plot_comparison(context, comparison, NULL, &options, &svg, &error), error);
    assert_non_null(strstr(svg, "width=\"500\""));
    assert_int_equal(count(svg, ">mine</text>"), 1);
    assert_int_equal(count(svg, ">pls<"), 1);
    ald_text_free(context, svg);
    options.width = 3;
    assert_int_equal(ald_plot_comparison(context, comparison, NULL, &options, &svg, &error),
                     ALD_ERROR_ARGUMENT);
    assert_null(svg);
    ald_comparison_free(comparison);
    free(x);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_levels),
        cmocka_unit_test(sizes_and_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
