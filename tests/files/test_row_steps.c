/* Steps of rows through the C interface: what they refuse, rows that do not vary, weights, and models that
 * are saved and read again. The formulas are held against scipy by tests/reference/check_rows.py. */
#include "base/settings/row_steps.h"
#include "fit/prepare/row_plan.h"
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 12, d = 9 };

/* Rows with a peak, an offset and a size of their own, and a response by the peak. */
static void make_rows(double *x, double *y)
{
    double *noise = support_normals(3, n * (d + 3));
    for (int i = 0; i < n; i++) {
        y[i] = noise[n * d + i];
        for (int j = 0; j < d; j++)
            x[i * d + j] =
                (2.0 + 0.5 * noise[n * d + n + i]) * (3.0 + y[i] * exp(-(j - 4.0) * (j - 4.0) / 4.0)) +
                0.5 * j + noise[n * d + 2 * n + i] + 0.01 * noise[i * d + j];
    }
    free(noise);
}

static void words_are_kept_in_one_form(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"none", "none"},
        {"snv", "snv"},
        {"snv,savgol:11:2", "snv+savgol:11:2:0"},
        {"detrend+msc", "detrend:2+msc"},
        {"savgol:5:2:1,detrend:0", "savgol:5:2:1+detrend:0"},
    };
    ald_context *context = support_context(1, NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char set[80];
        snprintf(set, sizeof set, "rows=%s", pairs[i][0]);
        ald_settings *settings = support_settings(context, "pls", set);
        assert_string_equal(ald_settings_text(settings, "rows"), pairs[i][1]);
        ald_settings_free(settings);
    }
    ald_context_free(context);
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "is not a step"},
        {"snv,", "is not a step"},
        {"SNV", "is not a step"},
        {"snv:1", "is not a step"},
        {"savgol", "is not a step"},
        {"savgol:5", "is not a step"},
        {"savgol:5:2:1:1", "is not a step"},
        {"savgol:5:x", "is not a step"},
        {"savgol:4:2", "odd number"},
        {"savgol:1:0", "odd number"},
        {"savgol:99999:2", "odd number"},
        {"savgol:5:5", "from 0 to 4"},
        {"savgol:99:11", "from 0 to 10"},
        {"savgol:5:2:3", "derivatives 0"},
        {"savgol:5:2:-1", "derivatives 0"},
        {"detrend:11", "from 0 to 10"},
        {"detrend:-1", "from 0 to 10"},
        {"snv,snv,snv,snv,snv,snv,snv", "at most 6"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ald_row_steps steps;
        ald_error error;
        assert_int_equal(ald_row_steps_parse(wrong[i][0], &steps, &error), ALD_ERROR_ARGUMENT);
        if (!strstr(error.message, wrong[i][1])) fail_msg("%s: %s", wrong[i][0], error.message);
    }
}

static void data_they_are_not_for_is_refused(void **state)
{
    (void)state;
    double x[n * d], y[n], flat[n * d];
    make_rows(x, y);
    for (int i = 0; i < n * d; i++) flat[i] = 1.0 + i / d;
    const ald_matrix view = ald_matrix_row_major(x, n, d, d), even = ald_matrix_row_major(flat, n, d, d);
    const ald_target target = {
        .kind = ALD_TARGET_REAL,
        .rows = n,
        .values = ald_matrix_row_major(y, n, 1, 1),
    };
    support_matrix sparse = support_storage(5, x, n, d);
    support_refused("pls", "n_components=1 rows=snv", &sparse.view, &target, "X is sparse");
    support_refused("pls", "n_components=1 rows=savgol:11:2", &view, &target, "wider than the 9 columns");
    support_refused("pls", "n_components=1 rows=detrend:9", &view, &target, "needs more than the 9 columns");
    support_refused("pls", "n_components=1 rows=msc", &even, &target, "the mean row is constant");
    x[20] = NAN;
    support_refused("pls", "n_components=1 rows=snv", &view, &target,
                    "row 3, column 3 is not a finite number");
    support_storage_free(&sparse);
}

