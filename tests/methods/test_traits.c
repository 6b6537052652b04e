/* What the tables of methods and parameters claim, held against what the methods do. */
#include "base/settings/method.h"
#include "methods/predict/predictor.h"
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 36, cols = 5 };

static const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};
static const unsigned takes[] = {ALD_CAN_CLASSES, ALD_CAN_REAL, ALD_CAN_LABELS};

/* A target that the method takes; one response where it takes no more. */
static ald_target target_for(const ald_method *method, const support_sample *s, int kind)
{
    ald_target y = support_sample_target(s, kinds[kind]);
    if (kinds[kind] == ALD_TARGET_REAL && !(method->capabilities & ALD_CAN_RESPONSES)) y.values.cols = 1;
    return y;
}

static ald_status fit_with(const ald_method *method, int64_t n_components, const ald_matrix *x,
                           const ald_target *y, ald_model **model, ald_error *error)
{
    ald_context *context = support_context(1, NULL);
    char set[60];
    snprintf(set, sizeof set, "n_components=%lld", (long long)n_components);
    ald_settings *settings = support_settings(context, method->name, set);
    *model = NULL;
    const ald_status status = ald_fit(context, settings, x, y, model, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static void every_default_and_grid_is_taken(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    for (int m = 0; m < ald_method_count(); m++) {
        const ald_param *param;
        ald_settings *settings = support_settings(context, ald_method_name(ald_method_at(m)), "");
        for (int i = 0; (param = ald_method_param(ald_method_at(m), i)) != NULL; i++) {
            char first[40] = "";
            ald_error error;
            const char *grid = param->grid ? param->grid : param->initial;
            snprintf(first, sizeof first, "%.*s", (int)strcspn(grid, ","), grid);
            if (strchr(first, ':')) continue;
            assert_done(ald_settings_set_text(settings, param->name, first, &error), error);
            assert_true(!param->grid || param->simpler != ALD_SIMPLER_UNKNOWN);
            assert_true(strlen(param->help) > 5);
            for (int k = 0; k < i; k++)
                assert_string_not_equal(ald_method_param(ald_method_at(m), k)->name, param->name);
        }
        ald_settings_free(settings);
    }
    ald_context_free(context);
}

/* An entry of a method's own takes the place of the engine's. */
static void own_entries_win(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    ald_settings *lsir = support_settings(context, "lsir", ""), *sir = support_settings(context, "sir", "");
    assert_string_equal(ald_settings_text(lsir, "ridge_rel"), "0.03");
    assert_string_equal(ald_settings_text(sir, "ridge_rel"), "0");
    assert_null(ald_method_param_with(ald_method_find("kspca"), ALD_PARAM_IS_NEIGHBORS)->grid);
    assert_string_equal(ald_method_param_with(ald_method_find("sdpp"), ALD_PARAM_IS_NEIGHBORS)->grid,
                        "5,10,20");
    assert_null(ald_method_param_with(ald_method_find("pls"), ALD_PARAM_IS_RIDGE));
    ald_settings_free(lsir);
    ald_settings_free(sir);
    ald_context_free(context);
}

static void choices_of_predictors_are_predictors(void **state)
{
    (void)state;
    const ald_param *param = ald_method_param_with(ald_method_at(0), ALD_PARAM_IS_PREDICTOR);
    assert_string_equal(param->choices[0], "none");
    for (int i = 1; param->choices[i]; i++) assert_non_null(ald_predictor_find(param->choices[i]));
}

static void own_rules_are_as_declared(void **state)
{
    (void)state;
    support_sample s = support_sample_make(rows, cols, 3);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < 3; k++) {
            const ald_method *method = ald_method_at(m);
            const ald_target y = target_for(method, &s, k);
            ald_model *model;
            ald_error error;
            if (!(method->capabilities & takes[k])) continue;
            const ald_status status = fit_with(method, 0, &s.view, &y, &model, &error);
            const int refused = status < 0 && strstr(error.message, "no rule for the number") != NULL;
            if (refused != (method->own_rule == ALD_NO_OWN_RULE))
                fail_msg("%s: %s", method->name, error.message);
            ald_model_free(model);
        }
    support_sample_free(&s);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t bound_of(const ald_method *method, const ald_target *y)
{
    int64_t bound = 1000;
    int64_t of_target = y->kind == ALD_TARGET_CLASSES ? y->n_classes - 1 : y->values.cols;
    if (y->kind == ALD_TARGET_REAL && ald_method_param_with(method, ALD_PARAM_IS_SLICES)) of_target = 10 - 1;
    if (method->bounds & ALD_BY_COLUMNS) bound = least(bound, cols);
    if (method->bounds & ALD_BY_ROWS) bound = least(bound, rows - 1);
    if (method->bounds & ALD_BY_TARGET) bound = least(bound, of_target);
    return bound;
}

static void no_method_has_more_components_than_declared(void **state)
{
    (void)state;
    support_sample s = support_sample_make(rows, cols, 4);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < 3; k++) {
            const ald_method *method = ald_method_at(m);
            const ald_target y = target_for(method, &s, k);
            ald_model *model;
            ald_error error;
            if (!(method->capabilities & takes[k])) continue;
            assert_true(method->bounds != 0);
            if (fit_with(method, bound_of(method, &y) + 1, &s.view, &y, &model, &error) >= 0)
                fail_msg("%s has more than %lld components", method->name, (long long)bound_of(method, &y));
            ald_model_free(model);
        }
    support_sample_free(&s);
}

/* Scores of the training rows; 0 if the fit fails. */
static int scores(const ald_method *method, const ald_matrix *x, const ald_target *y, double *z)
{
    ald_context *context = support_context(1, NULL);
    ald_model *model;
    ald_error error;
    const int done = fit_with(method, 1, x, y, &model, &error) >= 0;
    if (done) assert_done(ald_transform(context, model, x, z, &error), error);
    ald_model_free(model);
    ald_context_free(context);
    return done;
}

/* Columns in other units: the scores stay, up to their sign, where a method says so. */
static void scale_free_methods_are(void **state)
{
    (void)state;
    support_sample s = support_sample_make(rows, cols, 5), t = support_sample_make(rows, cols, 5);
    int checked = 0;
    for (int64_t i = 0; i < rows * cols; i++) t.x[i] *= pow(4.0, (double)(i % cols) - 2.0);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < 3; k++) {
            const ald_method *method = ald_method_at(m);
            const ald_target y = target_for(method, &s, k);
            double z[rows], other[rows], dot = 0.0;
            if (!method->scale_free || !(method->capabilities & takes[k]) || !scores(method, &s.view, &y, z))
                continue;
            assert_true(scores(method, &t.view, &y, other));
            for (int i = 0; i < rows; i++) dot += z[i] * other[i];
            for (int i = 0; i < rows; i++) other[i] *= dot < 0.0 ? -1.0 : 1.0;
            if (!(support_largest_difference(rows, z, other) < 1e-8 * support_norm(rows, z)))
                fail_msg("%s depends on the units of the columns", method->name);
            checked++;
        }
    assert_true(checked >= 10);
    support_sample_free(&s);
    support_sample_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default_and_grid_is_taken),
        cmocka_unit_test(own_entries_win),
        cmocka_unit_test(choices_of_predictors_are_predictors),
        cmocka_unit_test(own_rules_are_as_declared),
        cmocka_unit_test(no_method_has_more_components_than_declared),
        cmocka_unit_test(scale_free_methods_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
