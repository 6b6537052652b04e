/* Many rows through a model on several threads: what each row gives by itself, whatever the number of
 * threads; an entry that is no number is named by its own row; and the prediction of one response, which is
 * one formula, is that of the scores. */
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 50000, d = 9, r = 2, q = 3, some = 997 };

typedef struct results {
    double z[n * r], codes[n], p[n * q];
    float single[n * 2 * r]; /* every second column */
} results;

static void all_of(const ald_model *model, const ald_matrix *x, int threads, results *out)
{
    ald_context *context = support_context(threads, NULL);
    ald_error error;
    const ald_output_view view = {ALD_F32, n, r, out->single, 2 * r, 2};
    assert_done(ald_transform(context, model, x, out->z, &error), error);
    assert_done(ald_predict(context, model, x, out->codes, &error), error);
    assert_done(ald_predict_scores(context, model, x, out->p, &error), error);
    assert_done(ald_transform_to(context, model, x, &view, &error), error);
    ald_context_free(context);
}

/* Rows near the boundary of classes are decided by the same scores that are shown. */
static void check_row(const ald_model *model, const support_sample *s, const results *found, int64_t i)
{
    ald_context *context = support_context(1, NULL);
    const ald_matrix one = ald_matrix_row_major(s->x + i * d, 1, d, d);
    double z[r], code, p[q];
    ald_error error;
    assert_done(ald_transform(context, model, &one, z, &error), error);
    assert_done(ald_predict(context, model, &one, &code, &error), error);
    assert_done(ald_predict_scores(context, model, &one, p, &error), error);
    for (int k = 0; k < r; k++) {
        assert_close(found->z[i * r + k], z[k], 1e-12 * (1.0 + fabs(z[k])));
        assert_true(found->single[i * 2 * r + 2 * k] == (float)found->z[i * r + k]);
        assert_true(found->single[i * 2 * r + 2 * k + 1] == 7.0F);
    }
    for (int c = 0; c < q; c++) assert_close(found->p[i * q + c], p[c], 1e-12);
    assert_true(code == found->codes[i]);
    for (int c = 0; c < q; c++) assert_true(p[(int)code] >= p[c]);
    ald_context_free(context);
}

static void rows_do_not_depend_on_threads(void **state)
{
    (void)state;
    static results found;
    support_sample s = support_sample_make(n, d, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    const ald_inputs inputs = {.size = sizeof inputs, .x = &s.view, .y = &y};
    ald_model *model =
        support_fit_inputs("lda", "n_components=2 predictor=gaussian scale=standard", &inputs, 1);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d);
    for (int threads = 1; threads < 8; threads += 3) {
        for (int64_t i = 0; i < n * 2 * r; i++) found.single[i] = 7.0F;
        all_of(model, &x, threads, &found);
        for (int64_t i = 0; i < n; i += some) check_row(model, &s, &found, i);
        check_row(model, &s, &found, n - 1);
    }
    ald_model_free(model);
    support_sample_free(&s);
}

static void a_bad_entry_is_named(void **state)
{
    (void)state;
    static double z[n * r];
    support_sample s = support_sample_make(n, d, 6);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_model *model = support_fit("lda", "n_components=2 predictor=gaussian", &s.view, &y);
    const ald_matrix x = ald_matrix_row_major(s.x, n, d, d);
    s.x[(n - 7) * d + 2] = NAN;
    for (int threads = 1; threads < 5; threads++) {
        ald_context *context = support_context(threads, NULL);
        ald_error error;
        assert_true(ald_transform(context, model, &x, z, &error) < 0);
        assert_non_null(strstr(error.message, "49994"));
        assert_true(ald_predict(context, model, &x, z, &error) < 0);
        assert_non_null(strstr(error.message, "49994"));
        ald_context_free(context);
    }
    ald_model_free(model);
    support_sample_free(&s);
}

/* b0 + B'z of the projection, for rows that stand side by side, columns that do, and one row alone. */
static void check_response(const char *method, const char *set, const support_sample *s)
{
    enum { components = 4 };
    static double z[some * components], found[some], columns[some * d];
    const ald_matrix x = ald_matrix_row_major(s->x, some, d, d),
                     y = ald_matrix_row_major(s->responses, n, 1, q);
    const ald_target target = ald_target_real(y);
    ald_model *model = support_fit(method, set, &s->view, &target);
    ald_context *context = support_context(1, NULL);
    const double *slopes = support_reals(model, "predictor/coefficients", NULL),
                 *intercept = support_reals(model, "predictor/intercept", NULL);
    ald_error error;
    for (int i = 0; i < some * d; i++) columns[i % d * some + i / d] = s->x[i];
    const ald_matrix other = ald_matrix_column_major(columns, some, d, some);
    assert_done(ald_transform(context, model, &x, z, &error), error);
    for (int turn = 0; turn < 3; turn++) {
        const int64_t rows = turn < 2 ? some : 1;
        const ald_matrix given = turn == 1 ? other : ald_matrix_row_major(s->x, rows, d, d);
        assert_done(ald_predict(context, model, &given, found, &error), error);
        for (int64_t i = 0; i < rows; i++) {
            double expected = intercept[0];
            for (int k = 0; k < components; k++) expected += z[i * components + k] * slopes[k];
            assert_close(found[i], expected, 1e-12 * (1.0 + fabs(expected)));
        }
    }
    ald_context_free(context);
    ald_model_free(model);
}

static void one_response_is_that_of_the_scores(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 7);
    check_response("pls", "n_components=4 predictor=linear", &s);
    check_response("pls", "n_components=4 predictor=linear scale=standard", &s);
    check_response("pls", "n_components=4 predictor=linear rows=snv", &s);
    check_response("pls", "n_components=4 predictor=linear row_scale=unit", &s);
    check_response("pca", "n_components=4 predictor=ridge", &s);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_do_not_depend_on_threads),
        cmocka_unit_test(a_bad_entry_is_named),
        cmocka_unit_test(one_response_is_that_of_the_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
