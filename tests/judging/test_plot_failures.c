/* Pictures that cannot be drawn: wrong requests are refused, and memory may run out at any moment. */
#include "plotting_fixture.h"
#include "support/support.h"

#include <alidade/plot.h>
#include <stdlib.h>
#include <string.h>

static void refuse(fixture *f, int r, const ald_dataset *data, const ald_plot_options *options,
                   const char *says)
{
    ald_model *model = make_model(f->context, r);
    char *svg = NULL;
    assert_true(ald_plot(f->context, model, data, NULL, options, &svg, &f->error) < 0);
    assert_null(svg);
    if (!strstr(f->error.message, says)) fail_msg("expected '%s' in: %s", says, f->error.message);
    ald_model_free(model);
}

static void test_wrong_requests_are_refused(void **state)
{
    fixture *f = *state;
    use_reals(f);
    refuse(f, 2, &f->data, &(ald_plot_options){.size = sizeof(ald_plot_options), .kind = "pie"}, "'pie'");
    refuse(f, 2, NULL, &(ald_plot_options){.size = sizeof(ald_plot_options), .kind = "continuity"},
           "needs rows");
    refuse(f, 2, NULL, &(ald_plot_options){.size = sizeof(ald_plot_options), .kind = "projection"},
           "data file");
    refuse(f, 2, &f->data, &(ald_plot_options){.size = sizeof(ald_plot_options), .x_component = 3},
           "component 3");
    refuse(f, 2, &f->data, &(ald_plot_options){.size = sizeof(ald_plot_options), .y_component = -1},
           "component -1");
    refuse(f, 1, &f->data, &(ald_plot_options){.size = sizeof(ald_plot_options), .y_component = 2},
           "component 2");
    refuse(f, 2, &f->data, &(ald_plot_options){.size = sizeof(ald_plot_options), .response = 2},
           "response 3");
    refuse(f, 2, &f->data, &(ald_plot_options){.size = sizeof(ald_plot_options), .width = 10}, "width");
    refuse(f, 2, &f->data, &(ald_plot_options){.size = sizeof(ald_plot_options), .height = 100000}, "height");
}

static void test_classes_that_mean_something_else_are_refused(void **state)
{
    fixture *f = *state;
    use_classes(f);
    const char *const others[] = {"A & B", "other", "third"};
    ald_dataset test = f->data;
    test.target.names = others;
    ald_model *model = make_model(f->context, 2);
    char *svg;
    assert_int_equal(ald_plot(f->context, model, &f->data, &test, NULL, &svg, &f->error), ALD_ERROR_DATA);
    assert_non_null(strstr(f->error.message, "'other'"));
    ald_model_free(model);
}

static void test_every_allocation_may_fail(void **state)
{
    fixture *f = *state;
    use_classes(f);
    const char *const kinds[] = {"projection", "spectrum", "importance", "eigengap", "continuity"};
    int left = 0;
    ald_context *context;
    ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .allocator = {support_failing_resize, &left},
    };
    assert_int_equal(ald_context_new(&options, &context, &f->error), ALD_OK);
    for (int kind = 0; kind < 5; kind++)
        for (int k = 1;; k++) {
            left = 0;
            ald_model *model = make_model(context, 1);
            const ald_plot_options plot = {.size = sizeof plot, .kind = kinds[kind]};
            char *svg;
            left = k;
            const ald_status status = ald_plot(context, model, &f->data, NULL, &plot, &svg, &f->error);
            const int done = left > 0;
            ald_text_free(context, svg);
            ald_model_free(model);
            if (done) break;
            assert_int_equal(status, ALD_ERROR_MEMORY);
        }
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_wrong_requests_are_refused),
        TEST(test_classes_that_mean_something_else_are_refused),
        TEST(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