/* A row of one number throughout becomes 0 by snv, and only loses its offset by msc. */
static void rows_that_do_not_vary(void **state)
{
    (void)state;
    double x[3 * d];
    for (int j = 0; j < 3 * d; j++) x[j] = j < d ? 0.1 : j % d;
    const ald_matrix view = ald_matrix_row_major(x, 3, d, d);
    static const char *const words[] = {"snv", "msc"};
    ald_context *context = support_context(1, NULL);
    for (int k = 0; k < 2; k++) {
        ald_error error;
        ald_run run;
        ald_matrix prepared;
        ald_row_plan plan = {0};
        support_run(&run, context, &error);
        assert_done(ald_row_steps_parse(words[k], &plan.steps, &error), error);
        assert_done(ald_row_plan_learn(&run, &view, NULL, &plan, &prepared), error);
        const double *rows = prepared.values;
        for (int j = 0; j < d; j++) assert_close(rows[j], 0.0, 1e-15);
        for (int j = 1; j < d; j++) assert_true(rows[d + j] > rows[d + j - 1]);
        ald_run_end(&run, ALD_OK);
    }
    ald_context_free(context);
}

static double largest_apart(const double *a, const double *b)
{
    return support_largest_difference(n, a, b);
}

static void predict(const ald_model *model, const ald_matrix *x, double *prediction)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    assert_done(ald_predict(context, model, x, prediction, &error), error);
    ald_context_free(context);
}

static void models_are_saved_and_read(void **state)
{
    (void)state;
    double x[n * d], y[n], before[n], after[n];
    make_rows(x, y);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = {
        .kind = ALD_TARGET_REAL,
        .rows = n,
        .values = ald_matrix_row_major(y, n, 1, 1),
    };
    static const char *const methods[] = {"pls", "kpls"};
    for (int k = 0; k < 2; k++) {
        ald_context *context = support_context(1, NULL);
        ald_model *model = support_fit(
            methods[k], "n_components=2 rows=snv+msc+savgol:5:2:1 predictor=linear", &view, &target);
        ald_model *read;
        ald_error error;
        int64_t learned;
        predict(model, &view, before);
        assert_done(ald_model_save(context, model, "rows.ald", &error), error);
        assert_done(ald_model_load(context, "rows.ald", &read, &error), error);
        assert_string_equal(ald_model_text(read, "alidade.format"), "2");
        support_reals(read, "row_references", &learned);
        assert_int_equal(learned, 1);
        predict(read, &view, after);
        assert_true(largest_apart(before, after) == 0.0);
        unlink("rows.ald");
        ald_model_free(read);
        ald_model_free(model);
        ald_context_free(context);
    }
}

/* Rows of weight 0 teach nothing, not even the mean row. */
static void weights_count_for_the_mean_row(void **state)
{
    (void)state;
    double x[n * d], y[n], weights[n];
    make_rows(x, y);
    for (int i = 0; i < n; i++) weights[i] = i < 8 ? 1.0 : 0.0;
    const ald_matrix view = ald_matrix_row_major(x, n, d, d), some = ald_matrix_row_major(x, 8, d, d);
    const ald_target all = {
        .kind = ALD_TARGET_REAL,
        .rows = n,
        .values = ald_matrix_row_major(y, n, 1, 1),
        .weights = weights,
    };
    const ald_target few = {.kind = ALD_TARGET_REAL, .rows = 8, .values = ald_matrix_row_major(y, 8, 1, 1)};
    ald_model *a = support_fit("pls", "n_components=2 rows=msc+savgol:3:1", &view, &all),
              *b = support_fit("pls", "n_components=2 rows=msc+savgol:3:1", &some, &few);
    const double *of_a = support_reals(a, "components", NULL), *of_b = support_reals(b, "components", NULL);
    assert_below(support_largest_difference(2 * d, of_a, of_b), 1e-9);
    ald_model_free(a);
    ald_model_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_kept_in_one_form),       cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(data_they_are_not_for_is_refused), cmocka_unit_test(rows_that_do_not_vary),
        cmocka_unit_test(models_are_saved_and_read),        cmocka_unit_test(weights_count_for_the_mean_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
