/* The Hilbert-Schmidt independence criterion: by the letter, its two routes, and its p-value. */
#include "math/kernel/hsic.h"
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdlib.h>

enum { n = 80, d = 4 };

/* tr(KHLH)/(n-1)^2 with everything written out. */
static double by_the_letter(const double *k, const double *l)
{
    static double kh[n * n], lh[n * n];
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double mean_k = 0.0, mean_l = 0.0;
        for (int j = 0; j < n; j++) {
            mean_k += k[i * n + j] / n;
            mean_l += l[i * n + j] / n;
        }
        for (int j = 0; j < n; j++) {
            kh[i * n + j] = k[i * n + j] - mean_k;
            lh[i * n + j] = l[i * n + j] - mean_l;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += kh[i * n + j] * lh[j * n + i];
    return sum / ((n - 1.0) * (n - 1.0));
}

static void fill_rbf(int64_t q, const double *x, double width, double *k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double square = 0.0;
            for (int64_t c = 0; c < q; c++) square += pow(x[i * q + c] - x[j * q + c], 2.0);
            k[i * n + j] = exp(-square / (2.0 * width * width));
        }
}

static ald_hsic_result hsic(const ald_matrix *x, const ald_target *y, ald_hsic_options options)
{
    ald_context *context = support_context(2, NULL);
    ald_hsic_result result = ALD_HSIC_RESULT_INIT;
    ald_error error;
    options.size = sizeof options;
    assert_done(ald_hsic(context, x, y, &options, &result, &error), error);
    ald_context_free(context);
    return result;
}

static void is_as_defined(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 4);
    static double k[n * n], l[n * n];
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_hsic_result r = hsic(&s.view, &y, (ald_hsic_options){0});
    assert_close(r.p_value, 1.0, 0.0);
    fill_rbf(d, s.x, r.kernel_width, k);
    for (int i = 0; i < n * n; i++) l[i] = s.classes[i / n] == s.classes[i % n];
    assert_close(r.value, by_the_letter(k, l), 1e-12);
    y = support_sample_target(&s, ALD_TARGET_REAL);
    r = hsic(&s.view, &y, (ald_hsic_options){.kernel_width = 2.0});
    assert_close(r.kernel_width, 2.0, 0.0);
    fill_rbf(d, s.x, 2.0, k);
    fill_rbf(3, s.responses, r.response_width, l);
    assert_close(r.value, by_the_letter(k, l), 1e-10);
    y = support_sample_target(&s, ALD_TARGET_LABELS);
    r = hsic(&s.view, &y, (ald_hsic_options){.kernel_width = 2.0});
    support_multiply(0, 1, n, n, 3, s.labels, s.labels, l);
    assert_close(r.value, by_the_letter(k, l), 1e-12);
    support_sample_free(&s);
}

/* Dependent: p as small as it can be. Independent: p is uniform, so over 100 sets about 20 are up to 0.2;
 * fewer than 6 or more than 36 have a chance below 1e-4. */
static void p_values_mean_what_they_say(void **state)
{
    (void)state;
    int small = 0;
    support_sample s = support_sample_make(n, d, 4);
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    const ald_hsic_result r = hsic(&s.view, &y, (ald_hsic_options){.permutations = 199});
    assert_close(r.p_value, 1.0 / 200.0, 1e-15);
    for (uint64_t set = 0; set < 100; set++) {
        double *x = support_normals(1000 + set, n * d), *t = support_normals(2000 + set, n);
        const ald_matrix view = ald_matrix_row_major(x, n, d, d);
        y = ald_target_real(ald_matrix_row_major(t, n, 1, 1));
        const double p = hsic(&view, &y, (ald_hsic_options){.permutations = 49, .seed = set}).p_value;
        assert_true(p >= 1.0 / 50.0 && p <= 1.0);
        small += p <= 0.2;
        free(x);
        free(t);
    }
    print_message("p up to 0.2 in %d of 100 sets\n", small);
    assert_true(small >= 6 && small <= 36);
    support_sample_free(&s);
}

/* Many dense rows go through a product of few columns (to 1e-6 of the trace), sparse ones by blocks of the
 * kernel: the same criterion, and the same orders. y depends on the square of the first column, with which it
 * does not correlate.
 */
static void routes_agree(void **state)
{
    (void)state;
    enum { many = 2100 };
    double *x = support_normals(7, many * 2), *y = support_normals(8, many);
    for (int i = 0; i < many; i++) y[i] = 3.0 * y[i] + x[i * 2] * x[i * 2];
    support_matrix sparse = support_storage(support_storage_count - 1, x, many, 2);
    assert_true(sparse.view.storage != ALD_DENSE);
    const ald_matrix dense = ald_matrix_row_major(x, many, 2, 2);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, many, 1, 1));
    const ald_hsic_options options = {.kernel_width = 1.0, .response_width = 3.0, .permutations = 19};
    const ald_hsic_result a = hsic(&dense, &target, options), b = hsic(&sparse.view, &target, options);
    assert_close(a.value, b.value, 1e-5 * b.value);
    assert_close(a.p_value, b.p_value, 0.0);
    assert_close(a.p_value, 0.05, 1e-15);
    support_storage_free(&sparse);
    free(x);
    free(y);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(n, d, 4);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_context *context = support_context(1, NULL);
    ald_hsic_result result = ALD_HSIC_RESULT_INIT;
    ald_error error;
    assert_int_equal(ald_hsic(context, &s.view, NULL, NULL, &result, &error), ALD_ERROR_DATA);
    const ald_hsic_options negative = {.size = sizeof negative, .kernel_width = -1.0},
                           few = {.size = sizeof few, .permutations = -1};
    assert_int_equal(ald_hsic(context, &s.view, &y, &negative, &result, &error), ALD_ERROR_ARGUMENT);
    assert_int_equal(ald_hsic(context, &s.view, &y, &few, &result, &error), ALD_ERROR_ARGUMENT);
    for (int i = 0; i < n * d; i++) s.x[i] = 1.0;
    assert_int_equal(ald_hsic(context, &s.view, &y, NULL, &result, &error), ALD_ERROR_DATA);
    ald_context_free(context);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_as_defined),
        cmocka_unit_test(p_values_mean_what_they_say),
        cmocka_unit_test(routes_agree),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
