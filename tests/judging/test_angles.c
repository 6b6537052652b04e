/* Principal angles: by hand, in the metric of the covariance from rows and from kept statistics, and what is
 * refused. */
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 60, d = 4 };

static ald_status measure(const ald_model *a, const ald_model *b, const ald_matrix *x, const ald_target *y,
                          double *raw, double *covariance, ald_angles_result *result, ald_error *error)
{
    ald_context *context = support_context(2, NULL);
    *result = (ald_angles_result)ALD_ANGLES_RESULT_INIT;
    const ald_status status = ald_model_angles(context, a, b, x, y, raw, covariance, result, error);
    ald_context_free(context);
    return status;
}

/* Columns of deviations 1, 10, 100, 1000, a response of the first and the last. */
static void make(double **x, double *y)
{
    static const double sizes[] = {1.0, 10.0, 100.0, 1000.0};
    *x = support_normals(41, n * d);
    for (int i = 0; i < n; i++) y[i] = (*x)[i * d] - 0.3 * (*x)[i * d + 3];
    for (int i = 0; i < n * d; i++) (*x)[i] = (*x)[i] * sizes[i % d] + 5.0;
}

/* The angle between two columns of scores is the arc cosine of their correlation. */
static void covariance_is_the_angle_of_the_scores(void **state)
{
    (void)state;
    double *x, y[n], raw[1], covariance[1], kept[1], z[2][n], moments[5] = {0};
    ald_angles_result result;
    ald_error error;
    make(&x, y);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_model *a = support_fit("pls", "n_components=1 keep_statistics=1", &view, &target),
              *b = support_fit("cca", "n_components=1", &view, &target);
    assert_done(measure(a, b, &view, &target, raw, covariance, &result, &error), error);
    assert_int_equal(result.source, ALD_COVARIANCE_ROWS);
    assert_int_equal(result.raw_count, 1);
    ald_context *context = support_context(1, NULL);
    assert_done(ald_transform(context, a, &view, z[0], &error), error);
    assert_done(ald_transform(context, b, &view, z[1], &error), error);
    ald_context_free(context);
    for (int i = 0; i < n; i++) {
        moments[0] += z[0][i] / n;
        moments[1] += z[1][i] / n;
    }
    for (int i = 0; i < n; i++) {
        moments[2] += pow(z[0][i] - moments[0], 2);
        moments[3] += pow(z[1][i] - moments[1], 2);
        moments[4] += (z[0][i] - moments[0]) * (z[1][i] - moments[1]);
    }
    assert_close(covariance[0], acos(fabs(moments[4]) / sqrt(moments[2] * moments[3])), 1e-9);
    const double *w = support_reals(a, "components", NULL), *v = support_reals(b, "components", NULL);
    double inner = 0.0;
    for (int j = 0; j < d; j++) inner += w[j] * v[j];
    assert_close(cos(raw[0]), fabs(inner) / support_norm(d, w) / support_norm(d, v), 1e-12);
    assert_true(fabs(raw[0] - covariance[0]) > 0.1); /* units matter to one and not to the other */
    /* Either model may be the one that keeps statistics. */
    assert_done(measure(a, b, NULL, NULL, raw, kept, &result, &error), error);
    assert_int_equal(result.source, ALD_COVARIANCE_STATISTICS);
    assert_close(kept[0], covariance[0], 1e-7);
    assert_done(measure(b, a, NULL, NULL, raw, kept, &result, &error), error);
    assert_close(kept[0], covariance[0], 1e-7);
    assert_done(measure(b, b, NULL, NULL, raw, kept, &result, &error), error);
    assert_int_equal(result.source, ALD_COVARIANCE_UNKNOWN);
    assert_close(raw[0], 0.0, 1e-12);
    ald_model_free(a);
    ald_model_free(b);
    free(x);
}

/* Spans, not directions: two of pca and three of them have two angles of 0; in other units of the columns raw
 * angles change, those of the covariance do not. */
