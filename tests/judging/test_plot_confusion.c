/* The picture of a confusion matrix: a cell for each pair of classes, the counts in them, and what has no
 * such picture.
 */
#include "data/encode/dataset.h"
#include "support/fitting.h"

#include <stdlib.h>
#include <string.h>

enum { n = 7, d = 2 };

/* Class means 0.5, 10 and 21.5 along the first column; the third row of the second class lies with the third.
 */
static const double x[n * d] = {0, 1, 1, 2, 9, 1, 10, 3, 20, 2, 21, 1, 22, 1};
static const int32_t fitted[n] = {0, 0, 1, 1, 2, 2, 2}, told[n] = {0, 0, 1, 1, 1, 2, 2};
static const char *const names[] = {"<one>", "two", "three"};

static ald_dataset rows_of(const int32_t *classes)
{
    ald_dataset data = {.x = ald_matrix_row_major(x, n, d, d), .target = ald_target_classes(classes, n, 3)};
    data.target.names = names;
    return data;
}

static ald_model *fit(const char *set)
{
    const ald_dataset data = rows_of(fitted);
    return support_fit("pca", set, &data.x, &data.target);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void cells_hold_the_counts(void **state)
{
    (void)state;
    const ald_dataset train = rows_of(fitted), test = rows_of(told);
    const ald_plot_options options = {.size = sizeof options, .kind = "confusion"};
    ald_context *context = support_context(1, NULL);
    ald_model *model = fit("n_components=1 predictor=centroid");
    ald_error error;
    char *svg;
    assert_done(ald_plot(context, model, &train, NULL, &options, &svg, &error), error);
    assert_int_equal(count_of(svg, "class=\"cell\""), 9);
    assert_non_null(strstr(svg, "7 of 7 training rows"));
    assert_int_equal(count_of(svg, ">2</text>"), 2);
    assert_int_equal(count_of(svg, ">3</text>"), 1);
    assert_int_equal(count_of(svg, ">&lt;one&gt;</text>"), 2);
    assert_int_equal(count_of(svg, "fill=\"#ffffff\""), 6);
    ald_text_free(context, svg);
    assert_done(ald_plot(context, model, &train, &test, &options, &svg, &error), error);
    assert_non_null(strstr(svg, "6 of 7 test rows"));
    assert_int_equal(count_of(svg, ">1</text>"), 1);
    assert_int_equal(count_of(svg, "fill=\"#ffffff\""), 5);
    ald_text_free(context, svg);
    ald_model_free(model);
    ald_context_free(context);
}

static void refuse(const char *set, const ald_dataset *data, const char *part)
{
    const ald_plot_options options = {.size = sizeof options, .kind = "confusion"};
    ald_context *context = support_context(1, NULL);
    ald_model *model = fit(set);
    ald_error error;
    char *svg;
    assert_true(ald_plot(context, model, data, NULL, &options, &svg, &error) < 0);
    assert_null(svg);
    if (!strstr(error.message, part)) fail_msg("'%s' lacks '%s'", error.message, part);
    ald_model_free(model);
    ald_context_free(context);
}

static void what_has_no_confusion_is_refused(void **state)
{
    (void)state;
    ald_dataset data = rows_of(fitted);
    refuse("n_components=1 predictor=centroid", NULL, "needs rows");
    refuse("n_components=1", &data, "`predictor=linear`");
    data.target.n_classes = 51;
    data.target.names = NULL;
    refuse("n_components=1 predictor=centroid", &data, "at most 50");
    data.target = ald_target_real(data.x);
    refuse("n_components=1 predictor=centroid", &data, "needs classes");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const ald_dataset data = rows_of(fitted);
    const ald_plot_options plot = {.size = sizeof plot, .kind = "confusion"};
    int left = 0, done = 0;
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .allocator = {support_failing_resize, &left},
    };
    ald_model *model = fit("n_components=1 predictor=knn");
    ald_context *context;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    for (int k = 1; !done; k++) {
        char *svg;
        left = k;
        const ald_status status = ald_plot(context, model, &data, NULL, &plot, &svg, &error);
        done = left > 0;
        ald_text_free(context, svg);
        assert_int_equal(status, done ? ALD_OK : ALD_ERROR_MEMORY);
    }
    ald_context_free(context);
    ald_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_hold_the_counts),
        cmocka_unit_test(what_has_no_confusion_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
