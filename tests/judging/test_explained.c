/* What directions explain: by normal equations written out, by identities of the methods, for every map. */
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 90, d = 6 };

/* Residual sum of squares of the regression of y on an intercept and the first k columns of z, weights w, by
 * Gaussian elimination of the normal equations. */
static double residual_squares(int64_t rows, int64_t r, int k, const double *z, const double *w,
                               const double *y)
{
    double a[8][9] = {{0}}, sum = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        double row[8] = {1.0};
        for (int j = 0; j < k; j++) row[j + 1] = z[i * r + j];
        for (int p = 0; p <= k; p++) {
            for (int q = 0; q <= k; q++) a[p][q] += (w ? w[i] : 1.0) * row[p] * row[q];
            a[p][k + 1] += (w ? w[i] : 1.0) * row[p] * y[i];
        }
    }
    for (int p = 0; p <= k; p++)
        for (int q = 0; q <= k; q++) {
            if (q == p) continue;
            const double factor = a[q][p] / a[p][p];
            for (int c = p; c <= k + 1; c++) a[q][c] -= factor * a[p][c];
        }
    for (int64_t i = 0; i < rows; i++) {
        double left = y[i] - a[0][k + 1] / a[0][0];
        for (int j = 0; j < k; j++) left -= a[j + 1][k + 1] / a[j + 1][j + 1] * z[i * r + j];
        sum += (w ? w[i] : 1.0) * left * left;
    }
    return sum;
}

/* The share of all columns of y (rows x m), each scaled by 1/scale. */
static double share_by_hand(int64_t rows, int64_t r, int k, const double *z, const double *w, int m,
                            const double *y, const double *scale)
{
    double left = 0.0, all = 0.0;
    for (int c = 0; c < m; c++) {
        double *one = malloc((size_t)rows * sizeof *one);
        for (int64_t i = 0; i < rows; i++) one[i] = y[i * m + c] / (scale ? scale[c] : 1.0);
        left += residual_squares(rows, r, k, z, w, one);
        all += residual_squares(rows, r, 0, z, w, one);
        free(one);
    }
    return 1.0 - left / all;
}

typedef struct shares {
    double x[d], y[d];
} shares;

static shares explain(const ald_model *model, const ald_matrix *x, const ald_target *y)
{
    ald_context *context = support_context(2, NULL);
    ald_error error;
    shares s;
    assert_done(ald_explained(context, model, x, y, s.x, s.y, &error), error);
    ald_context_free(context);
    return s;
}

static double *project(const ald_model *model, const ald_matrix *x)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double *z = malloc((size_t)(x->rows * ald_model_component_count(model)) * sizeof *z);
    assert_done(ald_transform(context, model, x, z, &error), error);
    ald_context_free(context);
    return z;
}

static void is_least_squares_for_every_map(void **state)
{
    (void)state;
    static const struct {
        const char *method, *set;
        ald_target_kind kind;
    } fits[] = {
        {"pls", "n_components=3", ALD_TARGET_REAL},
        {"pls", "n_components=3 scale=standard", ALD_TARGET_LABELS},
        {"lda", "n_components=2", ALD_TARGET_CLASSES},
        {"kspca", "n_components=3", ALD_TARGET_CLASSES},
        {"kpca", "n_components=3 landmarks=80 kernel_width=8", ALD_TARGET_REAL},
        {"spca", "n_components=3 scale=minmax", ALD_TARGET_LABELS},
    };
    support_sample s = support_sample_make(n, d, 5);
    double *indicators = calloc(n * 3, sizeof *indicators);
    for (int i = 0; i < n; i++) indicators[i * 3 + s.classes[i]] = 1.0;
    for (size_t f = 0; f < sizeof fits / sizeof *fits; f++) {
        const ald_target y = support_sample_target(&s, fits[f].kind);
        ald_model *model = support_fit(fits[f].method, fits[f].set, &s.view, &y);
        const int64_t r = ald_model_component_count(model);
        const shares got = explain(model, &s.view, &y);
        double *z = project(model, &s.view);
        ald_array scale;
        const double *divisor = ald_model_array(model, "scale", &scale) ? scale.data : NULL;
        const double *values = indicators;
        if (fits[f].kind == ALD_TARGET_REAL) values = s.responses;
        if (fits[f].kind == ALD_TARGET_LABELS) values = s.labels;
        for (int k = 1; k <= (int)r; k++) {
            /* Normal equations square the condition of the scores, which is below 1e3 here. */
            assert_close(got.x[k - 1], share_by_hand(n, r, k, z, NULL, d, s.x, divisor), 1e-9);
            assert_close(got.y[k - 1], share_by_hand(n, r, k, z, NULL, 3, values, NULL), 1e-9);
        }
        free(z);
        ald_model_free(model);
    }
    free(indicators);
    support_sample_free(&s);
}

/* Whole weights are as good as rows that often; scaling them changes nothing; rows without a target enter X
 * only. */