static void spans_of_several(void **state)
{
    (void)state;
    double *x, y[n], raw[3], covariance[3], scaled[n * d], other_raw[2], other[2];
    ald_angles_result result;
    ald_error error;
    make(&x, y);
    for (int i = 0; i < n * d; i++) scaled[i] = x[i] * pow(7.0, i % d);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d), moved = ald_matrix_row_major(scaled, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_model *two = support_fit("pca", "n_components=2", &view, &target),
              *three = support_fit("pca", "n_components=3", &view, &target);
    assert_done(measure(three, two, &view, &target, raw, covariance, &result, &error), error);
    assert_int_equal(result.raw_count, 2);
    assert_int_equal(result.covariance_count, 2);
    for (int k = 0; k < 2; k++) assert_true(raw[k] < 1e-10 && covariance[k] < 1e-10);
    ald_model_free(three);
    ald_model_free(two);
    for (int k = 0; k < 2; k++) {
        const ald_matrix *rows = k ? &moved : &view;
        ald_model *a = support_fit("pls", "n_components=2 scale=standard", rows, &target),
                  *b = support_fit("sir", "n_components=2", rows, &target);
        assert_done(
            measure(a, b, rows, &target, k ? other_raw : raw, k ? other : covariance, &result, &error),
            error);
        ald_model_free(a);
        ald_model_free(b);
    }
    assert_true(raw[0] <= raw[1]);
    for (int k = 0; k < 2; k++) assert_close(covariance[k], other[k], 1e-7);
    assert_true(fabs(raw[0] - other_raw[0]) + fabs(raw[1] - other_raw[1]) > 1e-3);
    free(x);
}

/* Known directions: x1 alone is 90 degrees from x2, and as correlated as the columns are. */
static void known_directions(void **state)
{
    (void)state;
    double x[n * 2], raw[1], covariance[1];
    double *noise = support_normals(44, 2 * n);
    for (int i = 0; i < n; i++) {
        x[2 * i] = 100.0 * noise[i];
        x[2 * i + 1] = noise[i] + 0.1 * noise[n + i];
    }
    const ald_matrix view = ald_matrix_row_major(x, n, 2, 2);
    ald_model *model = support_fit("pca", "n_components=1", &view, NULL); /* nearly x1 */
    static const double second[] = {0.0, 1.0};
    const ald_matrix known = ald_matrix_row_major(second, 1, 2, 2);
    ald_context *context = support_context(1, NULL);
    ald_angles_result result = ALD_ANGLES_RESULT_INIT;
    ald_error error;
    assert_done(ald_subspace_angles(context, model, &known, &view, NULL, raw, covariance, &result, &error),
                error);
    assert_true(raw[0] > 1.5 && covariance[0] < 0.2);
    assert_done(ald_subspace_angles(context, model, &known, NULL, NULL, raw, covariance, &result, &error),
                error);
    assert_int_equal(result.source, ALD_COVARIANCE_UNKNOWN);
    const ald_matrix wide = ald_matrix_row_major(x, 1, 3, 3);
    assert_true(ald_subspace_angles(context, model, &wide, NULL, NULL, raw, covariance, &result, &error) < 0);
    ald_context_free(context);
    ald_model_free(model);
    free(noise);
}

static void what_has_no_directions_is_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 4);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    const ald_matrix narrow = ald_matrix_row_major(s.x, n, d - 1, d);
    ald_model *linear = support_fit("lda", "n_components=1", &s.view, &y),
              *curved = support_fit("kpca", "n_components=1", &s.view, &y),
              *other = support_fit("lda", "n_components=1", &narrow, &y);
    double raw[1], covariance[1];
    ald_angles_result result;
    ald_error error;
    assert_int_equal(measure(linear, curved, NULL, NULL, raw, covariance, &result, &error),
                     ALD_ERROR_UNSUPPORTED);
    assert_int_equal(measure(linear, other, NULL, NULL, raw, covariance, &result, &error), ALD_ERROR_DATA);
    assert_true(measure(linear, linear, &narrow, &y, raw, covariance, &result, &error) < 0);
    ald_model_free(linear);
    ald_model_free(curved);
    ald_model_free(other);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covariance_is_the_angle_of_the_scores),
        cmocka_unit_test(spans_of_several),
        cmocka_unit_test(known_directions),
        cmocka_unit_test(what_has_no_directions_is_refused),
    };
    return cmocka_run_group_tests_name("angles", tests, NULL, NULL);
}
