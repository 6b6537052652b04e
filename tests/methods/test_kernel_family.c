/* Kernel methods: identities between them and the linear ones, between routes, and between the ways to give a
 * kernel.
 */
#include "kernel_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void linear_kernel_is_the_linear_method(void **state)
{
    const fixture *f = *state;
    assert_alike(f, ALD_TARGET_CLASSES, "kpca", "kernel=linear", "pca", "", 1e-10);
    for (int kind = ALD_TARGET_CLASSES; kind <= ALD_TARGET_LABELS; kind++)
        assert_alike(f, (ald_target_kind)kind, "kspca", "kernel=linear", "spca", "", 1e-8);
    assert_alike(f, ALD_TARGET_CLASSES, "kspca", "kernel=linear response_kernel=delta", "spca",
                 "response_kernel=delta", 1e-8);
}

/* Scores of pls to unit length are those of kpls, for training rows and, with the same factor, for others. */
static void linear_kpls_is_pls(void **state)
{
    const fixture *f = *state;
    for (int kind = ALD_TARGET_CLASSES; kind <= ALD_TARGET_LABELS; kind++) {
        const ald_target y = support_sample_target(&f->train, (ald_target_kind)kind);
        double a[all_rows], b[all_rows], gram[4];
        ald_model *pls = support_fit("pls", "", &f->train.view, &y),
                  *kpls = support_fit("kpls", "kernel=linear", &f->train.view, &y);
        project_all(f, pls, a);
        project_all(f, kpls, b);
        for (int k = 0; k < 2; k++) {
            double square = 0.0;
            for (int i = 0; i < n; i++) square += a[i * 2 + k] * a[i * 2 + k];
            for (int i = 0; i < n + fresh; i++) a[i * 2 + k] /= sqrt(square);
        }
        assert_same_scores(a, b, n + fresh, 1e-9);
        support_multiply(1, 0, 2, 2, n, b, b, gram);
        for (int i = 0; i < 4; i++) assert_close(gram[i], i % 3 == 0, 1e-8);
        ald_model_free(pls);
        ald_model_free(kpls);
    }
}

/* Many components: the scores stay orthonormal. */
static void many_scores_stay_orthonormal(void **state)
{
    const fixture *f = *state;
    enum { many = 30 };
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_REAL);
    ald_model *model = support_fit("kpls", "n_components=30", &f->train.view, &y);
    double z[n * many], gram[many * many];
    transform(model, &f->train.view, z);
    support_multiply(1, 0, many, many, n, z, z, gram);
    for (int i = 0; i < many * many; i++) assert_close(gram[i], i % (many + 1) == 0, 1e-8);
    ald_model_free(model);
}

static void routes_of_kspca_agree(void **state)
{
    const fixture *f = *state;
    for (int kind = ALD_TARGET_CLASSES; kind <= ALD_TARGET_LABELS; kind++) {
        assert_alike(f, (ald_target_kind)kind, "kspca", "solver=direct", "kspca", "solver=dual", 1e-7);
        assert_alike(f, (ald_target_kind)kind, "kspca", "solver=direct", "kspca", "solver=lanczos tol=1e-13",
                     1e-7);
    }
    assert_alike(f, ALD_TARGET_REAL, "kspca", "response_kernel=identity", "kpca", "", 1e-9);
}

/* kplssb and kspca with a linear L have the same first direction, up to its length. */
static void first_directions_coincide(void **state)
{
    const fixture *f = *state;
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_REAL);
    double a[all_rows], b[all_rows];
    ald_model *kspca = support_fit("kspca", "response_kernel=linear", &f->train.view, &y),
              *kplssb = support_fit("kplssb", "n_components=1", &f->train.view, &y);
    project_all(f, kspca, a);
    transform(kplssb, &f->train.view, b);
    transform(kplssb, &f->more.view, b + n);
    const double factor = a[0] / b[0];
    for (int i = 0; i < n + fresh; i++) assert_close(a[i * 2], factor * b[i], 1e-9 * fabs(factor));
    ald_model_free(kspca);
    ald_model_free(kplssb);
}

