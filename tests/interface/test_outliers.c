/* T^2 and Q: storages agree, rows of the fit average as they must, limits hold for normal rows, models that
 * keep less give the same, and what has none. */
#include "support/fitting.h"
#include "support/storages.h"

#include "base/numbers/distributions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 200, d = 6, r = 2 };

static void storages_agree(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 11);
    for (int i = 0; i < n * d; i++) s.x[i] = (double)(float)s.x[i]; /* some storages hold floats */
    ald_context *context = support_context(2, NULL);
    ald_error error;
    double t2[2][n], q[2][n];
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix x = support_storage(which, s.x, n, d);
        ald_model *model =
            support_fit("pca", "n_components=2 scale=standard solver=direct outlier_limits=1", &x.view, NULL);
        assert_done(ald_outliers(context, model, &x.view, t2[which > 0], q[which > 0], NULL, &error), error);
        for (int i = 0; i < n; i++) {
            assert_close(t2[which > 0][i], t2[0][i], 1e-9 * (1.0 + t2[0][i]));
            assert_close(q[which > 0][i], q[0][i], 1e-10 * (1.0 + q[0][i]));
        }
        ald_model_free(model);
        support_storage_free(&x);
    }
    /* sum of T^2 over the rows of the fit is (n - 1) times the number of components */
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += t2[0][i];
    assert_close(sum, (n - 1.0) * r, 1e-8);
    ald_context_free(context);
    support_sample_free(&s);
}

/* Rows of a plane and normal noise: of new ones about 5 % and 1 % are above. Binomial, 4 standard deviations.
 */
static void limits_hold_for_normal_rows(void **state)
{
    (void)state;
    enum { many = 4000 };
    double *x = support_normals(21, 2 * many * d);
    for (int64_t i = 0; i < 2 * many; i++) x[i * d] *= 5.0;
    for (int64_t i = 0; i < 2 * many; i++) x[i * d + 1] *= 3.0;
    const ald_matrix train = ald_matrix_row_major(x, many, d, d),
                     test = ald_matrix_row_major(x + many * d, many, d, d);
    ald_context *context = support_context(2, NULL);
    ald_outlier_limits limits = ALD_OUTLIER_LIMITS_INIT;
    ald_error error;
    double *t2 = malloc(many * sizeof *t2), *q = malloc(many * sizeof *q);
    int above[4] = {0};
    ald_model *model = support_fit("pca", "n_components=2 outlier_limits=1", &train, NULL);
    assert_done(ald_outliers(context, model, &test, t2, q, &limits, &error), error);
    for (int i = 0; i < many; i++) {
        above[0] += t2[i] > limits.t2_95;
        above[1] += t2[i] > limits.t2_99;
        above[2] += q[i] > limits.q_95;
        above[3] += q[i] > limits.q_99;
    }
    for (int k = 0; k < 4; k++) {
        const double p = k % 2 ? 0.01 : 0.05;
        assert_close(above[k], p * many, 4.0 * sqrt(p * (1.0 - p) * many));
    }
    ald_model_free(model);
    ald_context_free(context);
    free(x);
    free(t2);
    free(q);
}

static void assert_same_distances(const ald_model *model, const ald_model *other, const ald_matrix *x)
{
    ald_context *context = support_context(1, NULL);
    ald_outlier_limits limits = ALD_OUTLIER_LIMITS_INIT, fewer = ALD_OUTLIER_LIMITS_INIT;
    ald_error error;
    double t2[2][n], q[2][n];
    assert_true(x->rows <= n);
    assert_done(ald_outliers(context, model, x, t2[0], q[0], &limits, &error), error);
    assert_done(ald_outliers(context, other, x, t2[1], q[1], &fewer, &error), error);
    for (int i = 0; i < x->rows; i++) {
        assert_close(t2[1][i], t2[0][i], 1e-9 * (1.0 + t2[0][i]));
        assert_close(q[1][i], q[0][i], 1e-9 * (1.0 + q[0][i]));
    }
    assert_close(fewer.t2_95, limits.t2_95, 1e-9 * limits.t2_95);
    assert_close(fewer.t2_99, limits.t2_99, 1e-9 * limits.t2_99);
    assert_true(limits.q_99 > limits.q_95 && isnan(fewer.q_95) && isnan(fewer.q_99));
    ald_context_free(context);
}

