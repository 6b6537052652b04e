/* ald_explained of every method: shares that rise, lie within 0 and 1, and for pca are those of its
 * eigenvalues. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { n = 40, d = 5, r = 2 };

static ald_target target_for(const support_sample *s, unsigned can)
{
    if (can & ALD_CAN_CLASSES) return support_sample_target(s, ALD_TARGET_CLASSES);
    if (!(can & ALD_CAN_REAL)) return support_sample_target(s, ALD_TARGET_LABELS);
    ald_target y = support_sample_target(s, ALD_TARGET_REAL);
    if (!(can & ALD_CAN_RESPONSES)) y.values.cols = 1;
    return y;
}

static void check_shares(const char *method, const double *share)
{
    for (int k = 0; k < r; k++)
        if (!(share[k] >= 0.0 && share[k] <= 1.0 + 1e-12 && (k == 0 || share[k] >= share[k - 1])))
            fail_msg("%s: share %d is %g", method, k + 1, share[k]);
}

static void every_method(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 9);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    for (int m = 0; m < ald_method_count(); m++) {
        const char *method = ald_method_name(ald_method_at(m));
        const ald_target y = target_for(&s, ald_method_capabilities(ald_method_at(m)));
        const int chosen =
            strcmp(method, "lasso-sir") == 0; /* cross-validation may leave the second one out */
        char set[80];
        snprintf(set, sizeof set, "n_components=2 components_rule=at-most%s", chosen ? " penalty=0.1" : "");
        ald_settings *settings = support_settings(context, method, set);
        ald_model *model;
        double x_share[r], y_share[r];
        assert_done(ald_fit(context, settings, &s.view, &y, &model, &error), error);
        assert_int_equal(ald_model_component_count(model), r);
        assert_done(ald_explained(context, model, &s.view, &y, x_share, y_share, &error), error);
        check_shares(method, x_share);
        check_shares(method, y_share);
        ald_model_free(model);
        ald_settings_free(settings);
    }
    ald_context_free(context);
    support_sample_free(&s);
}

static void pca_explains_its_eigenvalues(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 9);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double x_share[d], y_share[d];
    ald_model *model = support_fit("pca", "n_components=2", &s.view, NULL);
    const double *ratio = support_reals(model, "explained_variance_ratio", NULL);
    assert_done(ald_explained(context, model, &s.view, NULL, x_share, y_share, &error), error);
    assert_close(x_share[0], ratio[0], 1e-12);
    assert_close(x_share[1], ratio[0] + ratio[1], 1e-12);
    assert_true(isnan(y_share[0]));
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method),
        cmocka_unit_test(pca_explains_its_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
