/* Sliced inverse regression as the papers use it: recovery of a known subspace, and digits in few dimensions.
 */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mean over r of the squared cosines between the spans of the rows of a (r x d) and of the first r
 * coordinates. */
static double trace_correlation(int64_t r, int64_t d, const double *a)
{
    double basis[3 * 64], sum = 0.0;
    for (int64_t k = 0; k < r; k++) {
        memcpy(basis + k * d, a + k * d, (size_t)d * sizeof *a);
        for (int twice = 0; twice < 2; twice++)
            for (int64_t l = 0; l < k; l++) {
                double along = 0.0;
                for (int64_t j = 0; j < d; j++) along += basis[l * d + j] * basis[k * d + j];
                for (int64_t j = 0; j < d; j++) basis[k * d + j] -= along * basis[l * d + j];
            }
        const double norm = support_norm(d, basis + k * d);
        for (int64_t j = 0; j < d; j++) basis[k * d + j] /= norm;
        for (int64_t j = 0; j < r; j++) sum += basis[k * d + j] * basis[k * d + j];
    }
    return sum / (double)r;
}

static double mean_recovery(const char *set, const char *settings_text, int64_t r)
{
    enum { draws = 40 };
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "sir", settings_text);
    double mean = 0.0;
    for (uint64_t seed = 1; seed <= draws; seed++) {
        const ald_generate_options options = {.size = sizeof options, .n = 400, .seed = seed};
        ald_dataset *data;
        ald_model *model;
        ald_error error;
        ald_array array;
        assert_done(ald_generate_dataset(context, set, &options, &data, &error), error);
        assert_done(ald_fit_dataset(context, settings, data, &model, &error), error);
        assert_true(ald_model_array(model, "components", &array));
        mean += trace_correlation(r, array.shape[1], array.data) / draws;
        ald_model_free(model);
        ald_dataset_free(data);
    }
    ald_settings_free(settings);
    ald_context_free(context);
    return mean;
}

static void recovers_what_it_can_see(void **state)
{
    (void)state;
    const double rational = mean_recovery("rational", "n_components=2", 2),
                 quadratic = mean_recovery("quadratic", "n_components=1", 1);
    print_message("sir: squared trace correlation %.3f on rational, %.3f on quadratic\n", rational,
                  quadratic);
    assert_true(rational >= 0.94);
    assert_true(quadratic < 0.5); /* an even function of x1 moves no slice mean */
}

static ald_dataset *load(ald_context *context, const char *name)
{
    char path[600];
    const ald_load_options options = {.size = sizeof options, .target = "y"};
    ald_dataset *data;
    ald_error error;
    snprintf(path, sizeof path, "%s/%s", support_shared_data(), name);
    assert_done(ald_dataset_load(context, path, &options, &data, &error), error);
    return data;
}

/* Share of test rows whose nearest training row is of their class. */
static double nearest_neighbour(int64_t r, int64_t n, const double *z, const int32_t *classes, int64_t m,
                                const double *test, const int32_t *truth)
{
    int64_t right = 0;
    for (int64_t i = 0; i < m; i++) {
        double least = INFINITY;
        int64_t best = 0;
        for (int64_t j = 0; j < n; j++) {
            double square = 0.0;
            for (int64_t k = 0; k < r; k++)
                square += (test[i * r + k] - z[j * r + k]) * (test[i * r + k] - z[j * r + k]);
            if (square < least) {
                least = square;
                best = j;
            }
        }
        right += classes[best] == truth[i];
    }
    return (double)right / (double)m;
}

/* USPS, the rows i % 3 = 0 of the training file, 1-NN on the test file. */
static void digits_in_few_dimensions(void **state)
{
    (void)state;
    static const struct {
        int dims;
        double accuracy;
    } expected[] = {{7, 0.854}, {9, 0.871}};
    if (!support_shared_data()) {
        print_message("skipped: there is no folder of further data sets (ALD_SHARED_DATA)\n");
        return;
    }
    ald_context *context = support_context(2, NULL);
    ald_dataset *train = load(context, "usps-train.csv.gz"), *test = load(context, "usps-test.csv.gz");
    const ald_matrix *x = ald_dataset_x(train), *x_test = ald_dataset_x(test);
    const int64_t n = (x->rows + 2) / 3;
    ald_matrix third = *x;
    third.rows = n;
    third.row_stride *= 3;
    int32_t *classes = malloc((size_t)n * sizeof *classes);
    for (int64_t i = 0; i < n; i++) classes[i] = ald_dataset_target(train)->classes[3 * i];
    const ald_target y = ald_target_classes(classes, n, 10);
    for (int k = 0; k < 2; k++) {
        char text[64];
        ald_model *model;
        ald_error error;
        const int64_t r = expected[k].dims;
        double *z = malloc((size_t)(n * r) * sizeof *z),
               *z_test = malloc((size_t)(x_test->rows * r) * sizeof *z);
        snprintf(text, sizeof text, "n_components=%d", expected[k].dims);
        ald_settings *settings = support_settings(context, "sir", text);
        assert_done(ald_fit(context, settings, &third, &y, &model, &error), error);
        assert_done(ald_transform(context, model, &third, z, &error), error);
        assert_done(ald_transform(context, model, x_test, z_test, &error), error);
        const double accuracy =
            nearest_neighbour(r, n, z, classes, x_test->rows, z_test, ald_dataset_target(test)->classes);
        print_message("usps, sir, %d dimensions: %.4f\n", expected[k].dims, accuracy);
        assert_close(accuracy, expected[k].accuracy, 0.003);
        free(z);
        free(z_test);
        ald_model_free(model);
        ald_settings_free(settings);
    }
    free(classes);
    ald_dataset_free(train);
    ald_dataset_free(test);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_what_it_can_see),
        cmocka_unit_test(digits_in_few_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
