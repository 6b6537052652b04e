/* The units of X and of the target: what a method finds does not depend on them, or it says that it cannot
 * work with them. sdpp: y -> a y gives W -> |a| W, X -> c X gives W / c; cmvu: X -> c X gives places c times
 * as far apart. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { n = 60, d = 5 };

static void draw(double x[n * d], double y[n])
{
    ald_random random;
    ald_random_seed(&random, 7, 1);
    for (int i = 0; i < n; i++) {
        double *row = x + d * i;
        for (int j = 0; j < d; j++) row[j] = (j + 1) * ald_random_normal(&random);
        y[i] = 2.0 * row[0] + 0.5 * row[1] * row[1] + 0.3 * ald_random_normal(&random);
    }
}

/* The array `name` of a fit to c X and a y. */
static void fit_in_units(const char *method, const char *set, double c, double a, const char *name,
                         double *out)
{
    double x[n * d], y[n];
    int64_t rows;
    draw(x, y);
    for (int i = 0; i < n * d; i++) x[i] *= c;
    for (int i = 0; i < n; i++) y[i] *= a;
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_model *model = support_fit(method, set, &view, &target);
    const double *values = support_reals(model, name, &rows);
    memcpy(out, values, (size_t)(rows * (rows == 2 ? d : 2)) * sizeof *out);
    ald_model_free(model);
}

/* Entries of `other` are `factor` times those of `one`, to `tolerance` of the largest. */
static void assert_multiple(const char *what, int count, const double *one, double factor,
                            const double *other, double tolerance)
{
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(one[i]));
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(other[i] / factor - one[i]) / largest);
    print_message("%s: %.1e\n", what, worst);
    assert_true(worst <= tolerance);
}

/* The conjugate gradient stops at a gradient of 1e-8 of that near 0, which fixes W to 1e-6 on this sample. */
static void distances_in_other_units(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "n_components=2",
        "n_components=2 solver=cg",
        "n_components=2 divergence=kl",
        "n_components=2 early_stopping=0.3",
        "n_components=2 early_stopping=0.3 pca_dims=4",
        "n_components=2 penalty=l21 penalty_weight=0.05",
    };
    static const double units[] = {1e-20, 1e-8, 1e-4, 1e8, 1e20};
    double plain[2 * d], other[2 * d];
    char what[128];
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        fit_in_units("sdpp", sets[k], 1.0, 1.0, "components", plain);
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            snprintf(what, sizeof what, "sdpp %s, y times %g", sets[k], units[u]);
            fit_in_units("sdpp", sets[k], 1.0, units[u], "components", other);
            assert_multiple(what, 2 * d, plain, units[u], other, 1e-6);
            snprintf(what, sizeof what, "sdpp %s, X times %g", sets[k], units[u]);
            fit_in_units("sdpp", sets[k], units[u], 1.0, "components", other);
            assert_multiple(what, 2 * d, plain, 1.0 / units[u], other, 1e-6);
        }
    }
}

/* cmvu's minimum is known to 1e-9 of its value, and its places to the root of that. */
static void places_in_other_units(void **state)
{
    (void)state;
    static const double units[] = {1e-100, 1e-8, 1e8, 1e100};
    double plain[2 * n], other[2 * n];
    char what[128];
    fit_in_units("cmvu", "n_components=2", 1.0, 1.0, "embedding", plain);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        snprintf(what, sizeof what, "cmvu, X times %g", units[u]);
        fit_in_units("cmvu", "n_components=2", units[u], 1.0, "embedding", other);
        assert_multiple(what, 2 * n, plain, units[u], other, 1e-4);
    }
}

/* nu is in units of 1 / distance^2. */
static void nu_in_other_units(void **state)
{
    (void)state;
    double plain[2 * n], other[2 * n];
    fit_in_units("cmvu", "n_components=2 nu=0.01", 1.0, 1.0, "embedding", plain);
    fit_in_units("cmvu", "n_components=2 nu=0.0001", 10.0, 1.0, "embedding", other);
    assert_multiple("cmvu, X times 10 and nu over 100", 2 * n, plain, 10.0, other, 1e-4);
}

static void too_far_from_one(void **state)
{
    (void)state;
    double x[n * d], y[n];
    draw(x, y);
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (int i = 0; i < n; i++) y[i] *= 1e-30;
    support_refused("sdpp", "", &view, &target, "too small");
    for (int i = 0; i < n; i++) y[i] *= 1e60;
    support_refused("sdpp", "", &view, &target, "too large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_in_other_units),
        cmocka_unit_test(places_in_other_units),
        cmocka_unit_test(nu_in_other_units),
        cmocka_unit_test(too_far_from_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
