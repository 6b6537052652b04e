/* What methods take beside rows and target: a kernel of the response, a start; numbers for each component. */
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 60, d = 4 };

static double cells[n * (d + 1)], kernel[n * n], bad[n * n];

/* y = sin(x1) + noise, and exp(-(y_i - y_j)^2 / 2). */
static void make_rows(ald_matrix *x, ald_target *y)
{
    double *normals = support_normals(5, n * (d + 1));
    memcpy(cells, normals, sizeof cells);
    free(normals);
    for (double *row = cells; row < cells + n * (d + 1); row += d + 1) row[d] = sin(row[0]) + 0.2 * row[d];
    for (int e = 0; e < n * n; e++)
        kernel[e] = exp(-0.5 * pow(cells[e / n * (d + 1) + d] - cells[e % n * (d + 1) + d], 2.0));
    *x = ald_matrix_row_major(cells, n, d, d + 1);
    *y = ald_target_real(ald_matrix_row_major(cells + d, n, 1, d + 1));
}

static void same_scores(const ald_model *a, const ald_model *b, const ald_matrix *x)
{
    static double za[2 * n], zb[2 * n];
    ald_context *context = support_context(1, NULL);
    ald_error error;
    assert_done(ald_transform(context, a, x, za, &error), error);
    assert_done(ald_transform(context, b, x, zb, &error), error);
    for (int k = 0; k < 2; k++) {
        double along = 0.0, largest = 0.0;
        for (int i = 0; i < n; i++) along += za[2 * i + k] * zb[2 * i + k];
        for (int i = 0; i < n; i++) largest = fmax(largest, fabs(za[2 * i + k]));
        for (int i = 0; i < n; i++)
            assert_close(za[2 * i + k], copysign(1.0, along) * zb[2 * i + k], 1e-9 * largest);
    }
    ald_context_free(context);
}

/* The rbf kernel of the response, given: dense, sparse, without a target, and with rows of weight 0. */
static void given_response_kernel(void **state)
{
    (void)state;
    static const char *const methods[] = {"kcca", "kplssb", "kspca", "spca"};
    ald_matrix x;
    ald_target y;
    make_rows(&x, &y);
    const ald_matrix whole = ald_matrix_row_major(kernel, n, n, n);
    support_matrix sparse = support_storage(5, kernel, n, n);
    const ald_inputs given[] = {
        {.size = sizeof(ald_inputs), .x = &x, .y = &y, .response_kernel = &whole},
        {.size = sizeof(ald_inputs), .x = &x, .y = &y, .response_kernel = &sparse.view},
        {.size = sizeof(ald_inputs), .x = &x, .response_kernel = &whole},
    };
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        ald_model *known =
            support_fit(methods[m], "n_components=2 response_kernel=rbf response_width=1", &x, &y);
        for (size_t g = 0; g < sizeof given / sizeof *given; g++) {
            ald_model *model =
                support_fit_inputs(methods[m], "n_components=2 response_kernel=given", &given[g], 1);
            same_scores(known, model, &x);
            ald_model_free(model);
        }
        ald_model_free(known);
    }
    support_storage_free(&sparse);
}

/* Weights choose rows of the matrix and multiply its factor: those of whole numbers are repeated rows. */
static void weighted_response_kernel(void **state)
{
    (void)state;
    static double weights[n];
    ald_matrix x;
    ald_target y;
    make_rows(&x, &y);
    for (int i = 0; i < n; i++) weights[i] = (double)(i % 3);
    y.weights = weights;
    const ald_matrix whole = ald_matrix_row_major(kernel, n, n, n);
    const ald_inputs given = {.size = sizeof given, .x = &x, .y = &y, .response_kernel = &whole};
    ald_model *known = support_fit("spca", "n_components=2 response_kernel=rbf response_width=1", &x, &y),
              *model = support_fit_inputs("spca", "n_components=2 response_kernel=given", &given, 1);
    same_scores(known, model, &x);
    ald_model_free(known);
    ald_model_free(model);
}

