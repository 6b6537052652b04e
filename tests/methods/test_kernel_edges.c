/* Kernel methods on input that they cannot take, or only with a warning. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 30, d = 4 };

typedef struct fixture {
    support_sample sample;
    ald_target y;
} fixture;

static int set_up(void **state)
{
    fixture *f = malloc(sizeof *f);
    f->sample = support_sample_make(n, d, 3);
    f->y = support_sample_target(&f->sample, ALD_TARGET_CLASSES);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    support_sample_free(&f->sample);
    free(f);
    return 0;
}

static void refuse_value(const char *name, const char *value, const char *part)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "kspca", "");
    ald_error error;
    assert_int_equal(ald_settings_set_text(settings, name, value, &error), ALD_ERROR_ARGUMENT);
    if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
    ald_settings_free(settings);
    ald_context_free(context);
}

static void widths_are_checked(void **state)
{
    (void)state;
    refuse_value("kernel_width", "-1", "at least 0");
    refuse_value("kernel_width", "inf", "kernel_width");
    refuse_value("kernel_width", "nan", "kernel_width");
    refuse_value("kernel", "gauss", "linear, rbf, laplacian, polynomial, cosine, precomputed");
    refuse_value("degree", "2.5", "whole number");
}

/* (x'y + 1e100)^3 is a number, its products are not, and rounding decides what comes of it: no model, or one
 * of numbers, which can be read again. */
static void results_are_finite(void **state)
{
    static const char *const sets[] = {
        "coef0=1e90", "coef0=1e98", "coef0=1e99", "coef0=1e100", "coef0=1e101",
    };
    const fixture *f = *state;
    ald_context *context = support_context(1, NULL);
    int refused = 0;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        for (int64_t column = 0; column < 3; column++) {
            const ald_target y = ald_target_real(ald_matrix_row_major(f->sample.responses + column, n, 1, 3));
            ald_settings *settings = support_settings(context, "kplssb", sets[k]);
            ald_model *model;
            ald_error error;
            int64_t rows;
            assert_done(ald_settings_set_text(settings, "kernel", "polynomial", &error), error);
            assert_done(ald_settings_set_text(settings, "n_components", "1", &error), error);
            if (ald_fit(context, settings, &f->sample.view, &y, &model, &error) < 0) {
                refused += strstr(error.message, "not finite") != NULL;
            } else {
                const double *values = support_reals(model, "coefficients", &rows);
                for (int64_t i = 0; i < rows; i++) assert_true(isfinite(values[i]));
            }
            ald_model_free(model);
            ald_settings_free(settings);
        }
    print_message("%d results that are not finite\n", refused);
    ald_context_free(context);
}

static void equal_rows_have_no_width(void **state)
{
    const fixture *f = *state;
    static double same[n * d];
    const ald_matrix x = ald_matrix_row_major(same, n, d, d);
    for (int i = 0; i < n * d; i++) same[i] = 1.0 + i % d;
    support_refused("kspca", "", &x, &f->y, "`kernel_width`");
    support_refused("kpca", "kernel=laplacian", &x, &f->y, "`kernel_width`");
    support_refused("kpca", "kernel_width=1", &x, &f->y, "has no component");
    support_refused("kspca", "kernel_width=1", &x, &f->y, "");
    support_refused("kcca", "kernel_width=1", &x, &f->y, "");
    support_refused("kpls", "kernel_width=1", &x, &f->y, "");
    support_refused("kplssb", "kernel_width=1", &x, &f->y, "");
    support_refused("kfda", "kernel_width=1", &x, &f->y, "");
}

static void what_does_not_go_together_is_refused(void **state)
{
    const fixture *f = *state;
    const ald_matrix *x = &f->sample.view;
    support_refused("kpca", "landmarks=5 features=5", x, &f->y, "cannot be combined");
    support_refused("kpca", "features=5 kernel=polynomial", x, &f->y, "use landmarks instead");
    support_refused("kspca", "landmarks=5 solver=direct", x, &f->y, "leave it at auto");
    support_refused("kcca", "n_components=3", x, &f->y, "2 components");
    support_refused("kfda", "n_components=3", x, &f->y, "2 components");
    support_refused("kspca", "n_components=3 response_kernel=delta", x, &f->y, "delta+identity has more");
    support_refused("kpca", "n_components=30", x, &f->y, "29 components");
    support_refused("kpca", "n_components=4 kernel=linear landmarks=3", x, &f->y, "3 components");
    support_refused("kpca", "n_components=0", x, &f->y, "`n_components`");
    support_refused("kpls", "n_components=5 kernel=linear", x, &f->y, "component");
}

