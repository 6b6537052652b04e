/* Settings in words, and a comparison as a table. */
#include "support/fitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void words_are_settings(void **state)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings;
    ald_error error;
    (void)state;
    assert_done(ald_settings_from_words(context, "  pls n-components=3\tscale=standard ", &settings, &error),
                error);
    assert_string_equal(ald_method_name(ald_settings_method(settings)), "pls");
    assert_string_equal(ald_settings_text(settings, "n_components"), "3");
    assert_string_equal(ald_settings_text(settings, "scale"), "standard");
    assert_false(ald_settings_given(settings, "predictor"));
    ald_settings_free(settings);
    ald_context_free(context);
}

static void slips_are_told(void **state)
{
    static const char *const slips[][2] = {
        {"", "no method ''"},
        {"plss", "the nearest is 'pls'"},
        {"pls scale", "`scale=standard`, not 'scale'"},
        {"pls =2", "not '=2'"},
        {"pls scalee=none", "'scale'"},
        {"pls n_components=many", "`n_components` takes a number"},
    };
    ald_context *context = support_context(1, NULL);
    ald_settings *settings;
    ald_error error;
    (void)state;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        assert_int_equal(ald_settings_from_words(context, slips[i][0], &settings, &error),
                         ALD_ERROR_ARGUMENT);
        assert_null(settings);
        if (!strstr(error.message, slips[i][1])) fail_msg("'%s': %s", slips[i][0], error.message);
    }
    ald_context_free(context);
}

static void words_fit(void **state)
{
    support_sample s = support_sample_make(30, 4, 3);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &s.view, .y = &y};
    ald_context *context = support_context(1, NULL);
    ald_model *model, *same = support_fit("lda", "n_components=1 ridge=0.5", &s.view, &y);
    ald_error error;
    (void)state;
    assert_done(ald_fit_words(context, "lda n_components=1 ridge=0.5", &inputs, &model, &error), error);
    support_assert_same_model(model, same, 0.0);
    ald_model_free(model);
    ald_model_free(same);
    ald_context_free(context);
    support_sample_free(&s);
}

/* Every row a line, in order, with its numbers; what failed has none. */
static void a_table_has_all_rows(void **state)
{
    support_sample s = support_sample_make(60, 4, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    const ald_compare_options options = {
        .size = sizeof options,
        .methods = "lda components=1:3,pls scale=standard",
    };
    ald_context *context = support_context(1, NULL);
    ald_comparison *comparison;
    ald_error error;
    char *text;
    char expected[120];
    (void)state;
    assert_done(ald_compare(context, &s.view, &y, &options, &comparison, &error), error);
    assert_done(ald_comparison_text(context, comparison, &text, &error), error);
    const char *line = text;
    assert_int_equal(strncmp(line, "method ", 7), 0);
    for (int i = 0; i < ald_comparison_count(comparison); i++) {
        const ald_comparison_row *row = ald_comparison_at(comparison, i);
        line = strchr(line, '\n') + 1;
        assert_int_equal(strncmp(line, row->label, strlen(row->label)), 0);
        snprintf(expected, sizeof expected, "  %10.4f  ", row->mean);
        if (row->count && !strstr(line, expected)) fail_msg("row %d: %.60s", i, line);
    }
    assert_string_equal(strchr(line, '\n'), "\n");
    assert_non_null(strstr(text, "  best\n"));
    assert_non_null(strstr(text, "           3           -           -\n")); /* lda of three classes */
    ald_text_free(context, text);
    ald_comparison_free(comparison);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_settings),
        cmocka_unit_test(slips_are_told),
        cmocka_unit_test(words_fit),
        cmocka_unit_test(a_table_has_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
