/* mkdr and cmvu: classes that only the graph can tell apart, certificates, parts that are joined, rows that
 * are known again and rows that are not. The equations themselves are checked beside numpy
 * (reference/check_manifold.py). */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double real_of(const ald_model *model, const char *key)
{
    const char *text = ald_model_text(model, key);
    if (!text) fail_msg("the model has no %s", key);
    return strtod(text, NULL);
}

/* Part of the rows without a target whose nearest row with one is of another class. */
static double error_of(int64_t n, int64_t r, const double *z, const ald_target *y)
{
    int64_t wrong = 0, asked = 0;
    for (int64_t i = 0; i < n; i++) {
        double least = INFINITY;
        int64_t best = 0;
        if (y->labelled[i]) continue;
        for (int64_t j = 0; j < n; j++) {
            double square = 0.0;
            for (int64_t k = 0; k < r; k++) square += pow(z[i * r + k] - z[j * r + k], 2.0);
            if (y->labelled[j] && square < least) {
                least = square;
                best = j;
            }
        }
        wrong += y->classes[best] != y->classes[i];
        asked++;
    }
    return (double)wrong / (double)asked;
}

/* n rows with a noise column, every other one with its class; one dimension. */
static double error_on(const char *set, int64_t n, uint64_t seed)
{
    ald_context *context = support_context(1, NULL);
    const ald_generate_options options = {.size = sizeof options, .n = n, .d = 3, .seed = seed};
    ald_dataset *data;
    ald_error error;
    assert_done(ald_generate_dataset(context, set, &options, &data, &error), error);
    ald_target y = *ald_dataset_target(data);
    unsigned char *labelled = malloc((size_t)n);
    for (int64_t i = 0; i < n; i++) labelled[i] = i % 2 == 0;
    y.labelled = labelled;
    ald_model *model = support_fit("mkdr", "n_components=1", ald_dataset_x(data), &y);
    assert_below(real_of(model, "alidade.resolved.relative_gap"), 1e-5);
    const double wrong = error_of(n, 1, support_reals(model, "embedding", NULL), &y);
    ald_model_free(model);
    free(labelled);
    ald_dataset_free(data);
    ald_context_free(context);
    return wrong;
}

static void mkdr_sees_xor_and_rings(void **state)
{
    (void)state;
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    double xor = 0.0, rings = 0.0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        xor += error_on("xor", 400, seed) / 5.0;
        rings += error_on("rings", 1000, seed) / 5.0;
    }
    print_message("mkdr, error of unlabelled rows: xor %.3f, rings %.3f\n", xor, rings);
    assert_true(xor <= 0.05);
    assert_true(rings <= 0.08);
}

/* Omega has trace 1; what the minimum is certified to. */
static void minima_are_certified(void **state)
{
    (void)state;
    support_sample s = support_sample_make(120, 6, 4);
    const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};
    for (int i = 0; i < 3; i++) {
        const ald_target y = support_sample_target(&s, kinds[i]);
        int64_t count;
        double trace = 0.0;
        ald_model *model = support_fit("mkdr", "n_components=2", &s.view, &y);
        const double *spectrum = support_reals(model, "spectrum", &count);
        for (int64_t k = 0; k < count; k++) trace += spectrum[k];
        assert_close(trace, 1.0, 1e-12);
        assert_below(real_of(model, "alidade.resolved.relative_gap"), 1e-5);
        ald_model_free(model);
        model = support_fit("cmvu", "n_components=2", &s.view, &y);
        assert_below(real_of(model, "alidade.resolved.relative_gap"), 1e-6);
        ald_model_free(model);
    }
    support_sample_free(&s);
}

/* Distances of neighbours are kept when they count for much; an arc is rolled out as far as the target pulls.
 */