static void precomputed_kernels_are_checked(void **state)
{
    const fixture *f = *state;
    static double k[n * n];
    const ald_matrix square = ald_matrix_row_major(k, n, n, n), wide = ald_matrix_row_major(k, n, n - 1, n);
    support_multiply(0, 1, n, n, d, f->sample.x, f->sample.x, k);
    support_refused("kpca", "kernel=precomputed", &wide, &f->y, "30 rows need 30 columns, not 29");
    support_refused("kpca", "kernel=precomputed scale=standard", &square, &f->y, "leave `scale`");
    support_refused("kpca", "kernel=precomputed landmarks=5", &square, &f->y,
                    "neither landmarks nor features");
    k[2] += 0.5;
    support_refused("kpca", "kernel=precomputed", &square, &f->y, "entries (1, 3) and (3, 1)");
    k[2] -= 0.5;
    ald_model *model = support_fit("kpca", "kernel=precomputed", &square, &f->y);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double z[n * 2];
    assert_int_equal(ald_transform(context, model, &wide, z, &error), ALD_ERROR_DATA);
    assert_non_null(strstr(error.message, "29 columns, but the model was fitted on 30"));
    ald_context_free(context);
    ald_model_free(model);
}

static void indefinite_kernels_have_a_warning(void **state)
{
    const fixture *f = *state;
    static double k[n * n];
    const ald_matrix square = ald_matrix_row_major(k, n, n, n);
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "kpca", "kernel=precomputed");
    ald_model *model;
    ald_error error;
    support_multiply(0, 1, n, n, d, f->sample.x, f->sample.x, k);
    assert_int_equal(ald_fit(context, settings, &square, NULL, &model, &error), ALD_OK);
    ald_model_free(model);
    for (int i = 0; i < n; i++) k[i * n + i] -= 1.0;
    assert_int_equal(ald_fit(context, settings, &square, NULL, &model, &error), ALD_RANK_REDUCED);
    assert_non_null(strstr(error.message, "not positive semidefinite"));
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
}

/* Two million rows, 32000 GB. */
static void too_many_rows_are_told_what_to_do(void **state)
{
    (void)state;
    enum { many = 2000000 };
    double *x = support_normals(1, many);
    int32_t *classes = malloc(many * sizeof *classes);
    for (int i = 0; i < many; i++) classes[i] = x[i] > 0.0;
    const ald_matrix view = ald_matrix_row_major(x, many, 1, 1);
    const ald_target y = ald_target_classes(classes, many, 2);
    support_refused("kpca", "kernel_width=1", &view, &y, "would take 6.4e+04 GB");
    support_refused("kcca", "kernel_width=1 n_components=1", &view, &y, "`landmarks=1000`");
    support_refused("kfda", "kernel_width=1 n_components=1", &view, &y, "`landmarks=1000`");
    free(x);
    free(classes);
}

static void sparse_rows_have_their_limits(void **state)
{
    const fixture *f = *state;
    const int64_t pointers[] = {0, 1, 2, 3}, indices[] = {0, 1, 1};
    const double values[] = {1.0, 2.0, 3.0};
    const int32_t classes[] = {0, 1, 1};
    const ald_matrix x = ald_matrix_csr(3, 2, pointers, indices, values);
    const ald_target y = ald_target_classes(classes, 3, 2);
    (void)f;
    support_refused("kpca", "kernel=laplacian n_components=1", &x, &y, "use `kernel=rbf`");
    support_refused("kpca", "kernel=precomputed n_components=1", &x, &y, "dense rows");
    support_refused("kpca", "landmarks=2 landmark_choice=kmeans n_components=1", &x, &y, "use uniform");
    ald_model_free(support_fit("kpca", "kernel=rbf n_components=2", &x, &y));
}

/* Far from the origin the rbf kernel keeps its digits, since rows are moved to their centre first. */
static void a_large_mean_costs_no_digits(void **state)
{
    const fixture *f = *state;
    static double far[n * d];
    const ald_matrix x = ald_matrix_row_major(far, n, d, d);
    for (int i = 0; i < n * d; i++) far[i] = f->sample.x[i] + 1048576.0; /* exact: floats below 2^20 2^-32 */
    ald_model *near = support_fit("kpca", "", &f->sample.view, &f->y),
              *moved = support_fit("kpca", "", &x, &f->y);
    double z[n * 2], z_far[n * 2];
    ald_context *context = support_context(1, NULL);
    ald_error error;
    assert_done(ald_transform(context, near, &f->sample.view, z, &error), error);
    assert_done(ald_transform(context, moved, &x, z_far, &error), error);
    assert_below(support_largest_difference(n * 2, z, z_far), 1e-7);
    ald_context_free(context);
    ald_model_free(near);
    ald_model_free(moved);
}

