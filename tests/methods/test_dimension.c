/* How many directions: the number that was planted is found, nothing is found in noise, p-values are uniform
 * where they should be, and nothing depends on the number of threads. */
#include "support/fitting.h"
#include "support/storages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 12 };

typedef struct found {
    ald_dimension_row rows[most];
    int count;
    ald_dimension_choice choice;
} found;

static ald_status look(int threads, const char *method, const char *set, const ald_matrix *x,
                       const ald_target *y, ald_dimension_options options, found *f, ald_error *error)
{
    ald_context *context = support_context(threads, NULL);
    ald_settings *settings = support_settings(context, method, set);
    options.size = sizeof options;
    f->rows[0].size = sizeof f->rows[0];
    f->choice.size = sizeof f->choice;
    const ald_status status =
        ald_dimension(context, settings, x, y, &options, f->rows, most, &f->count, &f->choice, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static found find(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                  ald_dimension_options options)
{
    ald_error error;
    found f;
    assert_done(look(2, method, set, x, y, options, &f, &error), error);
    return f;
}

/* The set `name` of the papers, n rows. */
static ald_dataset *generate(ald_context *context, const char *name, int64_t n, uint64_t seed)
{
    const ald_generate_options options = {.size = sizeof options, .n = n, .seed = seed};
    ald_dataset *dataset;
    ald_error error;
    assert_done(ald_generate_dataset(context, name, &options, &dataset, &error), error);
    return dataset;
}

/* In most of the draws the right number: at the level 0.05 each is too high with a chance of about 0.05, so
 * that of 10 draws 3 or more are wrong with a chance of 0.012, and 4 or more with one of 0.001; of 3, 2 or
 * more with 0.007. */
static void planted_numbers_are_found(void **state)
{
    (void)state;
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    static const struct {
        const char *set, *method, *settings;
        int64_t rows, dimension;
        int draws, right;
    } planted[] = {
        {"plane", "sir", "", 200, 1, 10, 7},
        {"plane", "cca", "", 200, 1, 10, 7},
        {"plane", "contour", "", 100, 1, 10, 7},
        {"plane", "gkdr", "", 160, 1, 3, 2},
        {"rational", "sir", "n_slices=8", 400, 2, 10, 7},
        {"rational", "lasso-sir", "n_slices=8", 400, 2, 10, 7}, /* permuted, component 2 may be 0 */
        {"quadratic", "save", "n_slices=5", 400, 1, 10, 7},
        {"quadratic", "phd", "", 400, 1, 10, 7},
        {"parity", "sdpp", "n_starts=1", 200, 2, 2, 1},
    };
    ald_context *context = support_context(1, NULL);
    for (size_t p = 0; p < sizeof planted / sizeof *planted; p++) {
        int right = 0;
        for (int draw = 0; draw < planted[p].draws; draw++) {
            ald_dataset *dataset = generate(context, planted[p].set, planted[p].rows, (uint64_t)draw + 1);
            const found f = find(
                planted[p].method, planted[p].settings, ald_dataset_x(dataset), ald_dataset_target(dataset),
                (ald_dimension_options){.permutations = 19, .max_dims = 3, .seed = (uint64_t)draw});
            right += f.choice.by_permutation == planted[p].dimension;
            ald_dataset_free(dataset);
        }
        print_message("%s with %s: right in %d of %d draws\n", planted[p].set, planted[p].method, right,
                      planted[p].draws);
        assert_true(right >= planted[p].right);
    }
    ald_context_free(context);
}

/* Counts of p-values up to 0.1 and up to 0.5 over `draws` sets; binomial, within four deviations. */
static void assert_uniform(int draws, int tenth, int half, const char *what)
{
    print_message("%s: of %d p-values %d are up to 0.1 and %d up to 0.5\n", what, draws, tenth, half);
    assert_close(tenth, 0.1 * draws, 4.0 * sqrt(0.09 * draws));
    assert_close(half, 0.5 * draws, 4.0 * sqrt(0.25 * draws));
}

typedef struct null_case {
    const char *method, *set;
    int planted;   /* directions that there are; the p-value of the next is looked at */
    int classes;   /* the target is the sign */
    int one_sided; /* a test that errs on the side of fewer: small p-values may be rarer */
} null_case;

static void try_null(const null_case *c, int draws)
{
    enum { n = 40, d = 4 };
    int tenth = 0, half = 0;
    for (int draw = 0; draw < draws; draw++) {
        double *x = support_normals(10 + (uint64_t)draw, n * d),
               *t = support_normals(90000 + (uint64_t)draw, n);
        int32_t classes[n];
        for (int i = 0; i < n; i++) {
            if (c->planted) t[i] = 0.5 * t[i] + 2.0 * x[i * d];
            classes[i] = (t[i] > -0.5) + (t[i] > 0.5);
        }
        const ald_matrix view = ald_matrix_row_major(x, n, d, d);
        const ald_target y = c->classes ? ald_target_classes(classes, n, 3)
                                        : ald_target_real(ald_matrix_row_major(t, n, 1, 1));
        const found f = find(c->method, c->set, &view, &y,
                             (ald_dimension_options){
                                 .permutations = 19,
                                 .max_dims = c->planted + 1,
                                 .seed = (uint64_t)draw,
                                 .every = 1,
                             });
        assert_int_equal(f.count, c->planted + 1);
        tenth += f.rows[c->planted].permutation_p <= 0.1 + 1e-12;
        half += f.rows[c->planted].permutation_p <= 0.5 + 1e-12;
        free(x);
        free(t);
    }
    if (!c->one_sided) assert_uniform(draws, tenth, half, c->method);
    assert_below(tenth, 0.1 * draws + 4.0 * sqrt(0.09 * draws));
    assert_below(half, 0.5 * draws + 4.0 * sqrt(0.25 * draws));
}

static void levels_hold(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    static const null_case cases[] = {
        {"sir", "n_slices=4", 0, 0, 0}, {"sir", "n_slices=4", 1, 0, 0},  {"lda", "", 0, 1, 0},
        {"lda", "", 1, 1, 0},           {"save", "n_slices=3", 1, 0, 0}, {"pls", "", 0, 0, 0},
        {"pca", "", 0, 0, 0},           {"kpls", "", 0, 0, 0},           {"kspca", "", 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) try_null(&cases[i], 60);
}

/* Normal x, one direction: k = 0 is always rejected, and the p-values of k = 1 are uniform. With no direction
 * at all those of k = 0 are. */
static void chi_square_is_uniform(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    enum { n = 300, d = 4, draws = 120 };
    for (int planted = 0; planted < 2; planted++) {
        int tenth = 0, half = 0, sure = 0;
        for (int draw = 0; draw < draws; draw++) {
            double *x = support_normals(500 + (uint64_t)draw, n * d),
                   *t = support_normals(7000 + (uint64_t)draw, n);
            for (int i = 0; planted && i < n; i++) t[i] = 0.4 * t[i] + x[i * d + 1] - x[i * d + 2];
            const ald_matrix view = ald_matrix_row_major(x, n, d, d);
            const ald_target y = ald_target_real(ald_matrix_row_major(t, n, 1, 1));
            const found f = find("sir", "n_slices=5", &view, &y, (ald_dimension_options){.max_dims = 3});
            tenth += f.rows[planted].chi_square_p <= 0.1;
            half += f.rows[planted].chi_square_p <= 0.5;
            sure += f.rows[0].chi_square_p < 1e-6;
            assert_close(f.rows[planted].freedom, (d - planted) * (4.0 - planted), 0.0);
            free(x);
            free(t);
        }
        assert_uniform(draws, tenth, half, planted ? "chi-square, one direction" : "chi-square, none");
        if (planted) assert_int_equal(sure, draws);
    }
}

/* n (l_k+1 + ... ) of all eigenvalues; a column that others give takes nothing from p but itself. */
static void chi_square_is_as_defined(void **state)
{
    (void)state;
    enum { n = 120, d = 5 };
    double *x = support_normals(4, n * d), *t = support_normals(5, n);
    for (int i = 0; i < n; i++) {
        t[i] += x[i * d];
        x[i * d + 4] = x[i * d] - 2.0 * x[i * d + 1];
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target y = ald_target_real(ald_matrix_row_major(t, n, 1, 1));
    const found f = find("sir", "n_slices=6", &view, &y, (ald_dimension_options){.max_dims = 4});
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "sir", "n_slices=6 n_components=0");
    ald_model *all;
    ald_error error;
    assert_done(ald_fit(context, settings, &view, &y, &all, &error),
                error); /* with a warning: X is singular */
    int64_t count;
    const double *values = support_reals(all, "eigenvalues", &count);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++) {
        double sum = 0.0;
        for (int64_t j = k; j < count; j++) sum += values[j];
        assert_close(f.rows[k].chi_square, n * sum, 1e-9);
        assert_close(f.rows[k].freedom, (4 - k) * (5 - k), 0.0);
        assert_close(f.rows[k].eigenvalue, values[k], 1e-10);
        if (k < 3) assert_close(f.rows[k].gap, values[k] - values[k + 1], 1e-10);
    }
    assert_int_equal(f.choice.available, 4);
    ald_model_free(all);
    ald_settings_free(settings);
    ald_context_free(context);
    const found ridge =
        find("sir", "n_slices=6 ridge=0.1", &view, &y, (ald_dimension_options){.max_dims = 2});
    assert_true(isnan(ridge.rows[0].chi_square_p) && ridge.choice.by_chi_square == -1);
    assert_non_null(strstr(ridge.choice.chi_square, "ridge"));
    free(x);
    free(t);
}

/* Bytes of all numbers with one thread and with several; and p-values that a fixed seed gives are those of
 * any storage.
 */
static void threads_and_storages_agree(void **state)
{
    (void)state;
    static const char *const methods[] = {"sir", "pls", "kpls"};
    enum { n = 60, d = 5 };
    double *x = support_normals(14, n * d), *t = support_normals(15, n);
    ald_error error;
    for (int i = 0; i < n * d; i++) x[i] = (double)(float)x[i];
    for (int i = 0; i < n; i++) t[i] += x[i * d] + x[i * d + 1] * x[i * d + 1];
    const ald_target y = ald_target_real(ald_matrix_row_major(t, n, 1, 1));
    const ald_dimension_options options = {.permutations = 29, .max_dims = 3, .every = 1, .seed = 5};
    for (size_t m = 0; m < 3; m++) {
        found one, other;
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        const ald_matrix view = ald_matrix_row_major(x, n, d, d);
        assert_done(look(1, methods[m], "", &view, &y, options, &one, &error), error);
        assert_done(look(4, methods[m], "", &view, &y, options, &other, &error), error);
        assert_memory_equal(&one, &other, sizeof one);
        for (int which = 0; which < support_storage_count; which++) {
            support_matrix s = support_storage(which, x, n, d);
            assert_done(look(2, methods[m], "", &s.view, &y, options, &other, &error), error);
            for (int k = 0; k < one.count; k++)
                assert_close(other.rows[k].permutation_p, one.rows[k].permutation_p, 1e-12);
            support_storage_free(&s);
        }
    }
    free(x);
    free(t);
}

/* Rows scaled by their lengths first or by the settings; whole weights on a target. */
static void row_scaling_is_done_once(void **state)
{
    (void)state;
    enum { n = 70, d = 4 };
    double *x = support_normals(24, n * d), *t = support_normals(25, n), *unit = malloc(n * d * sizeof *unit);
    for (int i = 0; i < n; i++) {
        double length = 0.0;
        for (int j = 0; j < d; j++) length += x[i * d + j] * x[i * d + j];
        for (int j = 0; j < d; j++) unit[i * d + j] = x[i * d + j] / sqrt(length);
        t[i] = 0.3 * t[i] + unit[i * d] + unit[i * d + 1] * unit[i * d + 1];
    }
    const ald_matrix raw = ald_matrix_row_major(x, n, d, d), ready = ald_matrix_row_major(unit, n, d, d);
    const ald_target y = ald_target_real(ald_matrix_row_major(t, n, 1, 1));
    const ald_dimension_options options = {.permutations = 39, .max_dims = 3, .every = 1};
    const found a = find("sir", "row_scale=unit", &raw, &y, options),
                b = find("sir", "", &ready, &y, options);
    for (int k = 0; k < 3; k++) {
        assert_close(a.rows[k].statistic, b.rows[k].statistic, 1e-10);
        assert_close(a.rows[k].permutation_p, b.rows[k].permutation_p, 1e-12);
    }
    free(x);
    free(t);
    free(unit);
}

static int stop_soon(void *user, const char *stage, double done)
{
    int *calls = user;
    assert_true(done >= 0.0 && done <= 1.0 && *stage);
    return ++*calls > 20;
}

static void edges_are_told(void **state)
{
    (void)state;
    enum { n = 40, d = 3 };
    double *x = support_normals(34, n * d);
    double constant[n];
    int32_t classes[n];
    ald_error error;
    found f;
    for (int i = 0; i < n; i++) {
        constant[i] = 4.0;
        classes[i] = i % 3;
        x[i * d + i % 3] += 2.0;
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target flat = ald_target_real(ald_matrix_row_major(constant, n, 1, 1)),
                     y = ald_target_classes(classes, n, 3);
    const ald_target none = {.rows = n};
    assert_int_equal(look(1, "pls", "", &view, &flat, (ald_dimension_options){0}, &f, &error),
                     ALD_ERROR_DATA);
    assert_int_equal(look(1, "pls", "", &view, &none, (ald_dimension_options){0}, &f, &error),
                     ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "`target`"));
    assert_int_equal(look(1, "lda", "", &view, &y, (ald_dimension_options){.permutations = 5}, &f, &error),
                     ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "19 or more"));
    assert_int_equal(look(1, "lda", "", &view, &y, (ald_dimension_options){.level = 1.5}, &f, &error),
                     ALD_ERROR_ARGUMENT);
    assert_int_equal(look(1, "lda", "", &view, &y, (ald_dimension_options){.max_dims = -2}, &f, &error),
                     ALD_ERROR_ARGUMENT);
    /* More asked for than there are: what there is. */
    f = find("lda", "", &view, &y, (ald_dimension_options){.max_dims = 9, .permutations = 19});
    assert_int_equal(f.count, 2);
    assert_int_equal(f.choice.available, 2);
    assert_int_equal(f.choice.by_permutation, 2);
    ald_context *context;
    int calls = 0;
    const ald_options options = {
        .size = sizeof options,
        .threads = 2,
        .progress = stop_soon,
        .progress_user = &calls,
    };
    assert_done(ald_context_new(&options, &context, &error), error);
    ald_settings *settings = support_settings(context, "lda", "");
    const ald_dimension_options many = {.size = sizeof many, .permutations = 10000};
    assert_int_equal(
        ald_dimension(context, settings, &view, &y, &many, f.rows, most, &f.count, &f.choice, &error),
        ALD_ERROR_CANCELLED);
    ald_settings_free(settings);
    ald_context_free(context);
    free(x);
}

/* Known values, falling, rising and with a change of sign. */
static void gaps_are_found(void **state)
{
    (void)state;
    support_sample s = support_sample_make(80, 6, 3);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    static const char *const methods[] = {"pca", "contour", "phd"};
    ald_eigengap_result gap = ALD_EIGENGAP_RESULT_INIT;
    for (int m = 0; m < 3; m++) {
        const ald_target one = ald_target_real(ald_matrix_row_major(s.responses, s.n, 1, 3));
        ald_model *model = support_fit(methods[m], "n_components=5", &s.view, &one);
        const double *v = support_reals(model, "eigenvalues", NULL);
        assert_int_equal(ald_model_eigengap(model, &gap), 1);
        assert_int_equal(gap.count, 5);
        for (int k = 0; k < 4; k++) {
            const double a = fabs(v[k]), b = fabs(v[k + 1]);
            assert_true(fabs(a - b) <= gap.gap && fmax(a, b) / fmin(a, b) <= gap.ratio * (1.0 + 1e-14));
        }
        assert_close(fabs(fabs(v[gap.by_gap - 1]) - fabs(v[gap.by_gap])), gap.gap, 0.0);
        ald_model_free(model);
    }
    ald_model *model = support_fit("pls", "n_components=2", &s.view, &y);
    assert_int_equal(ald_model_eigengap(model, &gap), 0);
    ald_model_free(model);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_numbers_are_found),
        cmocka_unit_test(levels_hold),
        cmocka_unit_test(chi_square_is_uniform),
        cmocka_unit_test(chi_square_is_as_defined),
        cmocka_unit_test(threads_and_storages_agree),
        cmocka_unit_test(row_scaling_is_done_once),
        cmocka_unit_test(edges_are_told),
        cmocka_unit_test(gaps_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
