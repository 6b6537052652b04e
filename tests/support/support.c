#include "support/support.h"

#include "math/solvers/subspace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void support_assert_done(ald_status status, const ald_error *error, const char *file, int line)
{
    if (status >= 0) return;
    print_error("%s:%d: %s: %s\n", file, line, ald_status_name(status), error->message);
    _fail(file, line);
}

void support_assert_close(double a, double b, double tolerance, const char *what, const char *file, int line)
{
    if (fabs(a - b) <= tolerance) return;
    print_error("%s:%d: %s: %.17g and %.17g differ by %.3g > %.3g\n", file, line, what, a, b, fabs(a - b),
                tolerance);
    _fail(file, line);
}

void support_assert_below(double a, double bound, const char *what, const char *file, int line)
{
    if (a <= bound) return;
    print_error("%s:%d: %s: %.3g > %.3g\n", file, line, what, a, bound);
    _fail(file, line);
}

ald_context *support_context(int threads, const char *backend)
{
    const ald_options options = {.size = sizeof options, .threads = threads, .backend = backend};
    ald_context *context;
    ald_error error;
    assert_done(ald_context_new(&options, &context, &error), error);
    return context;
}

void support_run(ald_run *run, ald_context *context, ald_error *error)
{
    ald_run_begin(run, context, error);
}

double *support_normals(uint64_t seed, int64_t n)
{
    ald_random random;
    double *values = malloc((size_t)(n > 0 ? n : 1) * sizeof *values);
    assert_non_null(values);
    ald_random_seed(&random, seed, 1);
    for (int64_t i = 0; i < n; i++) values[i] = ald_random_normal(&random);
    return values;
}

unsigned support_streamed_capabilities(const ald_method *method)
{
    const unsigned can = ald_method_capabilities(method);
    return ald_method_param_with(method, ALD_PARAM_IS_SLICES) ? can & ~(unsigned)ALD_CAN_RESPONSES : can;
}

ald_settings *support_settings(ald_context *context, const char *method, const char *assignments)
{
    ald_settings *settings;
    ald_error error;
    char copy[512];
    char *rest = copy, *item;
    snprintf(copy, sizeof copy, "%s", assignments);
    assert_done(ald_settings_new(context, method, &settings, &error), error);
    while ((item = strtok_r(rest, " ", &rest)) != NULL) {
        char *value = strchr(item, '=');
        assert_non_null(value);
        *value++ = '\0';
        assert_done(ald_settings_set_text(settings, item, value, &error), error);
    }
    return settings;
}

void support_multiply(int trans_a, int trans_b, int64_t m, int64_t n, int64_t k, const double *a,
                      const double *b, double *c)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (int64_t l = 0; l < k; l++)
                sum += (trans_a ? a[l * m + i] : a[i * k + l]) * (trans_b ? b[j * k + l] : b[l * n + j]);
            c[i * n + j] = sum;
        }
}

double support_largest_difference(int64_t n, const double *a, const double *b)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double difference = fabs(a[i] - b[i]);
        if (!(difference <= largest)) largest = difference;
    }
    return largest;
}

double support_norm(int64_t n, const double *a)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += a[i] * a[i];
    return sqrt(sum);
}

double support_sine(int64_t r, int64_t d, const double *a, const double *b)
{
    ald_context *context = support_context(1, "plain");
    ald_run run;
    ald_error error;
    double sine = NAN, correlation;
    support_run(&run, context, &error);
    const ald_status status =
        ald_subspace_compare(&run, ald_of(a, r, d), ald_of(b, r, d), &sine, &correlation);
    assert_done(ald_run_end(&run, status), error);
    ald_context_free(context);
    return sine;
}

const char *support_shared_data(void)
{
    const char *folder = getenv("ALD_SHARED_DATA");
    return folder && *folder ? folder : NULL;
}

const char *support_data(void)
{
    const char *folder = getenv("ALD_DATA");
    return folder && *folder ? folder : "data";
}

void *support_failing_resize(void *user, void *block, size_t size)
{
    int *left = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return --*left == 0 ? NULL : realloc(block, size);
}

int support_stride(void)
{
    const char *text = getenv("ALD_SAMPLE");
    const int stride = text ? atoi(text) : 1;
    return stride > 1 ? stride : 1;
}