/* Above 5000 rows kplssb makes the kernel twice instead of storing it. With one direction the projection of
 * the training rows is t itself, of unit length. */
static void unstored_kernels_give_the_same(void **state)
{
    (void)state;
    enum { many = 5100 };
    double *x = support_normals(1, many), *z = malloc(many * sizeof *z);
    double square = 0.0, sum = 0.0;
    int32_t *classes = malloc(many * sizeof *classes);
    for (int i = 0; i < many; i++) classes[i] = fabs(x[i]) > 1.0;
    const ald_matrix view = ald_matrix_row_major(x, many, 1, 1);
    const ald_target y = ald_target_classes(classes, many, 2);
    ald_model *model = support_fit("kplssb", "n_components=1 kernel_width=1", &view, &y);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    assert_done(ald_transform(context, model, &view, z, &error), error);
    for (int i = 0; i < many; i++) {
        square += z[i] * z[i];
        sum += z[i];
    }
    assert_close(square, 1.0, 1e-9);
    assert_close(sum, 0.0, 1e-9);
    ald_context_free(context);
    ald_model_free(model);
    free(x);
    free(z);
    free(classes);
}

static char *read_file(const char *path, long *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size);
    assert_int_equal(fread(bytes, 1, (size_t)*size, file), (size_t)*size);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const char *bytes, long size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(bytes, 1, (size_t)size, file);
    fclose(file);
}

/* Loads, and maps rows where that went well. Whatever comes of it, nothing but an error or numbers. */
static int survives(ald_context *context, const char *path, const ald_matrix *x)
{
    static double z[64];
    ald_error error;
    ald_model *model;
    if (ald_model_load(context, path, &model, &error) < 0) return 0;
    const int mapped = ald_model_component_count(model) <= 8 && ald_model_feature_count(model) == x->cols &&
                       ald_transform(context, model, x, z, &error) >= 0;
    ald_model_free(model);
    return mapped;
}

/* Every byte of small models of each map is damaged once. */
static void damaged_models_are_survived(void **state)
{
    (void)state;
    enum { rows = 6, cols = 2 };
    static const char *const sets[] = {"kernel=polynomial", "kernel=rbf", "features=3 kernel_width=9"};
    static const int64_t pointers[] = {0, 1, 2, 4, 5, 6, 8}, indices[] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const double values[] = {1, 2, 3, 4, -5, 6, 7, 9};
    static const int32_t classes[] = {0, 1, 1, 0, 0, 1};
    const ald_matrix x = ald_matrix_csr(rows, cols, pointers, indices, values);
    const ald_target y = ald_target_classes(classes, rows, 2);
    char path[] = "/tmp/ald-damage-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    ald_context *context = support_context(1, NULL);
    for (int k = 0; k < 3; k++) {
        ald_error error;
        ald_model *model;
        long size;
        int mapped = 0;
        ald_settings *settings = support_settings(context, "kpca", sets[k]);
        assert_done(ald_fit(context, settings, &x, &y, &model, &error), error);
        assert_done(ald_model_save(context, model, path, &error), error);
        char *bytes = read_file(path, &size);
        assert_true(survives(context, path, &x));
        for (long at = 0; at < size; at++) {
            bytes[at] ^= (char)(at % 3 ? 0x81 : 0x01);
            write_file(path, bytes, size);
            mapped += survives(context, path, &x);
            bytes[at] ^= (char)(at % 3 ? 0x81 : 0x01);
        }
        assert_true(mapped < size);
        free(bytes);
        ald_model_free(model);
        ald_settings_free(settings);
    }
    ald_context_free(context);
    unlink(path);
}

/* A constant so far above the products of rows that the kernel does not vary: no model of zeros. */
static void a_constant_above_all_is_refused(void **state)
{
    (void)state;
    static const char *const methods[] = {"kspca", "kpca", "kpls", "kfda"};
    double x[40 * 3];
    int32_t classes[40];
    ald_random random;
    ald_random_seed(&random, 2, 1);
    for (int i = 0; i < 40 * 3; i++) x[i] = ald_random_normal(&random) + (i / 3) % 2;
    for (int i = 0; i < 40; i++) classes[i] = i % 2;
    const ald_matrix view = ald_matrix_row_major(x, 40, 3, 3);
    const ald_target y = ald_target_classes(classes, 40, 2);
    ald_context *context = support_context(1, NULL);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int landmarks = 0; landmarks <= 10; landmarks += 10)
            for (int k = 0; k < 3; k++) {
                static const char *const constants[] = {"1", "1e100", "1e200"};
                static const char *const said[] = {"", "coef0 = 1e+100 is so much larger", "lower `coef0`"};
                char set[120];
                snprintf(set, sizeof set, "n_components=1 kernel=polynomial coef0=%s landmarks=%d",
                         constants[k], landmarks);
                ald_settings *settings = support_settings(context, methods[m], set);
                ald_model *model;
                ald_error error;
                const ald_status status = ald_fit(context, settings, &view, &y, &model, &error);
                if (k == 0 ? status < 0 : status != ALD_ERROR_DATA || !strstr(error.message, said[k]))
                    fail_msg("%s %s: %s", methods[m], set, error.message);
                ald_model_free(model);
                ald_settings_free(settings);
            }
    ald_context_free(context);
}

