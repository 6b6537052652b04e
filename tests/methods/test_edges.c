/* Data at the edges: constant columns and targets, weights of 0, low rank, small singular values, large
 * numbers. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ald_status try_fit(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                          ald_model **model, ald_error *error)
{
    ald_context *context = support_context(2, NULL);
    ald_settings *settings = support_settings(context, method, set);
    const ald_status status = ald_fit(context, settings, x, y, model, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static const double *components_of(const ald_model *model)
{
    ald_array array;
    assert_true(ald_model_array(model, "components", &array));
    return array.data;
}

/* Scaling must not blow the rounding of a constant column up to a direction. */
static void constant_columns_stay_out(void **state)
{
    (void)state;
    enum { n = 5000, d = 4 };
    static const double values[] = {0.1, 1e8 + 0.1, 1.0 / 3.0};
    double *x = support_normals(1, n * d);
    ald_model *model;
    ald_error error;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++) x[i * d + 2] = values[k];
        const ald_matrix view = ald_matrix_row_major(x, n, d, d);
        assert_done(try_fit("pca", "n_components=3 scale=standard", &view, NULL, &model, &error), error);
        for (int c = 0; c < 3; c++) assert_true(components_of(model)[c * d + 2] == 0.0);
        ald_model_free(model);
        assert_int_equal(try_fit("pca", "n_components=4 scale=standard", &view, NULL, &model, &error),
                         ALD_ERROR_DATA);
        assert_non_null(strstr(error.message, "pca has 3 components"));
    }
    free(x);
}

static void nothing_varies(void **state)
{
    (void)state;
    enum { n = 40, d = 3 };
    static const double values[] = {0.1, 1e8 + 0.1, 0.0};
    double x[n * d], y[n];
    ald_model *model;
    ald_error error;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n * d; i++) x[i] = values[k];
        for (int i = 0; i < n; i++) y[i] = i;
        const ald_matrix view = ald_matrix_row_major(x, n, d, d);
        const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
        for (int m = 0; m < ald_method_count(); m++) {
            if (!(ald_method_capabilities(ald_method_at(m)) & ALD_CAN_REAL)) continue;
            const ald_status status =
                try_fit(ald_method_name(ald_method_at(m)), "n_components=1", &view, &target, &model, &error);
            if (status >= 0)
                fail_msg("%s found a direction in constant X", ald_method_name(ald_method_at(m)));
            assert_null(model);
        }
    }
}

/* Rows of weight 0 are not there: what is left must be enough. */
static void weights_of_zero(void **state)
{
    (void)state;
    enum { n = 30, d = 3 };
    double *x = support_normals(2, n * d);
    double weights[n], y[n];
    int32_t classes[n];
    ald_model *model;
    ald_error error;
    for (int i = 0; i < n; i++) {
        classes[i] = i % 2;
        weights[i] = i % 2;
        y[i] = i % 2 ? 4.0 : i;
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    ald_target target = ald_target_classes(classes, n, 2);
    target.weights = weights;
    assert_int_equal(try_fit("pls", "n_components=1", &view, &target, &model, &error), ALD_ERROR_DATA);
    target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    target.weights = weights;
    assert_int_equal(try_fit("pls", "n_components=1", &view, &target, &model, &error), ALD_ERROR_DATA);
    for (int i = 0; i < n; i++) weights[i] = i == 7;
    assert_int_equal(try_fit("pca", "n_components=1", &view, &target, &model, &error), ALD_ERROR_DATA);
    free(x);
}

/* X = A B of rank 3 with columns of very different size: both algorithms find three directions and no fourth.
 */
static void pls_knows_the_rank(void **state)
{
    (void)state;
    enum { n = 50, d = 10, rank = 3 };
    double *a = support_normals(3, n * rank), *b = support_normals(4, rank * d),
           *y = support_normals(5, n * 2);
    double x[n * d];
    static const char *const algorithms[] = {"ikpls", "nipals"};
    ald_model *model;
    ald_error error;
    char text[100];
    support_multiply(0, 0, n, d, rank, a, b, x);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) x[i * d + j] *= pow(10.0, -3.0 * j / (d - 1));
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    for (int q = 1; q <= 2; q++)
        for (int k = 0; k < 2; k++) {
            const ald_target target = ald_target_real(ald_matrix_row_major(y, n, q, 2));
            snprintf(text, sizeof text, "n_components=3 algorithm=%s", algorithms[k]);
            assert_done(try_fit("pls", text, &view, &target, &model, &error), error);
            ald_model_free(model);
            snprintf(text, sizeof text, "n_components=4 algorithm=%s", algorithms[k]);
            assert_int_equal(try_fit("pls", text, &view, &target, &model, &error), ALD_ERROR_DATA);
            assert_non_null(strstr(error.message, "pls has 3 components"));
        }
    free(a);
    free(b);
    free(y);
}

/* Spectra are collinear: the two algorithms agree all the same, relative to the size of each direction. */
static void pls_algorithms_agree_on_spectra(void **state)
{
    (void)state;
    ald_context *context = support_context(2, NULL);
    const ald_load_options load = {.size = sizeof load, .target = "fat", .ignore = "water,protein"};
    static const char *const sets[] = {
        "n_components=6 row_scale=standard algorithm=ikpls",
        "n_components=6 row_scale=standard algorithm=nipals",
    };
    ald_dataset *data;
    ald_model *models[2];
    ald_error error;
    char path[600];
    snprintf(path, sizeof path, "%s/tecator.csv", support_data());
    assert_done(ald_dataset_load(context, path, &load, &data, &error), error);
    for (int k = 0; k < 2; k++)
        assert_done(
            try_fit("pls", sets[k], ald_dataset_x(data), ald_dataset_target(data), &models[k], &error),
            error);
    const double *u = components_of(models[0]), *v = components_of(models[1]);
    for (int a = 0; a < 6; a++)
        assert_below(support_largest_difference(100, u + a * 100, v + a * 100),
                     1e-10 * support_norm(100, u + a * 100));
    for (int k = 0; k < 2; k++) ald_model_free(models[k]);
    ald_dataset_free(data);
    ald_context_free(context);
}

