/* The lasso from moments meets the conditions of its optimum, also where columns are nearly collinear and
 * passes over the coefficients alone would not arrive in a hundred thousand:
 *
 *   c - G b = mu sign(b_j) where b_j is not 0, and within +- mu elsewhere. */
#include "support/support.h"

#include "math/solvers/lasso.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 60, k = 40 };

/* G = X'X / n, c = X't / n for bumps of this width, side by side; width 0: one entry each. */
static void make_moments(double width, double *gram, double *c)
{
    double *x = calloc((size_t)n * k, sizeof *x), *noise = support_normals(5, n);
    assert_non_null(x);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            x[i * k + j] = width > 0.0 ? exp(-0.5 * pow((i - 1.5 * j) / width, 2.0)) : (double)(i == j);
    memset(c, 0, k * sizeof *c);
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) sum += x[i * k + a] * x[i * k + b] / n;
            gram[a * k + b] = sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) c[j] += x[i * k + j] * (sin(0.2 * i) + 0.1 * noise[i]) / n;
    free(x);
    free(noise);
}

static void assert_optimal(const double *gram, const double *c, double mu, const double *b)
{
    for (int j = 0; j < k; j++) {
        double left = c[j], size = fabs(c[j]);
        for (int i = 0; i < k; i++) {
            left -= gram[j * k + i] * b[i];
            size += fabs(gram[j * k + i] * b[i]);
        }
        const double apart = b[j] == 0.0 ? fmax(fabs(left) - mu, 0.0) : fabs(left - copysign(mu, b[j]));
        assert_below(apart, 1e-9 * mu + 1e-13 * size);
    }
}

static void optima_are_reached(void **state)
{
    (void)state;
    static const double widths[] = {0.0, 1.0, 6.0, 15.0};
    ald_context *context = support_context(1, NULL);
    double gram[k * k], c[k];
    ald_error error;
    ald_run run;
    support_run(&run, context, &error);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        double b[k] = {0.0}, left[k], largest = 0.0;
        make_moments(widths[w], gram, c);
        memcpy(left, c, sizeof left);
        for (int j = 0; j < k; j++) largest = fmax(largest, fabs(c[j]));
        for (double mu = largest; mu > 1e-3 * largest; mu *= 0.8) {
            assert_done(ald_lasso_descend(&run, k, gram, mu, 1e-13, b, left), error);
            assert_optimal(gram, c, mu, b);
        }
    }
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(optima_are_reached)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
