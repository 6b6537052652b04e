/* The importance of features: the formulas written out, invariances, what needs rows and what does not. */
#include "support/fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 80, d = 5, r = 2 };

static ald_status compute(const ald_model *model, ald_importance_kind kind, const ald_matrix *x,
                          const ald_target *y, double *values, ald_error *error)
{
    ald_context *context = support_context(2, NULL);
    const ald_status status = ald_importance(context, model, kind, x, y, values, error);
    ald_context_free(context);
    return status;
}

static void must(const ald_model *model, ald_importance_kind kind, const ald_matrix *x, const ald_target *y,
                 double *values)
{
    ald_error error;
    assert_done(compute(model, kind, x, y, values, &error), error);
}

static double weighted_mean(const double *w, const double *a, int stride)
{
    double sum = 0.0, total = 0.0;
    for (int i = 0; i < n; i++) {
        sum += w[i] * a[i * stride];
        total += w[i];
    }
    return sum / total;
}

static double covariance(const double *w, const double *a, int a_stride, const double *b, int b_stride)
{
    const double mean_a = weighted_mean(w, a, a_stride), mean_b = weighted_mean(w, b, b_stride);
    double sum = 0.0, total = 0.0;
    for (int i = 0; i < n; i++) {
        sum += w[i] * (a[i * a_stride] - mean_a) * (b[i * b_stride] - mean_b);
        total += w[i];
    }
    return sum / total;
}

/* What is left of a feature when the scores have explained what they can does not go along with any of them.
 */
static void check_loadings(const ald_model *model, const support_sample *s, const ald_target *y,
                           const double *w, const double *z)
{
    double loadings[r * d], left[n];
    must(model, ALD_IMPORTANCE_LOADINGS, &s->view, y, loadings);
    for (int j = 0; j < d; j++) {
        for (int i = 0; i < n; i++) {
            left[i] = s->x[i * d + j];
            for (int k = 0; k < r; k++) left[i] -= loadings[k * d + j] * z[i * r + k];
        }
        for (int k = 0; k < r; k++)
            assert_close(covariance(w, left, 1, z + k, r), 0.0,
                         1e-10 * (1.0 + sqrt(covariance(w, z + k, r, z + k, r))));
    }
}

static void formulas_hold(void **state)
{
    (void)state;
    static const char *const methods[] = {"pls", "lda", "sir", "spca"};
    support_sample s = support_sample_make(n, d, 3);
    double weights[n];
    for (int i = 0; i < n; i++) weights[i] = 0.5 + i % 3;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
        y.weights = weights;
        ald_model *model = support_fit(methods[m], "n_components=2 scale=standard", &s.view, &y);
        ald_context *context = support_context(1, NULL);
        ald_error error;
        double z[n * r], weighing[r * d], standardized[r * d], structure[r * d], vip[d];
        assert_done(ald_transform(context, model, &s.view, z, &error), error);
        must(model, ALD_IMPORTANCE_WEIGHTS, NULL, NULL, weighing);
        must(model, ALD_IMPORTANCE_STANDARDIZED, &s.view, &y, standardized);
        must(model, ALD_IMPORTANCE_STRUCTURE, &s.view, &y, structure);
        must(model, ALD_IMPORTANCE_VIP, &s.view, &y, vip);
        double squares = 0.0;
        for (int j = 0; j < d; j++) {
            const double spread = sqrt(covariance(weights, s.x + j, d, s.x + j, d));
            squares += vip[j] * vip[j];
            for (int k = 0; k < r; k++) {
                const double own = sqrt(covariance(weights, z + k, r, z + k, r));
                assert_close(standardized[k * d + j], weighing[k * d + j] * spread,
                             1e-12 * (1.0 + fabs(standardized[k * d + j])));
                assert_close(structure[k * d + j], covariance(weights, s.x + j, d, z + k, r) / spread / own,
                             1e-12);
            }
        }
        assert_close(squares / d, 1.0, 1e-12);
        check_loadings(model, &s, &y, weights, z);
        /* z_k = sum_j a_kj (x_j - m_j) */
        for (int i = 1; i < n; i++)
            for (int k = 0; k < r; k++) {
                double moved = z[k];
                for (int j = 0; j < d; j++) moved += weighing[k * d + j] * (s.x[i * d + j] - s.x[j]);
                assert_close(moved, z[i * r + k], 1e-10 * (1.0 + fabs(moved)));
            }
        ald_model_free(model);
        ald_context_free(context);
    }
    support_sample_free(&s);
}

/* One direction: vip is the standardised weight of unit length times sqrt d, whatever it explains. pls needs
 * no rows, and has the formula of Wold with its weights. */
