/* The tail of the chi-square distribution: closed forms, a recursion, tabulated values, its limits. */
#include "base/numbers/distributions.h"
#include "support/support.h"

#include <math.h>

/* Relative: 1e-13 (1 + |x - a|) is what the expansions promise, with room. */
static void assert_relative(double got, double expected, double tolerance)
{
    assert_close(got / expected, 1.0, tolerance);
}

/* One degree of freedom: erfc(sqrt(x/2)). Two: exp(-x/2). Even ones: a sum of Poisson terms. */
static void is_as_the_closed_forms(void **state)
{
    (void)state;
    for (int i = 1; i < 200; i++) {
        const double x = 0.25 * i;
        assert_relative(ald_chi_square_tail(x, 1.0), erfc(sqrt(0.5 * x)), 1e-11);
        assert_relative(ald_chi_square_tail(x, 2.0), exp(-0.5 * x), 1e-11);
        for (int freedom = 4; freedom <= 80; freedom += 4) {
            double term = exp(-0.5 * x), sum = 0.0;
            for (int m = 0; m < freedom / 2; m++) {
                sum += term;
                term *= 0.5 * x / (m + 1);
            }
            assert_relative(ald_chi_square_tail(x, freedom), sum, 1e-11);
        }
    }
}

/* Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1), across the change from series to fraction and to Stirling.
 */
static void recursion_holds(void **state)
{
    (void)state;
    for (double a = 0.3; a < 40.0; a += 0.7)
        for (double x = 0.5; x < 80.0; x += 1.3) {
            const double step = exp(a * log(x) - x - lgamma(a + 1.0));
            assert_close(ald_gamma_tail(a + 1.0, x), ald_gamma_tail(a, x) + step, 1e-12);
        }
}

/* Quantiles as in every table of the distribution, here to more digits (scipy.stats.chi2.isf). */
static void is_as_tabulated(void **state)
{
    (void)state;
    static const struct {
        double freedom, x, tail;
    } known[] = {
        {1, 3.841458820694124, 0.05},     {3, 11.344866730144373, 0.01},   {10, 18.307038053275146, 0.05},
        {45, 61.65623337627955, 0.05},    {200, 233.99426889232492, 0.05}, {5000, 5165.614518675803, 0.05},
        {1000, 1106.9689943522174, 0.01},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_relative(ald_chi_square_tail(known[i].x, known[i].freedom), known[i].tail, 1e-9);
}

static void ends_are_right(void **state)
{
    (void)state;
    double before = 1.0;
    assert_close(ald_chi_square_tail(0.0, 7.0), 1.0, 0.0);
    assert_close(ald_chi_square_tail(-1.0, 7.0), 1.0, 0.0);
    assert_close(ald_chi_square_tail(INFINITY, 7.0), 0.0, 0.0);
    assert_close(ald_chi_square_tail(1e5, 7.0), 0.0, 0.0);
    assert_true(ald_chi_square_tail(700.0, 7.0) > 0.0);
    for (double x = 0.0; x < 100.0; x += 0.5) {
        const double now = ald_chi_square_tail(x, 31.0);
        assert_true(now <= before && now >= 0.0);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_as_the_closed_forms),
        cmocka_unit_test(recursion_holds),
        cmocka_unit_test(is_as_tabulated),
        cmocka_unit_test(ends_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