/* Singular values 1, 1/2 and 1e-6 with n < d: the third direction is orthogonal to the others by every route.
 */
static void small_singular_values_keep_components_orthonormal(void **state)
{
    (void)state;
    enum { n = 40, d = 200, r = 3 };
    static const double sizes[r] = {1.0, 0.5, 1e-6};
    static const char *const solvers[] = {"direct", "dual", "lanczos tol=1e-12"};
    double *a = support_normals(6, n * r), *b = support_normals(7, r * d);
    double x[n * d], gram[r * r];
    ald_model *model;
    ald_error error;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < r; k++) a[i * r + k] *= sizes[k];
    support_multiply(0, 0, n, d, r, a, b, x);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    for (int s = 0; s < 3; s++) {
        char text[100];
        snprintf(text, sizeof text, "n_components=3 solver=%s", solvers[s]);
        assert_done(try_fit("pca", text, &view, NULL, &model, &error), error);
        support_multiply(0, 1, r, r, d, components_of(model), components_of(model), gram);
        for (int i = 0; i < r * r; i++) assert_close(gram[i], i % (r + 1) == 0, 1e-12);
        ald_model_free(model);
    }
    free(a);
    free(b);
}

static void large_numbers_are_refused(void **state)
{
    (void)state;
    enum { n = 20, d = 3 };
    double *x = support_normals(8, n * d);
    ald_model *model;
    ald_error error;
    for (int i = 0; i < n; i++) x[i * d + 1] *= 1e200;
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    assert_done(try_fit("pca", "n_components=1 scale=standard", &view, NULL, &model, &error), error);
    ald_model_free(model);
    assert_int_equal(try_fit("pca", "n_components=1", &view, NULL, &model, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "the values of column 2 lie up to"));
    assert_int_equal(try_fit("pca", "n_components=1 row_scale=unit", &view, NULL, &model, &error),
                     ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "too large to be scaled"));
    free(x);
}

/* pca and kpca do not look at the target: one that says nothing is taken, and predicted. */
static void a_target_that_says_nothing(void **state)
{
    (void)state;
    enum { n = 20, d = 3 };
    static const char *const methods[] = {"pca predictor=linear", "kpca predictor=linear", "pls", "sir"};
    double *x = support_normals(10, n * d);
    double y[n];
    ald_context *context = support_context(1, NULL);
    for (int i = 0; i < n; i++) y[i] = 4.0;
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (int m = 0; m < 4; m++) {
        ald_model *model;
        ald_error error;
        const ald_inputs inputs = {.size = sizeof inputs, .x = &view, .y = &target};
        const ald_status status = ald_fit_words(context, methods[m], &inputs, &model, &error);
        assert_int_equal(status, m < 2 ? ALD_OK : ALD_ERROR_DATA);
        if (m >= 2) assert_non_null(strstr(error.message, "the same value in every row"));
        double predicted[n];
        if (m < 2) assert_done(ald_predict(context, model, &view, predicted, &error), error);
        for (int i = 0; i < n && m < 2; i++) assert_close(predicted[i], 4.0, 1e-12);
        ald_model_free(model);
    }
    ald_context_free(context);
    free(x);
}

/* The units of the response do not matter: powers of two change no digit. */
static void units_of_the_response(void **state)
{
    (void)state;
    enum { n = 60, d = 4 };
    static const char *const methods[] = {"phd", "spca", "sir", "save", "contour"};
    double *x = support_normals(9, n * d);
    double y[n], scaled[n];
    for (int i = 0; i < n; i++) y[i] = x[i * d] * x[i * d] + 0.5 * x[i * d + 1];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    for (int m = 0; m < 5; m++)
        for (int power = -660; power <= 660; power += 1320) {
            ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
            ald_model *plain, *other;
            ald_error error;
            assert_done(try_fit(methods[m], "n_components=2", &view, &target, &plain, &error), error);
            for (int i = 0; i < n; i++) scaled[i] = ldexp(y[i], power);
            target = ald_target_real(ald_matrix_row_major(scaled, n, 1, 1));
            assert_done(try_fit(methods[m], "n_components=2", &view, &target, &other, &error), error);
            ald_array a, b;
            assert_true(ald_model_array(plain, "components", &a) && ald_model_array(other, "components", &b));
            assert_memory_equal(a.data, b.data, 2 * d * sizeof(double));
            ald_model_free(plain);
            ald_model_free(other);
        }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_columns_stay_out),
        cmocka_unit_test(nothing_varies),
        cmocka_unit_test(weights_of_zero),
        cmocka_unit_test(pls_knows_the_rank),
        cmocka_unit_test(pls_algorithms_agree_on_spectra),
        cmocka_unit_test(small_singular_values_keep_components_orthonormal),
        cmocka_unit_test(large_numbers_are_refused),
        cmocka_unit_test(units_of_the_response),
        cmocka_unit_test(a_target_that_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