static void vip_is_as_defined(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 4);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    ald_model *pls = support_fit("pls", "n_components=3", &s.view, &y);
    const double *w = support_reals(pls, "weights", NULL),
                 *share = support_reals(pls, "explained_response_ratio", NULL);
    double alone[d], with_rows[d];
    assert_int_equal(ald_importance_in_model(pls, ALD_IMPORTANCE_VIP), 1);
    assert_int_equal(ald_importance_in_model(pls, ALD_IMPORTANCE_STRUCTURE), 0);
    must(pls, ALD_IMPORTANCE_VIP, NULL, NULL, alone);
    must(pls, ALD_IMPORTANCE_VIP, &s.view, &y, with_rows);
    for (int j = 0; j < d; j++) {
        double sum = 0.0, total = 0.0;
        for (int k = 0; k < 3; k++) {
            sum += share[k] * w[k * d + j] * w[k * d + j]; /* weights have length 1 */
            total += share[k];
        }
        assert_close(alone[j], sqrt(d * sum / total), 1e-12);
        assert_close(with_rows[j], alone[j], 0.0);
    }
    ald_model_free(pls);
    const ald_target classes = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_model *lda = support_fit("lda", "n_components=1", &s.view, &classes);
    double vip[d], standardized[d], length = 0.0;
    must(lda, ALD_IMPORTANCE_VIP, &s.view, &classes, vip);
    must(lda, ALD_IMPORTANCE_STANDARDIZED, &s.view, &classes, standardized);
    for (int j = 0; j < d; j++) length += standardized[j] * standardized[j];
    for (int j = 0; j < d; j++) assert_close(vip[j], sqrt(d / length) * fabs(standardized[j]), 1e-12);
    ald_model_free(lda);
    support_sample_free(&s);
}

/* Another unit of a feature: nothing changes but its weight. */
static void units_do_not_matter(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 5);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    double values[2][3][r * d];
    double *scaled = malloc(n * d * sizeof *scaled);
    for (int i = 0; i < n * d; i++) scaled[i] = i % d == 2 ? 1000.0 * s.x[i] + 5.0 : s.x[i];
    const ald_matrix views[] = {s.view, ald_matrix_row_major(scaled, n, d, d)};
    for (int v = 0; v < 2; v++) {
        ald_model *model = support_fit("lda", "n_components=2", &views[v], &y);
        must(model, ALD_IMPORTANCE_STANDARDIZED, &views[v], &y, values[v][0]);
        must(model, ALD_IMPORTANCE_STRUCTURE, &views[v], &y, values[v][1]);
        must(model, ALD_IMPORTANCE_VIP, &views[v], &y, values[v][2]);
        ald_model_free(model);
    }
    /* The sign of a direction goes by its components, so it may turn with the unit. */
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < r * d; i++)
            assert_close(fabs(values[0][kind][i]), fabs(values[1][kind][i]), 1e-8);
    for (int j = 0; j < d; j++) assert_close(values[0][2][j], values[1][2][j], 1e-8);
    free(scaled);
    support_sample_free(&s);
}

/* Without a target importance is for X: one component of pca, its weights of unit length times sqrt d. */
static void without_a_target_importance_is_for_x(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 9);
    ald_model *model = support_fit("pca", "n_components=1 scale=standard", &s.view, NULL);
    const double *components = support_reals(model, "components", NULL);
    double vip[d], squares = 0.0;
    must(model, ALD_IMPORTANCE_VIP, &s.view, NULL, vip);
    for (int j = 0; j < d; j++) {
        assert_close(vip[j], sqrt(d) * fabs(components[j]), 1e-10);
        squares += vip[j] * vip[j];
    }
    assert_close(squares, d, 1e-10);
    ald_model_free(model);
    support_sample_free(&s);
}

static void edges_are_told(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 6);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_error error;
    double values[r * d], constant[n];
    for (int i = 0; i < n; i++) s.x[i * d + 1] = 3.0;
    ald_model *model = support_fit("pls", "n_components=2", &s.view, &y);
    must(model, ALD_IMPORTANCE_STRUCTURE, &s.view, &y, values);
    assert_true(isnan(values[1]) && !isnan(values[0]));
    assert_int_equal(compute(model, ALD_IMPORTANCE_STRUCTURE, NULL, NULL, values, &error),
                     ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "needs rows"));
    ald_model_free(model);
    model = support_fit("pca", "n_components=2", &s.view, &y);
    assert_int_equal(compute(model, ALD_IMPORTANCE_VIP, &s.view, NULL, values, &error), ALD_ERROR_DATA);
    for (int i = 0; i < n; i++) constant[i] = 2.0;
    const ald_target flat = ald_target_real(ald_matrix_row_major(constant, n, 1, 1));
    assert_int_equal(compute(model, ALD_IMPORTANCE_VIP, &s.view, &flat, values, &error), ALD_ERROR_DATA);
    ald_model_free(model);
    model = support_fit("kpca", "n_components=2", &s.view, &y);
    assert_int_equal(compute(model, ALD_IMPORTANCE_LOADINGS, &s.view, &y, values, &error),
                     ALD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "linear"));
    ald_model_free(model);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_hold),       cmocka_unit_test(vip_is_as_defined),
        cmocka_unit_test(units_do_not_matter), cmocka_unit_test(without_a_target_importance_is_for_x),
        cmocka_unit_test(edges_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