/* Without outlier_limits: pca and pls know the variances of their scores, and kept statistics do for all. */
static void models_that_keep_less_agree(void **state)
{
    static const struct {
        const char *method, *set;
    } ways[] = {
        {"pca", ""},
        {"pls", ""},
        {"pls", "algorithm=nipals scale=standard"},
        {"pca", "scale=standard keep_statistics=1"},
        {"lda", "keep_statistics=1"},
        {"cca", "scale=standard keep_statistics=1"},
    };
    (void)state;
    support_sample s = support_sample_make(n, d, 13);
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    double weights[n];
    for (int i = 0; i < n; i++) weights[i] = i % 4;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (int weighted = 0; weighted < 2; weighted++) {
            char set[120], whole[140];
            snprintf(set, sizeof set, "n_components=2 %s", ways[k].set);
            snprintf(whole, sizeof whole, "%s outlier_limits=1", set);
            y.weights = weighted ? weights : NULL;
            ald_model *less = support_fit(ways[k].method, set, &s.view, &y),
                      *more = support_fit(ways[k].method, whole, &s.view, &y);
            assert_same_distances(more, less, &s.view);
            ald_model_free(less);
            ald_model_free(more);
        }
    support_sample_free(&s);
}

static void streams_agree(void **state)
{
    char path[600];
    const ald_load_options load = {.size = sizeof load, .target = "y"};
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "lda", "n_components=2 outlier_limits=1");
    ald_dataset *data, *survey;
    ald_model *model, *streamed;
    ald_error error;
    int64_t rows;
    (void)state;
    snprintf(path, sizeof path, "%s/iris.csv", getenv("ALD_DATA"));
    assert_done(ald_dataset_load(context, path, &load, &data, &error), error);
    assert_done(ald_dataset_survey(context, path, &load, &survey, &rows, &error), error);
    assert_done(ald_fit_dataset(context, settings, data, &model, &error), error);
    assert_done(ald_fit_stream(context, settings, path, &load, survey, &streamed, &error), error);
    assert_same_distances(model, streamed, ald_dataset_x(data));
    ald_model_free(model);
    ald_model_free(streamed);
    ald_dataset_free(survey);
    ald_dataset_free(data);
    ald_settings_free(settings);
    ald_context_free(context);
}

/* Known quantiles, from tables: chi-square 3.841 and 23.209, F 4.965 and 5.636. */
static void quantiles_are_known(void **state)
{
    (void)state;
    assert_close(ald_chi_square_quantile(0.05, 1.0), 3.841458820694124, 1e-9);
    assert_close(ald_chi_square_quantile(0.01, 10.0), 23.209251158954356, 1e-8);
    assert_close(ald_f_quantile(0.05, 1.0, 10.0), 4.964602743730711, 1e-9);
    assert_close(ald_f_quantile(0.01, 5.0, 10.0), 5.636326188066879, 1e-9);
}

static void what_cannot_be_is_told(void **state)
{
    (void)state;
    support_sample s = support_sample_make(30, d, 12);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double t2[30];
    ald_model *plain = support_fit("lda", "n_components=1", &s.view, &y);
    assert_int_equal(ald_outliers(context, plain, &s.view, t2, NULL, NULL, &error), ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "outlier_limits=1"));
    ald_model_free(plain);
    support_refused("kpca", "outlier_limits=1", &s.view, NULL, "no linear map");
    ald_model *model = support_fit("lda", "n_components=1 outlier_limits=1", &s.view, &y);
    ald_outlier_limits limits;
    limits.size = 0;
    assert_int_equal(ald_outliers(context, model, &s.view, t2, NULL, &limits, &error), ALD_ERROR_ARGUMENT);
    const ald_matrix narrow = ald_matrix_row_major(s.x, 30, d - 1, d);
    assert_int_equal(ald_outliers(context, model, &narrow, t2, NULL, NULL, &error), ALD_ERROR_DATA);
    ald_model_free(model);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storages_agree),
        cmocka_unit_test(limits_hold_for_normal_rows),
        cmocka_unit_test(models_that_keep_less_agree),
        cmocka_unit_test(streams_agree),
        cmocka_unit_test(quantiles_are_known),
        cmocka_unit_test(what_cannot_be_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