static void refused(const char *method, const char *set, const ald_inputs *inputs, const char *part)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, method, set);
    ald_model *model;
    ald_error error;
    assert_true(ald_fit_inputs(context, settings, inputs, &model, &error) < 0);
    assert_null(model);
    if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
    ald_settings_free(settings);
    ald_context_free(context);
}

static void bad_response_kernels(void **state)
{
    (void)state;
    static const char given[] = "n_components=1 response_kernel=given";
    ald_matrix x;
    ald_target y;
    make_rows(&x, &y);
    const ald_matrix whole = ald_matrix_row_major(kernel, n, n, n),
                     small = ald_matrix_row_major(bad, n, 5, 5), wrong = ald_matrix_row_major(bad, n, n, n);
    ald_inputs inputs = {.size = sizeof inputs, .x = &x, .y = &y};
    refused("kcca", given, &inputs, "needs the matrix");
    inputs.response_kernel = &whole;
    refused("kcca", "n_components=1", &inputs, "set `response_kernel=given`");
    refused("pls", "n_components=1", &inputs, "pls does not use a kernel of the response");
    inputs.response_kernel = &small;
    refused("kcca", given, &inputs, "it must be 60 x 60");
    inputs.response_kernel = &wrong;
    refused("kcca", given, &inputs, "no positive eigenvalue");
    memcpy(bad, kernel, sizeof bad);
    bad[1] += 1.0;
    refused("kplssb", given, &inputs, "rows 1 and 2 have");
    memcpy(bad, kernel, sizeof bad);
    for (int i = 0; i < n; i++) bad[i * n + i] -= 2.0;
    refused("kspca", given, &inputs, "not positive semidefinite");
    bad[7] = NAN;
    refused("kspca", given, &inputs, "finite");
}

/* From where it begins an optimum stays; from the leading eigenvectors the way is that of init=pca. */
static void given_start(void **state)
{
    (void)state;
    static int32_t classes[n];
    static double start[2 * d];
    support_matrix sparse;
    ald_matrix x;
    ald_target y;
    make_rows(&x, &y);
    for (int i = 0; i < n; i++) classes[i] = cells[i * (d + 1) + d] > 0.0;
    const ald_target two = ald_target_classes(classes, n, 2);
    const ald_matrix rows = ald_matrix_row_major(start, 2, d, d), one = ald_matrix_row_major(start, 1, d, d),
                     wide = ald_matrix_row_major(start, 1, d + 1, d + 1);
    const struct {
        const char *method, *set;
        const ald_target *y;
    } cases[] = {
        {"nca", "n_components=2 init=pca max_iter=1000", &two},
        {"mlkr", "n_components=2 max_iter=1000", &y},
    };
    for (int c = 0; c < 2; c++) {
        ald_inputs inputs = {.size = sizeof inputs, .x = &x, .y = cases[c].y, .start = &rows};
        ald_model *before = support_fit(cases[c].method, cases[c].set, &x, cases[c].y);
        memcpy(start, support_reals(before, "components", NULL), sizeof start);
        ald_model *after = support_fit_inputs(cases[c].method, "n_components=2 max_iter=1000", &inputs, 1);
        assert_string_equal(ald_model_text(after, "alidade.resolved.start"), "given");
        assert_close(support_resolved(after, "objective"), support_resolved(before, "objective"), 1e-4);
        assert_true(support_resolved(after, "iterations") < support_resolved(before, "iterations"));
        sparse = support_storage(5, start, 2, d);
        inputs.start = &sparse.view;
        ald_model *again = support_fit_inputs(cases[c].method, "n_components=2 max_iter=1000", &inputs, 1);
        support_assert_same_model(after, again, 0.0);
        ald_model_free(again);
        support_storage_free(&sparse);
        inputs.start = &one;
        refused(cases[c].method, "n_components=2", &inputs, "has 1 direction, but");
        inputs.start = &wide;
        refused(cases[c].method, "n_components=2", &inputs, "a row of 4 numbers");
        inputs.start = &rows; /* descents from these would leave a component of length 0 */
        for (int j = 0; j < d; j++) start[d + j] = -3.0 * start[j];
        refused(cases[c].method, "n_components=2", &inputs, "row 2 of the start is a combination");
        memset(start, 0, sizeof start);
        refused(cases[c].method, "n_components=2", &inputs, "row 1 of the start is 0 on the rows");
        ald_model_free(before);
        ald_model_free(after);
    }
    const ald_inputs inputs = {.size = sizeof inputs, .x = &x, .y = &two, .start = &rows};
    refused("nca", "n_components=2 init=lda", &inputs, "leave one of them out");
    refused("lda", "n_components=1", &inputs, "lda does not use a start");
}