/* With the identity kplssb has kspca's eigenvalues, and its projection is kspca's times a 2 x 2 matrix. */
static void identity_gives_the_directions_of_kspca(void **state)
{
    const fixture *f = *state;
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_CLASSES);
    static const char *const exact = "response_kernel=linear+identity n_components=2";
    double a[all_rows], b[all_rows];
    ald_model *kspca = support_fit("kspca", "response_kernel=delta+identity", &f->train.view, &y),
              *kplssb = support_fit("kplssb", exact, &f->train.view, &y);
    ald_array u, v;
    assert_true(ald_model_array(kspca, "eigenvalues", &u) && ald_model_array(kplssb, "eigenvalues", &v));
    for (int k = 0; k < 2; k++) assert_close(((const double *)u.data)[k], ((const double *)v.data)[k], 1e-7);
    project_all(f, kspca, a);
    project_all(f, kplssb, b);
    /* b = a M with M 2 x 2 from the first two rows, for all rows and new ones. */
    const double det = a[0] * a[3] - a[1] * a[2];
    for (int i = 0; i < n + fresh; i++) {
        const double p = (a[2 * i] * a[3] - a[2 * i + 1] * a[2]) / det,
                     q = (a[2 * i + 1] * a[0] - a[2 * i] * a[1]) / det;
        for (int k = 0; k < 2; k++) assert_close(b[2 * i + k], p * b[k] + q * b[2 + k], 1e-6);
    }
    ald_model_free(kspca);
    ald_model_free(kplssb);
    assert_alike(f, ALD_TARGET_CLASSES, "kplssb", "response_kernel=linear+identity solver=direct", "kplssb",
                 "response_kernel=linear+identity solver=lanczos tol=1e-13", 1e-7);
    char whole[100];
    snprintf(whole, sizeof whole, "response_kernel=linear+identity landmarks=%d", n);
    assert_alike(f, ALD_TARGET_CLASSES, "kplssb", "response_kernel=linear+identity", "kplssb", whole, 1e-6);
}

static double square_distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int j = 0; j < d; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static double city_distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int j = 0; j < d; j++) sum += fabs(a[j] - b[j]);
    return sum;
}

static double linear(const double *a, const double *b)
{
    return inner(a, b);
}

static double rbf(const double *a, const double *b)
{
    return exp(-square_distance(a, b) / (2.0 * 25.0));
}

static double laplacian(const double *a, const double *b)
{
    return exp(-city_distance(a, b) / 5.0);
}

static double polynomial(const double *a, const double *b)
{
    return pow(0.5 + inner(a, b), 2.0);
}

static double cosine(const double *a, const double *b)
{
    return inner(a, b) / sqrt(inner(a, a) * inner(b, b));
}

static const struct {
    const char *set;
    double (*k)(const double *a, const double *b);
    int sparse;
} kernels[] = {
    {"kernel=linear", linear, 1},
    {"kernel=rbf kernel_width=5", rbf, 1},
    {"kernel=laplacian kernel_width=5", laplacian, 0},
    {"kernel=polynomial degree=2 coef0=0.5", polynomial, 1},
    {"kernel=cosine", cosine, 1},
};
enum { n_kernels = sizeof kernels / sizeof *kernels };

static void fill(double (*k)(const double *, const double *), int64_t rows, const double *x,
                 const double *train, double *out)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < n; j++) out[i * n + j] = k(x + i * d, train + j * d);
}

/* Each kernel, worked out entry by entry and given as a precomputed one, gives the same model as by its name;
 * of new rows too. */
static void kernels_are_as_defined(void **state)
{
    const fixture *f = *state;
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_CLASSES);
    static double train[n * n], more[fresh * n];
    const ald_matrix train_view = ald_matrix_row_major(train, n, n, n),
                     more_view = ald_matrix_row_major(more, fresh, n, n);
    for (int m = 0; m < n_methods; m++)
        for (int k = 0; k < n_kernels; k++) {
            double a[all_rows], b[all_rows];
            fill(kernels[k].k, n, f->train.x, f->train.x, train);
            fill(kernels[k].k, fresh, f->more.x, f->train.x, more);
            ald_model *named = support_fit(methods[m], kernels[k].set, &f->train.view, &y),
                      *given = support_fit(methods[m], "kernel=precomputed", &train_view, &y);
            project_all(f, named, a);
            transform(given, &train_view, b);
            transform(given, &more_view, b + n * 2);
            assert_same_scores(a, b, n + fresh, 1e-8);
            ald_model_free(named);
            ald_model_free(given);
        }
}

