/* components_rule=at-most: every method that refuses more components than there are fits with what there are.
 */
#include "methods/engines/problem.h"
#include "support/fitting.h"

#include <stdio.h>
#include <string.h>

enum { n = 30, d = 4 };

static ald_target_kind kind_for(unsigned can)
{
    if (can & ALD_CAN_CLASSES) return ALD_TARGET_CLASSES;
    return can & ALD_CAN_REAL ? ALD_TARGET_REAL : ALD_TARGET_LABELS;
}

static ald_status fit(const char *method, const char *set, int64_t r, const ald_matrix *x,
                      const ald_target *y, ald_model **model, ald_error *error)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, method, set);
    assert_done(ald_settings_set_int(settings, "n_components", r, error), *error);
    const ald_status status = ald_fit(context, settings, x, y, model, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static ald_target target_of(const support_sample *s, ald_target_kind kind, unsigned can)
{
    ald_target y = support_sample_target(s, kind);
    if (kind == ALD_TARGET_REAL && !(can & ALD_CAN_RESPONSES)) y.values.cols = 1;
    return y;
}

/* The same arrays as a fit that asked for just as many. */
static void as_if_asked(const char *method, const ald_matrix *x, const ald_target *y, const ald_model *model)
{
    const int64_t r = ald_model_component_count(model);
    ald_model *plain;
    ald_error error;
    ald_array one, two;
    assert_done(fit(method, "", r, x, y, &plain, &error), error);
    for (int i = 0; ald_model_array_at(plain, i, &one); i++) {
        assert_true(ald_model_array(model, one.name, &two));
        int64_t count = 1;
        for (int k = 0; k < one.dims; k++) {
            assert_int_equal(one.shape[k], two.shape[k]);
            count *= one.shape[k];
        }
        assert_memory_equal(one.data, two.data, (size_t)count * 8);
    }
    ald_model_free(plain);
}

static void every_method_that_refuses(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 7);
    int refused = 0;
    for (int m = 0; m < ald_method_count(); m++) {
        const char *method = ald_method_name(ald_method_at(m));
        const unsigned can = ald_method_capabilities(ald_method_at(m));
        const ald_target y = target_of(&s, kind_for(can), can);
        ald_model *model;
        ald_error error;
        const ald_status exactly = fit(method, "", 1000, &s.view, &y, &model, &error);
        ald_model_free(model);
        if (exactly >= 0) continue;
        refused++;
        const ald_status status = fit(method, "components_rule=at-most", 1000, &s.view, &y, &model, &error);
        if (status < 0) fail_msg("%s: %s", method, error.message);
        assert_true(ald_model_component_count(model) >= 1 && ald_model_component_count(model) < 1000);
        as_if_asked(method, &s.view, &y, model);
        ald_model_free(model);
    }
    assert_true(refused > 20);
    support_sample_free(&s);
}

/* What its table says is never too little: one component more is refused by the method itself. */
static void the_bound_holds(const char *method, const ald_matrix *x, const ald_target *y)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, method, "");
    const int64_t most = ald_most_components(settings, x->rows, x->cols, y);
    ald_model *model;
    ald_error error;
    if (fit(method, "", most + 1, x, y, &model, &error) >= 0)
        fail_msg("%s has more than %lld components", method, (long long)most);
    if (fit(method, "components_rule=at-most", most + 1, x, y, &model, &error) < 0) {
        assert_true(fit(method, "", 1, x, y, &model, &error) < 0); /* phd needs more rows than columns */
    } else {
        assert_true(ald_model_component_count(model) <= most);
        ald_model_free(model);
    }
    ald_settings_free(settings);
    ald_context_free(context);
}

static void every_method_keeps_its_bound(void **state)
{
    static const struct {
        ald_target_kind kind;
        unsigned can;
    } kinds[] = {
        {ALD_TARGET_CLASSES, ALD_CAN_CLASSES},
        {ALD_TARGET_REAL, ALD_CAN_REAL},
        {ALD_TARGET_LABELS, ALD_CAN_LABELS},
    };
    (void)state;
    support_sample tall = support_sample_make(16, 3, 7), wide = support_sample_make(8, 10, 8);
    for (int m = 0; m < ald_method_count(); m++) {
        const char *method = ald_method_name(ald_method_at(m));
        const unsigned can = ald_method_capabilities(ald_method_at(m));
        const ald_target few = target_of(&wide, kind_for(can), can);
        the_bound_holds(method, &wide.view, &few);
        for (int k = 0; k < 3; k++) {
            if (!(can & kinds[k].can)) continue;
            const ald_target y = target_of(&tall, kinds[k].kind, can);
            the_bound_holds(method, &tall.view, &y);
        }
    }
    support_sample_free(&tall);
    support_sample_free(&wide);
}

static void nothing_changes_where_there_are_enough(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 7);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_model *exactly = support_fit("lda", "n_components=2", &s.view, &y),
              *at_most = support_fit("lda", "n_components=2 components_rule=at-most", &s.view, &y),
              *fewer = support_fit("lda", "n_components=9 components_rule=at-most predictor=centroid",
                                   &s.view, &y);
    support_assert_same_model(exactly, at_most, 0.0);
    assert_null(ald_model_text(at_most, "alidade.resolved.n_components"));
    assert_string_equal(ald_model_text(fewer, "alidade.resolved.n_components"), "2");
    assert_string_equal(ald_model_text(fewer, "alidade.param.n_components"), "9");
    assert_int_equal(ald_model_component_count(fewer), 2);
    ald_model_free(exactly);
    ald_model_free(at_most);
    ald_model_free(fewer);
    support_sample_free(&s);
}

/* None at all is an error still. */
static void none_is_an_error(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 7);
    for (int64_t i = 0; i < n * d; i++) s.x[i] = 1.0;
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    support_refused("lda", "n_components=2 components_rule=at-most", &s.view, &y, "lda");
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_that_refuses),
        cmocka_unit_test(every_method_keeps_its_bound),
        cmocka_unit_test(nothing_changes_where_there_are_enough),
        cmocka_unit_test(none_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
