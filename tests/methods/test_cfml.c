/* Closed-form metric learning: its equations pair by pair, Fisher's directions, both routes. */
#include "support/fitting.h"
#include "support/storages.h"

#include <stdio.h>

/* a (d x d) += weight (x - m)(x - m)'. */
static void add_outer(int64_t d, const double *x, const double *m, double weight, double *a)
{
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++) a[i * d + j] += weight * (x[i] - m[i]) * (x[j] - m[j]);
}

/* For equal class sizes each of the first C - 1 directions satisfies Sb w = f Sw w with f > 0. */
static void cfml_is_fisher(void **state)
{
    (void)state;
    enum { rows = 90, cols = 7 };
    support_sample s = support_sample_make(rows, cols, 17);
    double means[3 * cols] = {0}, mean[cols] = {0}, between[cols * cols] = {0}, within[cols * cols] = {0};
    for (int i = 0; i < rows; i++) {
        s.x[i * cols + s.classes[i]] -= 3.0;
        s.classes[i] = i % 3;
        s.x[i * cols + i % 3] += 3.0;
        for (int j = 0; j < cols; j++) {
            means[i % 3 * cols + j] += s.x[i * cols + j] / 30.0;
            mean[j] += s.x[i * cols + j] / rows;
        }
    }
    for (int i = 0; i < rows; i++) add_outer(cols, s.x + i * cols, means + i % 3 * cols, 1.0, within);
    for (int c = 0; c < 3; c++) add_outer(cols, means + c * cols, mean, 30.0, between);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_model *model = support_fit("cfml", "n_components=2 ridge_rel=0", &s.view, &y);
    const double *w = support_reals(model, "components", NULL);
    for (int k = 0; k < 2; k++) {
        double b[cols], v[cols], top = 0.0, bottom = 0.0;
        support_multiply(0, 0, cols, 1, cols, between, w + k * cols, b);
        support_multiply(0, 0, cols, 1, cols, within, w + k * cols, v);
        for (int j = 0; j < cols; j++) {
            top += w[k * cols + j] * b[j];
            bottom += w[k * cols + j] * v[j];
        }
        assert_true(top > 0.01 * bottom);
        for (int j = 0; j < cols; j++) assert_close(b[j], top / bottom * v[j], 1e-9 * support_norm(cols, b));
    }
    ald_model_free(model);
    support_sample_free(&s);
}

/* Classes of different size: the equations of both versions on M_S and M_D summed pair by pair. */
static void cfml_on_pairs(void **state)
{
    (void)state;
    enum { rows = 50, cols = 6 };
    support_sample s = support_sample_make(rows, cols, 18);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    double m[2][cols * cols] = {{0}}, pairs[2] = {0.0, 0.0};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            const int equal = s.classes[i] == s.classes[j];
            if (i == j) continue;
            pairs[equal] += 1.0;
            add_outer(cols, s.x + i * cols, s.x + j * cols, 1.0, m[equal]);
        }
    for (int i = 0; i < cols * cols; i++) m[0][i] = m[0][i] / pairs[0] - m[1][i] / pairs[1];
    for (int i = 0; i < cols * cols; i++) m[1][i] /= pairs[1];
    for (int i = 0; i < cols; i++) m[1][i * cols + i] += 0.5;
    for (int version = 1; version <= 2; version++) {
        char set[80];
        snprintf(set, sizeof set, "n_components=6 ridge=0.5 ridge_rel=0 version=%d", version);
        ald_model *model = support_fit("cfml", set, &s.view, &y);
        const double *w = support_reals(model, "components", NULL),
                     *values = support_reals(model, "eigenvalues", NULL);
        double unit[cols * cols] = {0}, a[cols * cols], b[cols * cols], gram[cols * cols];
        for (int i = 0; i < cols; i++) unit[i * cols + i] = 1.0;
        support_multiply(0, 1, cols, cols, cols, m[0], w, a);
        support_multiply(0, 1, cols, cols, cols, version == 2 ? m[1] : unit, w, b);
        support_multiply(0, 0, cols, cols, cols, w, b, gram);
        for (int j = 0; j < cols; j++)
            for (int k = 0; k < cols; k++) {
                assert_close(a[j * cols + k], values[k] * b[j * cols + k],
                             1e-10 * support_norm(cols * cols, a));
                assert_close(gram[j * cols + k], j == k, 1e-10);
                assert_true(k == 0 || values[k] <= values[k - 1]);
            }
        ald_model_free(model);
    }
    support_sample_free(&s);
}

static void cfml_by_both_routes(void **state)
{
    (void)state;
    support_sample s = support_sample_make(40, 150, 19);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    for (int version = 1; version <= 2; version++)
        for (int which = 0; which < support_storage_count; which++) {
            support_matrix m = support_storage(which, s.x, s.n, s.d);
            char set[128];
            snprintf(set, sizeof set, "n_components=3 ridge_rel=0.01 version=%d solver=direct", version);
            ald_model *direct = support_fit("cfml", set, &m.view, &y);
            snprintf(set, sizeof set, "n_components=3 ridge_rel=0.01 version=%d", version);
            ald_model *dual = support_fit("cfml", set, &s.view, &y);
            assert_string_equal(ald_model_text(dual, "alidade.resolved.solver"), "dual");
            support_assert_same_model(direct, dual, 1e-8);
            ald_model_free(direct);
            ald_model_free(dual);
            support_storage_free(&m);
        }
    support_refused("cfml", "n_components=2 ridge_rel=0", &s.view, &y, "raise `ridge`");
    support_refused("cfml", "n_components=40", &s.view, &y, "cfml has 39 components here");
    for (int i = 0; i < 40; i++) s.classes[i] = i;
    const ald_target alone = ald_target_classes(s.classes, 40, 40);
    support_refused("cfml", "n_components=2", &s.view, &alone, "every class has only one row");
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cfml_is_fisher),
        cmocka_unit_test(cfml_on_pairs),
        cmocka_unit_test(cfml_by_both_routes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