static void cmvu_keeps_distances(void **state)
{
    (void)state;
    enum { n = 30 };
    double x[n * 2], off = 0.0, ends[2];
    int32_t classes[n];
    for (int i = 0; i < n; i++) {
        x[2 * i] = cos(0.16 * i);
        x[2 * i + 1] = sin(0.16 * i);
        classes[i] = i >= n / 2;
    }
    const ald_matrix view = ald_matrix_row_major(x, n, 2, 2);
    const ald_target y = ald_target_classes(classes, n, 2);
    const char *const sets[] = {
        "n_components=2 n_neighbors=2 n_basis=29 nu=1e8",
        "n_components=1 n_neighbors=2 n_basis=29 nu=1e4",
    };
    for (int run = 0; run < 2; run++) {
        const int r = 2 - run;
        ald_model *model = support_fit("cmvu", sets[run], &view, &y);
        const double *z = support_reals(model, "embedding", NULL);
        const double step = 2.0 * sin(0.08);
        for (int i = 5; i < n - 6 && run == 0; i++) {
            double square = 0.0;
            for (int k = 0; k < r; k++) square += pow(z[(i + 1) * r + k] - z[i * r + k], 2.0);
            off = fmax(off, fabs(sqrt(square) / step - 1.0));
        }
        ends[run] = 0.0;
        for (int k = 0; k < r; k++) ends[run] += pow(z[(n - 1) * r + k] - z[k], 2.0);
        ald_model_free(model);
    }
    print_message("cmvu, lengths of steps off by %.3f; ends %.2f apart, pulled %.2f (%.2f in the data)\n",
                  off, sqrt(ends[0]), sqrt(ends[1]), 2.0 * sin(0.08 * (n - 1)));
    assert_below(off, 0.1);
    assert_true(ends[1] > ends[0]);
}

/* Two groups far apart: cmvu joins them and says so, mkdr keeps them and says how many there are. */
static void parts_are_told(void **state)
{
    (void)state;
    support_sample s = support_sample_make(80, 4, 6);
    for (int64_t i = 0; i < 40; i++) s.x[i * 4] += 30.0;
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_model *model = support_fit("cmvu", "n_components=2", &s.view, &y);
    assert_string_equal(ald_model_text(model, "alidade.resolved.bridges"), "1");
    assert_below(real_of(model, "alidade.resolved.relative_gap"), 1e-5);
    ald_model_free(model);
    model = support_fit("mkdr", "n_components=1", &s.view, &y);
    assert_string_equal(ald_model_text(model, "alidade.resolved.parts"), "2");
    ald_model_free(model);
    support_sample_free(&s);
}

static void only_the_given_rows_are_known(void **state)
{
    (void)state;
    support_sample s = support_sample_make(50, 4, 6);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double z[50 * 2];
    const char *const methods[] = {"mkdr", "cmvu"};
    for (int i = 0; i < 2; i++) {
        ald_model *model = support_fit(methods[i], "n_components=2", &s.view, &y);
        assert_done(ald_transform(context, model, &s.view, z, &error), error);
        assert_memory_equal(z, support_reals(model, "embedding", NULL), sizeof z);
        ald_matrix fewer = s.view;
        fewer.rows = 49;
        assert_int_equal(ald_transform(context, model, &fewer, z, &error), ALD_ERROR_UNSUPPORTED);
        s.x[7] += 1e-9;
        assert_int_equal(ald_transform(context, model, &s.view, z, &error), ALD_ERROR_UNSUPPORTED);
        s.x[7] -= 1e-9;
        assert_non_null(strstr(error.message, "embeds only the rows it was fitted on"));
        assert_non_null(strstr(error.message, "rsir"));
        ald_model_free(model);
    }
    ald_context_free(context);
    support_sample_free(&s);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    support_sample s = support_sample_make(50, 4, 6);
    ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    support_refused("mkdr", "n_components=11", &s.view, &y, "10 components here (n_basis");
    support_refused("cmvu", "n_components=0", &s.view, &y, "no rule for the number");
    support_refused("mkdr", "response_kernel=rbf", &s.view, &y, "`response_kernel=rbf` needs numbers");
    y = support_sample_target(&s, ALD_TARGET_REAL);
    support_refused("cmvu", "response_kernel=delta", &s.view, &y, "`response_kernel=delta` needs classes");
    for (int64_t i = 0; i < 200; i++) s.x[i] = 1.0;
    support_refused("cmvu", "", &s.view, &y, "all neighbours are equal rows");
    support_sample_free(&s);
}

/* With as many functions as there are, the fit is close and f changes by its rounding only: the certificate
 * is reached all the same, in some 100 steps (support_fit refuses the warning of a fit that was stopped). */
static void all_functions_converge(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        support_sample sample = support_sample_make(30, 4, seed);
        const ald_target y = support_sample_target(&sample, ALD_TARGET_CLASSES);
        ald_model *model = support_fit("mkdr", "n_basis=29 n_components=1", &sample.view, &y);
        const double steps = real_of(model, "alidade.resolved.iterations");
        print_message("mkdr, 29 functions on 30 rows: %.0f steps\n", steps);
        assert_true(steps < 2000.0);
        ald_model_free(model);
        support_sample_free(&sample);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mkdr_sees_xor_and_rings),       cmocka_unit_test(minima_are_certified),
        cmocka_unit_test(cmvu_keeps_distances),          cmocka_unit_test(parts_are_told),
        cmocka_unit_test(only_the_given_rows_are_known), cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(all_functions_converge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