/* A model of one storage maps rows of every other; sparse landmarks stay sparse. */
static void storages_mix(void **state)
{
    const fixture *f = *state;
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_CLASSES);
    for (int k = 0; k < n_kernels; k++) {
        double want[fresh * 2], got[fresh * 2];
        ald_model *model = support_fit("kspca", kernels[k].set, &f->train.view, &y);
        transform(model, &f->more.view, want);
        ald_model_free(model);
        for (int from = 0; from < support_storage_count && kernels[k].sparse; from++) {
            support_matrix train = support_storage(from, f->train.x, n, d);
            ald_array array;
            model = support_fit("kspca", kernels[k].set, &train.view, &y);
            assert_int_equal(ald_model_array(model, "landmarks.indptr", &array),
                             train.view.storage != ALD_DENSE);
            for (int to = 0; to < support_storage_count; to++) {
                support_matrix more = support_storage(to, f->more.x, fresh, d);
                transform(model, &more.view, got);
                assert_same_scores(want, got, fresh, 1e-8);
                support_storage_free(&more);
            }
            ald_model_free(model);
            support_storage_free(&train);
        }
    }
}

/* A saved and loaded model maps alike, to the last bit. */
static void models_keep_their_map(void **state)
{
    const fixture *f = *state;
    static const char *const sets[] = {
        "kernel=rbf scale=minmax",
        "kernel=polynomial",
        "landmarks=30",
        "features=50 kernel_width=30 scale=minmax row_scale=unit",
    };
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_CLASSES);
    char path[] = "/tmp/ald-kernel-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int k = 0; k < 4; k++)
        for (int sparse = 0; sparse < 2; sparse++) {
            support_matrix x = support_storage(sparse ? support_storage_count - 1 : 0, f->train.x, n, d);
            double a[all_rows], b[all_rows];
            ald_context *context = support_context(1, NULL);
            ald_error error;
            ald_model *loaded, *model;
            ald_settings *settings = support_settings(context, "kspca", sets[k]);
            assert_done(ald_fit(context, settings, &x.view, &y, &model, &error), error);
            assert_done(ald_model_save(context, model, path, &error), error);
            assert_done(ald_model_load(context, path, &loaded, &error), error);
            project_all(f, model, a);
            project_all(f, loaded, b);
            assert_memory_equal(a, b, sizeof a);
            ald_model_free(loaded);
            ald_model_free(model);
            ald_settings_free(settings);
            ald_context_free(context);
            support_storage_free(&x);
        }
    unlink(path);
}

static void project(const ald_model *model, const ald_matrix *x, double *z)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    assert_done(ald_transform(context, model, x, z, &error), error);
    ald_context_free(context);
}

/* A width that is found gives the model of the same width given, to the last bit, also where the distances
 * that it is found by serve for the kernel. */
static void found_widths_are_given_widths(void **state)
{
    enum { rows = 60, wide = 150 };
    (void)state;
    double *cells = support_normals(8, rows * wide);
    double a[2 * rows], b[2 * rows];
    int32_t classes[rows];
    for (int i = 0; i < rows; i++) classes[i] = (cells[i * wide] > 0.0) + 2 * (cells[i * wide + 1] > 0.0);
    const ald_target y = ald_target_classes(classes, rows, 4);
    for (int k = 0; k < 4; k++)
        for (int m = 0; m < n_methods; m++) {
            support_matrix x =
                support_storage(k % 2 ? support_storage_count - 1 : 0, cells, rows, k < 2 ? wide : d);
            char set[64];
            ald_model *found = support_fit(methods[m], "n_components=2", &x.view, &y);
            snprintf(set, sizeof set, "n_components=2 kernel_width=%.17g",
                     support_resolved(found, "kernel_width"));
            ald_model *given = support_fit(methods[m], set, &x.view, &y);
            project(found, &x.view, a);
            project(given, &x.view, b);
            assert_memory_equal(a, b, sizeof a);
            ald_model_free(found);
            ald_model_free(given);
            support_storage_free(&x);
        }
    free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_kernel_is_the_linear_method),
        cmocka_unit_test(linear_kpls_is_pls),
        cmocka_unit_test(many_scores_stay_orthonormal),
        cmocka_unit_test(routes_of_kspca_agree),
        cmocka_unit_test(first_directions_coincide),
        cmocka_unit_test(identity_gives_the_directions_of_kspca),
        cmocka_unit_test(kernels_are_as_defined),
        cmocka_unit_test(storages_mix),
        cmocka_unit_test(models_keep_their_map),
        cmocka_unit_test(found_widths_are_given_widths),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
