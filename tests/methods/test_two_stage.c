/* The two-stage route against the direct one: the equivalence table of Sun, Ceran and Ye on their synthetic
 * sets and on real ones, the identities between the methods, and the rule of solver=auto. Real sets are read
 * from ALD_SHARED_DATA and skipped where it is not. */
#include "support/support.h"

#include "math/linalg/linalg.h"
#include "methods/engines/pencil.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ald_model *fit(ald_context *context, const char *method, const char *settings_text,
                      const ald_matrix *x, const ald_target *y)
{
    ald_settings *settings = support_settings(context, method, settings_text);
    ald_model *model;
    ald_error error;
    assert_done(ald_fit(context, settings, x, y, &model, &error), error);
    ald_settings_free(settings);
    return model;
}

static ald_array components_of(const ald_model *model)
{
    ald_array array;
    assert_true(ald_model_array(model, "components", &array));
    return array;
}

/* No warning about the condition at the default tolerance. */
static void assert_quiet_by_default(ald_context *context, const char *name, const char *method,
                                    const ald_matrix *x, const ald_target *y)
{
    ald_settings *settings = support_settings(context, method, "n_components=0 solver=two-stage");
    ald_model *model;
    ald_error error;
    assert_done(ald_fit(context, settings, x, y, &model, &error), error);
    if (error.status == ALD_NOT_CONVERGED) fail_msg("%s, %s: %s", name, method, error.message);
    ald_model_free(model);
    ald_settings_free(settings);
}

/* The step between the ridges: of sets that take long only 0, 1e-2 and 1e4 unless all are asked for. */
static int ridge_step(const ald_matrix *x)
{
    return x->rows * x->cols > 200000 && !getenv("ALD_LONG") ? 6 : 2;
}

static void compare_routes(ald_context *context, const char *name, const char *method, const ald_matrix *x,
                           const ald_target *y)
{
    const char *exact = x->rows < x->cols ? "dual" : "direct";
    printf("%-12s %-5s", name, method);
    for (int power = -8; power <= 6; power += ridge_step(x)) {
        char text[128];
        const double ridge = power == -8 ? 0.0 : pow(10.0, power);
        snprintf(text, sizeof text, "n_components=0 ridge=%g solver=%s", ridge, exact);
        ald_model *direct = fit(context, method, text, x, y);
        snprintf(text, sizeof text, "n_components=0 ridge=%g solver=two-stage tol=1e-14 max_iter=100000",
                 ridge);
        ald_model *two_stage = fit(context, method, text, x, y);
        ald_map_difference difference = ALD_MAP_DIFFERENCE_INIT;
        ald_error error;
        assert_done(ald_model_difference(context, direct, two_stage, &difference, &error), error);
        printf(" %.0e", difference.distance);
        fflush(stdout);
        if (!(difference.relative <= 1e-9))
            fail_msg("%s, %s, ridge %g: the routes differ by %.2e relative", name, method, ridge,
                     difference.relative);
        ald_model_free(direct);
        ald_model_free(two_stage);
    }
    printf("\n");
    assert_quiet_by_default(context, name, method, x, y);
}