static void weights_and_gaps_are_honest(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 6);
    double weights[n];
    double *twice = malloc(2 * n * d * sizeof *twice), *again = malloc(2 * n * 3 * sizeof *again);
    unsigned char labelled[n];
    int64_t rows = 0;
    ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_model *model = support_fit("pls", "n_components=2", &s.view, &y);
    for (int i = 0; i < n; i++) {
        weights[i] = i % 3;
        labelled[i] = i % 4 != 0;
        for (int copy = 0; copy < i % 3; copy++, rows++) {
            memcpy(twice + rows * d, s.x + i * d, d * sizeof *twice);
            memcpy(again + rows * 3, s.responses + i * 3, 3 * sizeof *again);
        }
    }
    const ald_matrix x2 = ald_matrix_row_major(twice, rows, d, d);
    const ald_target y2 = ald_target_real(ald_matrix_row_major(again, rows, 3, 3));
    const shares repeated = explain(model, &x2, &y2);
    y.weights = weights;
    const shares weighted = explain(model, &s.view, &y);
    for (int i = 0; i < n; i++) weights[i] *= 7.0;
    const shares scaled = explain(model, &s.view, &y);
    for (int k = 0; k < 2; k++) {
        assert_close(weighted.x[k], repeated.x[k], 1e-12);
        assert_close(weighted.y[k], repeated.y[k], 1e-12);
        assert_close(weighted.x[k], scaled.x[k], 1e-13);
        assert_close(weighted.y[k], scaled.y[k], 1e-13);
    }
    y.weights = NULL;
    const shares whole = explain(model, &s.view, &y);
    y.labelled = labelled;
    const shares part = explain(model, &s.view, &y);
    rows = 0;
    for (int i = 0; i < n; i++) {
        if (!labelled[i]) continue;
        memcpy(twice + rows * d, s.x + i * d, d * sizeof *twice);
        memcpy(again + rows++ * 3, s.responses + i * 3, 3 * sizeof *again);
    }
    const ald_matrix x3 = ald_matrix_row_major(twice, rows, d, d);
    const ald_target y3 = ald_target_real(ald_matrix_row_major(again, rows, 3, 3));
    const shares alone = explain(model, &x3, &y3);
    for (int k = 0; k < 2; k++) {
        assert_close(part.x[k], whole.x[k], 1e-13);
        assert_close(part.y[k], alone.y[k], 1e-13);
    }
    free(twice);
    free(again);
    ald_model_free(model);
    support_sample_free(&s);
}

/* What methods say of themselves: pca of X, pls of the target; the storage does not matter; all of X by d
 * directions.
 */
static void agrees_with_the_methods(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 7);
    for (int i = 0; i < n * d; i++) s.x[i] = (double)(float)s.x[i]; /* so that f32 storages hold the same */
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_model *pca = support_fit("pca", "n_components=6", &s.view, &y),
              *pls = support_fit("pls", "n_components=4", &s.view, &y);
    const double *variance = support_reals(pca, "explained_variance_ratio", NULL),
                 *response = support_reals(pls, "explained_response_ratio", NULL);
    const shares of_pca = explain(pca, &s.view, &y), of_pls = explain(pls, &s.view, &y);
    double sum = 0.0;
    for (int k = 0; k < d; k++) assert_close(of_pca.x[k], sum += variance[k], 1e-12);
    sum = 0.0;
    for (int k = 0; k < 4; k++) assert_close(of_pls.y[k], sum += response[k], 1e-12);
    assert_close(of_pca.x[d - 1], 1.0, 1e-12);
    for (int which = 0; which < support_storage_count; which++) {
        support_matrix m = support_storage(which, s.x, n, d);
        const shares other = explain(pls, &m.view, &y);
        for (int k = 0; k < 4; k++) {
            assert_close(other.x[k], of_pls.x[k], 1e-12);
            assert_close(other.y[k], of_pls.y[k], 1e-12);
        }
        support_storage_free(&m);
    }
    ald_model_free(pca);
    ald_model_free(pls);
    support_sample_free(&s);
}

/* A target that does not vary has no share; no target has none either; wrong sizes are told. */
static void edges_are_told(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 8);
    ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_model *model = support_fit("pls", "n_components=2", &s.view, &y);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double constant[n], x_share[2], y_share[2];
    for (int i = 0; i < n; i++) constant[i] = 0.1;
    const ald_target flat = ald_target_real(ald_matrix_row_major(constant, n, 1, 1));
    shares got = explain(model, &s.view, &flat);
    assert_true(isnan(got.y[0]) && isnan(got.y[1]) && got.x[0] > 0.0);
    got = explain(model, &s.view, NULL);
    assert_true(isnan(got.y[0]) && got.x[1] > got.x[0]);
    const ald_matrix narrow = ald_matrix_row_major(s.x, n, d - 1, d),
                     short_x = ald_matrix_row_major(s.x, n - 1, d, d);
    assert_int_equal(ald_explained(context, model, &narrow, &y, x_share, y_share, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "fitted on 6"));
    assert_true(ald_explained(context, model, &short_x, &y, x_share, y_share, &error) < 0);
    ald_context_free(context);
    ald_model_free(model);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_least_squares_for_every_map),
        cmocka_unit_test(weights_and_gaps_are_honest),
        cmocka_unit_test(agrees_with_the_methods),
        cmocka_unit_test(edges_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
