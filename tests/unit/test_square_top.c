/* The leading eigenvectors of a large square against known ones: A = P diag(l) P with a reflection P, whose
 * columns are the eigenvectors. */
#include "support/support.h"

#include "methods/engines/spectral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 1300, r = 6 };
static int64_t n;

/* Entry (i, j) of P = I - 2 v v'/v'v, v = (1, 2, ..., n). */
static double reflection(int64_t i, int64_t j)
{
    const double square = (double)n * (double)(n + 1) * (double)(2 * n + 1) / 6.0;
    return (double)(i == j) - 2.0 * (double)(i + 1) * (double)(j + 1) / square;
}

static double falling(int64_t k)
{
    return pow(0.9, (double)k);
}

static double flat(int64_t k)
{
    return 2.0 - (double)k / (double)n;
}

static double in_threes(int64_t k)
{
    return k < 300 ? 5.0 - (double)(k / 3) * 0.01 : 0.5;
}

static void make(double (*value)(int64_t), double *a)
{
    const double square = (double)n * (double)(n + 1) * (double)(2 * n + 1) / 6.0;
    double inner = 0.0;
    for (int64_t k = 0; k < n; k++) inner += value(k) * (double)((k + 1) * (k + 1));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double vi = (double)(i + 1), vj = (double)(j + 1);
            a[i * n + j] = (i == j ? value(i) : 0.0) - 2.0 * vi * vj * (value(i) + value(j)) / square +
                           4.0 * vi * vj * inner / square / square;
        }
}

/* How much of a vector lies outside the eigenvectors of values equal to value k. */
static double outside(double (*value)(int64_t), int64_t k, const double *vector)
{
    static double rest[most];
    memcpy(rest, vector, (size_t)n * sizeof *rest);
    for (int64_t c = 0; c < 2 * r; c++) {
        double along = 0.0;
        if (fabs(value(c) - value(k)) > 1e-12) continue;
        for (int64_t i = 0; i < n; i++) along += reflection(i, c) * vector[i];
        for (int64_t i = 0; i < n; i++) rest[i] -= along * reflection(i, c);
    }
    return support_norm(n, rest);
}

static void check(double (*value)(int64_t), double gap)
{
    double *a = malloc((size_t)(n * n) * sizeof *a), *rows = malloc((size_t)(r * n) * sizeof *rows);
    double values[r];
    ald_context *context = support_context(2, NULL);
    ald_settings *settings = support_settings(context, "pca", "");
    ald_error error;
    ald_run run;
    assert_true(a && rows);
    make(value, a);
    support_run(&run, context, &error);
    run.settings = settings;
    assert_done(ald_square_top(&run, n, a, r, 0, values, rows), error);
    for (int64_t k = 0; k < r; k++) {
        assert_close(values[k], value(k), 1e-12 * value(0));
        assert_below(outside(value, k, rows + k * n), 1e-12 / gap);
    }
    assert_done(ald_run_end(&run, ALD_OK), error);
    ald_settings_free(settings);
    ald_context_free(context);
    free(rows);
    free(a);
}

static void known_eigenvectors_are_found(void **state)
{
    const int64_t orders[] = {420, 900, most}; /* by single vectors, and by blocks */
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        n = orders[i];
        check(falling, 0.05);
        check(flat, 1.0 / (double)n);
        check(in_threes, 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_eigenvectors_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
