/* The lowest point of a quartic: known roots, double and triple ones, degenerate forms, units of any size. */
#include "support/support.h"

#include "math/optimize/quadratic.h"

#include <math.h>
#include <stdlib.h>

/* The coefficients of size * integral of 4 (t - a)(t - b)(t - c), from 0. */
static void with_slope_roots(double a, double b, double c, double size, double out[5])
{
    out[0] = 3.0;
    out[1] = -4.0 * size * a * b * c;
    out[2] = 2.0 * size * (a * b + b * c + c * a);
    out[3] = -4.0 / 3.0 * size * (a + b + c);
    out[4] = size;
}

static double change_at(const double c[5], double t)
{
    return t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])));
}

/* Of three roots the first or the last is the lowest; of equals either. */
static void check_roots(double a, double b, double c, double size)
{
    double q[5], change;
    with_slope_roots(a, b, c, size, q);
    const double t = ald_quartic_lowest(q, &change), low = fmin(change_at(q, a), change_at(q, c)),
                 width = fmax(fabs(a), fmax(fabs(b), fabs(c)));
    const double wanted = change_at(q, a) <= change_at(q, c) ? a : c;
    /* A k-fold root is known to the k-th root of rounding. */
    double fold = a == b || b == c ? 1e-7 : 1e-12;
    if (a == c) fold = 1e-4;
    assert_close(change, fmin(low, 0.0), 1e-13 * size * pow(width, 4.0));
    if (fabs(change_at(q, a) - change_at(q, c)) > 1e-9 * fabs(low))
        assert_close(t, low < 0.0 ? wanted : 0.0, fold * width);
}

static void known_roots(void **state)
{
    (void)state;
    static const double cases[][3] = {
        {-2.0, 0.5, 3.0}, {1.0, 2.0, 4.0},  {-3.0, -2.0, -0.25}, {-1.0, 0.0, 1.0}, {0.0, 1.0, 1.5},
        {1.0, 1.0, 3.0},  {-2.0, 1.0, 1.0}, {2.0, 2.0, 2.0},     {1e-6, 1.0, 2.0}, {-1e5, 1.0, 2.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int power = -150; power <= 150; power += 50)
            check_roots(cases[k][0], cases[k][1], cases[k][2], pow(10.0, power));
}

/* t in other units: t = unit s. */
static void units_of_t(void **state)
{
    (void)state;
    for (int power = -60; power <= 60; power += 20) {
        const double unit = pow(10.0, power);
        double q[5], change;
        with_slope_roots(-2.0, 0.25, 3.0, 1.0, q);
        double s = 1.0;
        for (int k = 0; k <= 4; k++, s *= unit) q[k] /= s;
        const double t = ald_quartic_lowest(q, &change);
        assert_close(t / unit, 3.0, 1e-12);
        assert_close(change, change_at(q, 3.0 * unit), 1e-12 * fabs(change));
    }
}

/* One real root: x^4 - 4x, lowest -3 at 1; and nearly a parabola, where the root is far smaller than the
 * scale. */
static void one_root(void **state)
{
    (void)state;
    const double single[5] = {0.0, -4.0, 0.0, 0.0, 1.0};
    double change;
    assert_close(ald_quartic_lowest(single, &change), 1.0, 1e-15);
    assert_close(change, -3.0, 1e-14);
    for (int power = 0; power <= 60; power += 10) {
        const double flat[5] = {0.0, -2.0, 1.0, 0.0, pow(10.0, -power)};
        const double t = ald_quartic_lowest(flat, &change);
        assert_close(4.0 * flat[4] * t * t * t + 2.0 * t, 2.0, 1e-14);
        assert_close(change, change_at(flat, t), 1e-15);
    }
}

static void degenerate_forms(void **state)
{
    (void)state;
    const double nothing[5] = {1.0, 0.0, 0.0, 0.0, 0.0}, line[5] = {0.0, 1.0, 0.0, 0.0, 0.0},
                 parabola[5] = {0.0, -4.0, 2.0, 0.0, 0.0}, cap[5] = {0.0, 1.0, -1.0, 0.0, 0.0},
                 cubic[5] = {0.0, 1.0, 1.0, 1.0, 0.0}, only[5] = {0.0, 0.0, 0.0, 0.0, 2.0},
                 not_finite[5] = {0.0, NAN, 1.0, 0.0, 1.0}, infinite[5] = {0.0, INFINITY, 1.0, 0.0, 1.0};
    const double *const none[] = {nothing, line, cap, cubic, only, not_finite, infinite};
    double change;
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        assert_true(ald_quartic_lowest(none[k], &change) == 0.0);
        assert_true(change == 0.0);
    }
    assert_close(ald_quartic_lowest(parabola, &change), 1.0, 0.0);
    assert_close(change, -2.0, 0.0);
}

/* No point of a fine grid lies lower. */
static void random_quartics(void **state)
{
    (void)state;
    double *values = support_normals(5, 4 * 500);
    for (int k = 0; k < 500; k++) {
        const double *v = values + 4 * k;
        const double q[5] = {0.0, v[0], v[1], v[2], fabs(v[3]) + 1e-3};
        double change, lowest = 0.0;
        const double t = ald_quartic_lowest(q, &change);
        for (int i = -4000; i <= 4000; i++) lowest = fmin(lowest, change_at(q, 0.01 * i));
        assert_close(change, change_at(q, t), 1e-12 * (1.0 + fabs(change)));
        assert_true(change <= lowest + 1e-12 * (1.0 + fabs(lowest)));
    }
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_roots),      cmocka_unit_test(units_of_t),      cmocka_unit_test(one_root),
        cmocka_unit_test(degenerate_forms), cmocka_unit_test(random_quartics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