/* A kernel makes a number of anything: new rows are looked through first. */
static void new_rows_are_finite(void **state)
{
    const fixture *f = *state;
    static const char *const settings[] = {"n_components=1", "n_components=1 features=20"};
    for (int k = 0; k < 2; k++) {
        ald_context *context = support_context(1, NULL);
        ald_settings *chosen = support_settings(context, "kpca", settings[k]);
        ald_model *model;
        ald_error error;
        double z[1], x[d] = {0.1, NAN, 0.3, 0.4};
        const ald_matrix row = ald_matrix_row_major(x, 1, d, d);
        assert_done(ald_fit(context, chosen, &f->sample.view, &f->y, &model, &error), error);
        assert_int_equal(ald_transform(context, model, &row, z, &error), ALD_ERROR_DATA);
        assert_non_null(strstr(error.message, "X: row 1, column 2 is not a finite number"));
        x[1] = INFINITY;
        assert_int_equal(ald_transform(context, model, &row, z, &error), ALD_ERROR_DATA);
        ald_model_free(model);
        ald_settings_free(chosen);
        ald_context_free(context);
    }
}

static void assert_eigenvalues(const char *set, const ald_matrix *x, int count, const double *want)
{
    ald_model *model = support_fit("kpca", set, x, NULL);
    const double *found = support_reals(model, "eigenvalues", NULL);
    for (int k = 0; k < count; k++) assert_close(found[k], want[k], 1e-11 * want[0]);
    ald_model_free(model);
}

/* Rows of much symmetry have kernels of known eigenvalues, each several times: the corners of a cube of eight
 * dimensions (1 + q)^(8 - j) (1 - q)^j, as often as there are j of eight, a ring of rows those of a circulant
 * matrix, in pairs. Centring takes the constant vector away. */
static void copies_of_eigenvalues_are_all_found(void **state)
{
    (void)state;
    enum { bits = 8, corners = 1 << bits, around = 517 };
    static double cube[corners * bits], ring[around * 2];
    const double cube_width = 0.4, ring_width = 0.05, q = exp(-0.5 / (cube_width * cube_width));
    double want[bits + 1], pairs[4] = {0.0};
    for (int i = 0; i < corners; i++)
        for (int j = 0; j < bits; j++) cube[i * bits + j] = i >> j & 1;
    for (int k = 0; k < bits; k++) want[k] = pow(1.0 + q, bits - 1) * (1.0 - q);
    want[bits] = pow(1.0 + q, bits - 2) * pow(1.0 - q, 2);
    const ald_matrix corner_view = ald_matrix_row_major(cube, corners, bits, bits);
    assert_eigenvalues("kernel_width=0.4 n_components=9", &corner_view, bits + 1, want);
    for (int i = 0; i < around; i++) {
        const double turn = 2.0 * acos(-1.0) * i / around, chord = 2.0 * sin(turn / 2.0);
        ring[2 * i] = cos(turn);
        ring[2 * i + 1] = sin(turn);
        for (int k = 0; k < 4; k++)
            pairs[k] += exp(-0.5 * chord * chord / (ring_width * ring_width)) * cos(turn * (1 + k / 2));
    }
    const ald_matrix ring_view = ald_matrix_row_major(ring, around, 2, 2);
    assert_eigenvalues("kernel_width=0.05 n_components=4", &ring_view, 4, pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_are_checked),
        cmocka_unit_test(results_are_finite),
        cmocka_unit_test(equal_rows_have_no_width),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(precomputed_kernels_are_checked),
        cmocka_unit_test(indefinite_kernels_have_a_warning),
        cmocka_unit_test(too_many_rows_are_told_what_to_do),
        cmocka_unit_test(sparse_rows_have_their_limits),
        cmocka_unit_test(a_large_mean_costs_no_digits),
        cmocka_unit_test(unstored_kernels_give_the_same),
        cmocka_unit_test(damaged_models_are_survived),
        cmocka_unit_test(a_constant_above_all_is_refused),
        cmocka_unit_test(new_rows_are_finite),
        cmocka_unit_test(copies_of_eigenvalues_are_all_found),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
