/* Inverse regression and local slopes as the papers use them: recovery of known subspaces, and digits in few
 * dimensions. */
#include "support/fitting.h"

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

enum { draw_rows = 400, draw_columns = 10, draw_cells = draw_rows * (draw_columns + 1) };

/* Rows of a synthetic set with the response behind them; `product`: y = x1 (x1 + x2 + 1) + 0.5 e, x normal.
 */
static void draw_set(ald_context *context, const char *set, uint64_t seed, double *rows)
{
    enum { d = draw_columns, width = d + 1 };
    if (strcmp(set, "product") == 0) {
        double *normal = support_normals(seed, draw_cells);
        memcpy(rows, normal, draw_cells * sizeof *rows);
        for (double *x = rows; x < rows + draw_cells; x += width)
            x[d] = x[0] * (x[0] + x[1] + 1.0) + 0.5 * x[d];
        free(normal);
        return;
    }
    const ald_generate_options options = {.size = sizeof options, .n = draw_rows, .d = d, .seed = seed};
    ald_dataset *data;
    ald_error error;
    assert_done(ald_generate_dataset(context, set, &options, &data, &error), error);
    const double *x = ald_dataset_x(data)->values, *y = ald_dataset_target(data)->values.values;
    for (int64_t i = 0; i < draw_rows; i++) {
        for (int64_t j = 0; j < d; j++) rows[i * width + j] = x[i * d + j];
        rows[i * width + d] = y[i];
    }
    ald_dataset_free(data);
}

/* Mean over `draws` of the trace correlation of the directions with the first `r` columns. */
static double recovery(const char *set, const char *method, const char *more, int r, int draws)
{
    enum { d = draw_columns };
    ald_context *context = support_context(1, NULL);
    double *rows = malloc(draw_cells * sizeof *rows);
    double sum = 0.0;
    char settings[128];
    snprintf(settings, sizeof settings, "n_components=%d %s", r, more);
    const ald_matrix x = ald_matrix_row_major(rows, draw_rows, d, d + 1);
    const ald_target y = ald_target_real(ald_matrix_row_major(rows + d, draw_rows, 1, d + 1));
    for (int draw = 0; draw < draws; draw++) {
        draw_set(context, set, (uint64_t)draw + 1, rows);
        ald_model *model = support_fit(method, settings, &x, &y);
        sum += trace_correlation(r, d, support_reals(model, "components", NULL)) / draws;
        ald_model_free(model);
    }
    free(rows);
    ald_context_free(context);
    return sum;
}

static void known_directions_are_found(void **state)
{
    (void)state;
    const struct {
        const char *set, *method, *more;
        int r;
        double least;
        int draws; /* with ALD_LONG 40 */
    } cases[] = {
        {"rational", "sir", "", 2, 0.94, 40},     {"quadratic", "save", "n_slices=5", 1, 0.95, 40},
        {"quadratic", "dr", "", 1, 0.965, 40},    {"rational", "dr", "", 2, 0.95, 40},
        {"quadratic", "phd", "", 1, 0.93, 40},    {"quadratic", "phd", "variant=response", 1, 0.93, 40},
        {"quadratic", "contour", "", 1, 0.9, 40}, {"rational", "contour", "", 2, 0.8, 40},
        {"product", "opg", "", 2, 0.955, 6},      {"product", "mave", "", 2, 0.96, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double found = recovery(cases[i].set, cases[i].method, cases[i].more, cases[i].r,
                                      getenv("ALD_LONG") ? 40 : cases[i].draws);
        print_message("%s by %s %s: %.3f\n", cases[i].set, cases[i].method, cases[i].more, found);
        assert_true(found >= cases[i].least);
    }
    assert_true(recovery("quadratic", "sir", "", 1, 40) < 0.5); /* even in x1: no slice mean moves */
}

/* y = x1 + ... + x5 + e, the variance of e a third of that of the sum, more columns than rows: the five are
 * found, few others, and nearly their direction. */
static void few_columns_of_many_are_found(void **state)
{
    (void)state;
    enum { n = 200, d = 1000, width = d + 1, true_ones = 5 };
    const int draws = getenv("ALD_LONG") ? 40 : 4;
    double others = 0.0, cosine = 0.0;
    int found = 0;
    for (int draw = 0; draw < draws; draw++) {
        double *rows = support_normals(100 + (uint64_t)draw, n * width);
        double along = 0.0;
        int right = 0;
        for (double *x = rows; x < rows + n * width; x += width) {
            x[d] *= sqrt(true_ones / 3.0);
            for (int j = 0; j < true_ones; j++) x[d] += x[j];
        }
        const ald_matrix x = ald_matrix_row_major(rows, n, d, width);
        const ald_target y = ald_target_real(ald_matrix_row_major(rows + d, n, 1, width));
        ald_model *model = support_fit("lasso-sir", "n_components=1", &x, &y);
        const double *b = support_reals(model, "components", NULL);
        for (int j = 0; j < d; j++) {
            right += j < true_ones && b[j] != 0.0;
            others += (j >= true_ones && b[j] != 0.0) / (double)draws;
            along += j < true_ones ? b[j] : 0.0;
        }
        found += right == true_ones;
        cosine += pow(along / support_norm(d, b), 2.0) / true_ones / draws;
        ald_model_free(model);
        free(rows);
    }
    print_message("lasso-sir: all five in %d of %d, %.1f others, squared cosine %.3f\n", found, draws, others,
                  cosine);
    assert_true(found >= 0.9 * draws);
    assert_true(others <= 15.0 && cosine >= 0.9);
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
        cmocka_unit_test(known_directions_are_found),
        cmocka_unit_test(few_columns_of_many_are_found),
        cmocka_unit_test(digits_in_few_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