static void compare_all_methods(ald_context *context, const char *name, const ald_dataset *data)
{
    static const char *const of_labels[] = {"cca", "opls", "hsl", NULL}, *const of_classes[] = {"lda", NULL};
    const ald_target *y = ald_dataset_target(data);
    for (const char *const *m = y->kind == ALD_TARGET_LABELS ? of_labels : of_classes; *m; m++)
        compare_routes(context, name, *m, ald_dataset_x(data), y);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { slow_build = 1 };
#else
enum { slow_build = 0 };
#endif

static void routes_agree_on_synthetic_sets(void **state)
{
    (void)state;
    static const char *const names[] = {"syn1", "syn3", "syn2", "syn4"};
    ald_context *context = support_context(2, NULL);
    printf("|W0W0' - WW'|_2 for ridge 0, 1e-6, 1e-4, ..., 1e6\n");
    for (int i = 0; i < (slow_build ? 2 : 4); i++) {
        ald_generate_options options = {.size = sizeof options, .seed = 1};
        if (i >= 2 && !getenv("ALD_LONG")) options.n = 400, options.d = 1600; /* the paper's: 1000 x 5000 */
        ald_dataset *data;
        ald_error error;
        assert_done(ald_generate_dataset(context, names[i], &options, &data, &error), error);
        compare_all_methods(context, names[i], data);
        ald_dataset_free(data);
    }
    ald_context_free(context);
}

static void routes_agree_on_real_sets(void **state)
{
    if (support_stride() > 1) skip();
    (void)state;
    static const struct {
        const char *file, *target;
    } sets[] = {
        {"wine.csv", "y"},          {"ionosphere.csv", "y"},
        {"optdigits.csv", "y"},     {"yeast.csv.gz", "Class1..Class14"},
        {"satimage.csv", "y"}, /* from here on with ALD_LONG only */
        {"usps-train.csv.gz", "y"}, {"scene.csv.gz", "Beach..Urban"},
    };
    const int count = getenv("ALD_LONG") ? 7 : 4;
    if (!support_shared_data()) {
        print_message("skipped: there is no folder of further data sets (ALD_SHARED_DATA)\n");
        return;
    }
    ald_context *context = support_context(2, NULL);
    for (int i = 0; i < (slow_build ? 2 : count); i++) {
        char path[600];
        const ald_load_options load = {.size = sizeof load, .target = sets[i].target};
        ald_dataset *data;
        ald_error error;
        snprintf(path, sizeof path, "%s/%s", support_shared_data(), sets[i].file);
        assert_done(ald_dataset_load(context, path, &load, &data, &error), error);
        compare_all_methods(context, sets[i].file, data);
        ald_dataset_free(data);
    }
    ald_context_free(context);
}

static void wine(ald_context *context, ald_dataset **data)
{
    char path[600];
    const ald_load_options load = {.size = sizeof load, .target = "y"};
    ald_error error;
    snprintf(path, sizeof path, "%s/wine.csv", support_data());
    assert_done(ald_dataset_load(context, path, &load, data, &error), error);
}

static void identities_hold(void **state)
{
    (void)state;
    ald_context *context = support_context(2, NULL);
    ald_dataset *data;
    wine(context, &data);
    const ald_matrix *x = ald_dataset_x(data);
    const ald_target *y = ald_dataset_target(data);
    const int64_t n = x->rows;
    char text[100];
    snprintf(text, sizeof text, "n_components=2 scale=standard ridge=%.17g", 0.25 * (double)n);
    ald_model *lda = fit(context, "lda", text, x, y), *cca = fit(context, "cca", text, x, y);
    ald_model *sir = fit(context, "sir", "n_components=2 scale=standard ridge=0.25", x, y);
    const ald_array a = components_of(lda), b = components_of(cca), c = components_of(sir);
    const double *u = a.data, *v = b.data, *w = c.data;
    for (int64_t i = 0; i < 2 * x->cols; i++) {
        assert_close(u[i], v[i], 1e-9);
        assert_close(sqrt((double)n) * u[i], w[i], 1e-9);
    }
    ald_model_free(lda);
    ald_model_free(cca);
    ald_model_free(sir);
    /* Without ridge: Fisher's ratio f of the projection onto the first direction. */
    lda = fit(context, "lda", "n_components=1 scale=standard", x, y);
    double *z = malloc((size_t)n * sizeof *z);
    double sum[3] = {0}, count[3] = {0}, between = 0.0, within = 0.0;
    ald_error error;
    ald_array values;
    assert_done(ald_transform(context, lda, x, z, &error), error);
    assert_true(ald_model_array(lda, "eigenvalues", &values));
    for (int64_t i = 0; i < n; i++) {
        sum[y->classes[i]] += z[i];
        count[y->classes[i]] += 1.0;
    }
    for (int k = 0; k < 3; k++) between += sum[k] * sum[k] / count[k];
    for (int64_t i = 0; i < n; i++) {
        const double off = z[i] - sum[y->classes[i]] / count[y->classes[i]];
        within += off * off;
    }
    const double f = between / within;
    assert_close(((const double *)values.data)[0], f / (1.0 + f), 1e-10);
    free(z);
    ald_model_free(lda);
    ald_dataset_free(data);
    ald_context_free(context);
}

static void refusals_say_how_many_there_are(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    ald_dataset *data;
    ald_model *model;
    ald_error error;
    wine(context, &data);
    ald_settings *settings = support_settings(context, "lda", "n_components=3");
    assert_int_equal(ald_fit_dataset(context, settings, data, &model, &error), ALD_ERROR_DATA);
    assert_null(model);
    assert_non_null(strstr(error.message, "lda has 2 components here"));
    assert_int_equal(ald_settings_set_text(settings, "ridge", "-1", &error), ALD_ERROR_ARGUMENT);
    ald_settings_free(settings);
    settings = support_settings(context, "hsl", "");
    assert_int_equal(ald_fit_dataset(context, settings, data, &model, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "hsl cannot take classes"));
    ald_settings_free(settings);
    /* An iteration limit is a warning, not a failure. */
    settings = support_settings(context, "lda", "n_components=2 solver=two-stage max_iter=2 tol=1e-14");
    assert_int_equal(ald_fit_dataset(context, settings, data, &model, &error), ALD_NOT_CONVERGED);
    assert_non_null(model);
    assert_non_null(strstr(error.message, "LSQR stopped after 2 iterations"));
    ald_model_free(model);
    ald_settings_free(settings);
    ald_dataset_free(data);
    ald_context_free(context);
}

static ald_pencil_solver chosen(double rows, double cols, double entries, int dense, double k, double ridge,
                                char reason[200])
{
    const ald_pencil_sizes sizes = {rows, cols, entries, k, ridge, dense};
    return ald_pencil_auto(&sizes, reason, 200);
}

/* The rule written in pencil.c, at sizes where there is no doubt. */
static void auto_takes_the_cheap_route(void **state)
{
    (void)state;
    char reason[200];
    assert_int_equal(chosen(20000, 500, 1e7, 1, 10, 0.0, reason), ALD_PENCIL_DIRECT);
    assert_int_equal(chosen(96, 4026, 96 * 4026, 1, 2, 0.0, reason), ALD_PENCIL_DUAL);
    assert_int_equal(chosen(2000, 2000, 4e6, 1, 5, 0.0, reason), ALD_PENCIL_DUAL);
    assert_int_equal(chosen(2200, 2000, 4.4e6, 1, 5, 0.0, reason), ALD_PENCIL_DIRECT);
    assert_int_equal(chosen(16000, 62000, 2.1e6, 0, 20, 1.0, reason), ALD_PENCIL_TWO_STAGE);
    assert_int_equal(chosen(3000, 5000, 1.8e5, 0, 101, 1.0, reason), ALD_PENCIL_TWO_STAGE);
    assert_int_equal(chosen(1e6, 1e6, 1e7, 0, 3, 0.0, reason), ALD_PENCIL_TWO_STAGE);
    assert_null(strstr(reason, "inf"));
    assert_non_null(strstr(reason, "two-stage: not possible (its square matrix is too large) directly"));
}

/* Text has few large singular values, and a ridge does the rest: the bound of the papers' kind of data. */
static void text_takes_few_iterations(void **state)
{
    (void)state;
    ald_context *context = support_context(2, NULL);
    const ald_generate_options options = {.size = sizeof options, .n = 3000, .d = 5000, .seed = 1};
    static const char *const methods[] = {"cca", "opls", "hsl"};
    ald_dataset *data;
    ald_error error;
    assert_done(ald_generate_dataset(context, "rcv1", &options, &data, &error), error);
    for (int i = 0; i < (slow_build ? 1 : 3); i++) {
        ald_model *model = fit(context, methods[i], "n_components=0 ridge=1 solver=two-stage",
                               ald_dataset_x(data), ald_dataset_target(data));
        const char *iterations = ald_model_text(model, "alidade.resolved.iterations");
        assert_non_null(iterations);
        printf("%s: %s iterations\n", methods[i], iterations);
        assert_true(strtol(iterations, NULL, 10) <= 25);
        ald_model_free(model);
    }
    ald_dataset_free(data);
    ald_context_free(context);
}

enum { ill_n = 200, ill_d = 10 };

/* Orthogonal columns of lengths 1 .. 1 / condition: falling evenly, or all 1 but the last. y depends on all
 * alike. */
static void make_ill_conditioned(double condition, int evenly, double *x, double *y)
{
    double *noise = support_normals(11, ill_n * (ill_d + 1));
    for (int64_t j = 0; j < ill_d; j++) {
        for (int64_t l = -1; l < j; l++) { /* from the constant (the mean), then from the columns before */
            double dot = 0.0, square = 0.0;
            for (int64_t i = 0; i < ill_n; i++) {
                const double other = l < 0 ? 1.0 : noise[i * (ill_d + 1) + l];
                dot += other * noise[i * (ill_d + 1) + j];
                square += other * other;
            }
            for (int64_t i = 0; i < ill_n; i++)
                noise[i * (ill_d + 1) + j] -= dot / square * (l < 0 ? 1.0 : noise[i * (ill_d + 1) + l]);
        }
    }
    for (int64_t i = 0; i < ill_n; i++) {
        y[i] = noise[i * (ill_d + 1) + ill_d];
        for (int64_t j = 0; j < ill_d; j++) {
            const double power = evenly ? (double)j / (ill_d - 1) : j == ill_d - 1;
            x[i * ill_d + j] = noise[i * (ill_d + 1) + j] * pow(condition, -power);
            y[i] += 0.3 * noise[i * (ill_d + 1) + j];
        }
    }
    free(noise);
}

/* Eigenvalue of cca by the route; `status` of the fit. */
static double only_eigenvalue(ald_context *context, const double *x, const double *y, const char *set,
                              ald_status *status)
{
    const ald_matrix view = ald_matrix_row_major(x, ill_n, ill_d, ill_d);
    const ald_target target = {
        .kind = ALD_TARGET_REAL,
        .rows = ill_n,
        .values = ald_matrix_row_major(y, ill_n, 1, 1),
    };
    ald_settings *settings = support_settings(context, "cca", set);
    ald_model *model;
    ald_array values;
    ald_error error;
    *status = ald_fit(context, settings, &view, &target, &model, &error);
    assert_done(*status, error);
    if (*status > 0) assert_non_null(strstr(error.message, "ill-conditioned for LSQR at tol 1.0e-06"));
    assert_true(ald_model_array(model, "eigenvalues", &values));
    const double value = ((const double *)values.data)[0];
    ald_model_free(model);
    ald_settings_free(settings);
    return value;
}

/* Told where the default tolerance is not enough, and only there. */
static void ill_conditioned_data_are_told(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    double *x = malloc(ill_n * ill_d * sizeof *x), *y = malloc(ill_n * sizeof *y);
    int told = 0, quiet = 0;
    for (int power = 0; power <= 8; power++)
        for (int evenly = 0; evenly < 2; evenly++) {
            ald_status status;
            make_ill_conditioned(pow(10.0, power), evenly, x, y);
            const double exact = only_eigenvalue(context, x, y, "n_components=1 solver=direct", &status);
            assert_int_equal(status, ALD_OK);
            const double found = only_eigenvalue(context, x, y, "n_components=1 solver=two-stage", &status);
            const double wrong = fabs(found - exact);
            if (wrong > 1e-3 && status == ALD_OK)
                fail_msg("condition 1e%d: the eigenvalue is off by %.1e and nothing was said", power, wrong);
            if (power <= 3 && status != ALD_OK)
                fail_msg("condition 1e%d: a false alarm (%.1e)", power, wrong);
            told += status == ALD_NOT_CONVERGED;
            quiet += status == ALD_OK;
            const char *const tight = "n_components=1 solver=two-stage tol=1e-14";
            if (power <= 5) assert_close(only_eigenvalue(context, x, y, tight, &status), exact, 1e-6);
            if (power <= 5) assert_int_equal(status, ALD_OK);
        }
    assert_true(told >= 4 && quiet >= 8);
    free(x);
    free(y);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identities_hold),
        cmocka_unit_test(refusals_say_how_many_there_are),
        cmocka_unit_test(auto_takes_the_cheap_route),
        cmocka_unit_test(text_takes_few_iterations),
        cmocka_unit_test(ill_conditioned_data_are_told),
        cmocka_unit_test(routes_agree_on_synthetic_sets),
        cmocka_unit_test(routes_agree_on_real_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