/* A column so much shorter than the others that the descent does not see it. */
static void start_out_of_sight(void **state)
{
    (void)state;
    static double rows[n * d], start[2 * d];
    static int32_t classes[n];
    ald_matrix x;
    ald_target y;
    make_rows(&x, &y);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 1 < d; j++) rows[i * d + j] = cells[i / 2 * (d + 1) + j];
        rows[i * d + d - 1] = i % 2 ? 1e-8 : -1e-8; /* at right angles to the others */
        classes[i] = rows[i * d] > 0.0;
    }
    start[0] = 1.0;
    start[2 * d - 1] = 1e8;
    x = ald_matrix_row_major(rows, n, d, d);
    y = ald_target_classes(classes, n, 2);
    const ald_matrix two = ald_matrix_row_major(start, 2, d, d);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &x, .y = &y, .start = &two};
    refused("nca", "n_components=2", &inputs, "row 2 of the start is a combination");
}

/* The fit of mlkr that begins at `inputs->start` too. */
static ald_model *mlkr(const ald_inputs *inputs, const char *set, ald_status *status)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "mlkr", set);
    ald_model *model;
    ald_error error;
    *status = ald_fit_inputs(context, settings, inputs, &model, &error);
    assert_done(*status, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return model;
}

/* mlkr says that it stays at a start where it does: not where another of its starts is better. */
static void far_start(void **state)
{
    (void)state;
    static const double start[d] = {1e6};
    ald_matrix x;
    ald_target y;
    make_rows(&x, &y);
    const ald_matrix far = ald_matrix_row_major(start, 1, d, d);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &x, .y = &y, .start = &far};
    ald_status status;
    ald_model *stays = mlkr(&inputs, "n_components=1 n_starts=1", &status);
    assert_int_equal(status, ALD_NOT_CONVERGED);
    ald_model *leaves = mlkr(&inputs, "n_components=1 n_starts=4", &status);
    assert_int_equal(status, ALD_OK);
    assert_non_null(strstr(ald_model_text(stays, "alidade.warning"), "stays at the start"));
    assert_null(ald_model_text(leaves, "alidade.warning"));
    ald_model_free(stays);
    ald_model_free(leaves);
}

/* spls: one number for all components, or a list. */
static void numbers_of_features(void **state)
{
    (void)state;
    ald_matrix x;
    ald_target y;
    make_rows(&x, &y);
    ald_model *one = support_fit("spls", "n_components=2 n_features=3", &x, &y),
              *list = support_fit("spls", "n_components=2 n_features=3+3", &x, &y),
              *fewer = support_fit("spls", "n_components=2 n_features=1,3,2", &x, &y);
    const double *weights = support_reals(fewer, "weights", NULL);
    assert_memory_equal(support_reals(one, "components", NULL), support_reals(list, "components", NULL),
                        2 * d * sizeof(double));
    int count[2] = {0, 0};
    for (int j = 0; j < 2 * d; j++) count[j / d] += weights[j] != 0.0;
    assert_int_equal(count[0], 1);
    assert_int_equal(count[1], 3);
    support_refused("spls", "n_components=3 n_features=2+2", &x, &y, "one for each");
    ald_model_free(one);
    ald_model_free(list);
    ald_model_free(fewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_response_kernel), cmocka_unit_test(weighted_response_kernel),
        cmocka_unit_test(bad_response_kernels),  cmocka_unit_test(given_start),
        cmocka_unit_test(start_out_of_sight),    cmocka_unit_test(far_start),
        cmocka_unit_test(numbers_of_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
