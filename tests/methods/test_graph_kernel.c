/* kspca with kernels of the graph of the rows: known answers, what they unfold, and what they cannot do. */
#include "support/fitting.h"
#include "support/storages.h"

#include "methods/engines/graph_kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double rank_among(int64_t n, const double *a, int64_t step, int64_t i)
{
    double below = 0.0;
    for (int64_t j = 0; j < n; j++) below += a[j * step] < a[i * step];
    return below;
}

/* Spearman's: 1 or -1 for any monotone dependence; no ties. */
static double rank_correlation(int64_t n, const double *a, int64_t step, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += pow(rank_among(n, a, step, i) - rank_among(n, b, 1, i), 2.0);
    return 1.0 - 6.0 * sum / (double)(n * (n * n - 1));
}

/* A spiral with its arc as the response; two columns and one of noise. */
enum { turns = 200 };
typedef struct spiral {
    double x[turns * 3], y[turns];
    ald_matrix view;
    ald_target target;
} spiral;

static void make_spiral(spiral *s)
{
    ald_random random;
    ald_random_seed(&random, 6, 0);
    for (int i = 0; i < turns; i++) {
        /* Near the length of the arc, so that rows are evenly spread along it. */
        s->y[i] = 4.0 + 100.0 * ald_random_uniform(&random);
        const double angle = sqrt(2.0 * s->y[i]);
        s->x[i * 3] = angle * cos(angle);
        s->x[i * 3 + 1] = angle * sin(angle);
        s->x[i * 3 + 2] = 0.1 * ald_random_normal(&random);
    }
    s->view = ald_matrix_row_major(s->x, turns, 3, 3);
    s->target = ald_target_real(ald_matrix_row_major(s->y, turns, 1, 1));
}

/* The first coordinate follows the arc, which no linear direction does. */
static void a_spiral_unrolls(void **state)
{
    (void)state;
    static const double least[] = {0.999, 0.95, 0.99};
    static spiral s;
    make_spiral(&s);
    for (int k = 0; ald_graph_kernels[k]; k++) {
        char set[128];
        snprintf(set, sizeof set, "n_components=2 n_neighbors=6 kernel=%s", ald_graph_kernels[k]);
        ald_model *model = support_fit("kspca", set, &s.view, &s.target);
        const double found = fabs(rank_correlation(turns, support_reals(model, "embedding", NULL), 2, s.y));
        print_message("spiral, %s: rank correlation with the arc %.4f\n", ald_graph_kernels[k], found);
        assert_true(found > least[k]);
        assert_string_equal(ald_model_text(model, "alidade.map"), "none");
        ald_model_free(model);
    }
    ald_model *linear = support_fit("spca", "n_components=1", &s.view, &s.target);
    ald_context *context = support_context(1, NULL);
    double z[turns];
    ald_error error;
    assert_done(ald_transform(context, linear, &s.view, z, &error), error);
    assert_below(fabs(rank_correlation(turns, z, 1, s.y)), 0.7);
    ald_model_free(linear);
    ald_context_free(context);
}

/* Along a line paths are distances, so that isomap is pca and its supervised form spca. */
static void isomap_of_a_line_is_spca(void **state)
{
    (void)state;
    enum { n = 50 };
    double x[n * 2], y[n], z[n];
    ald_random random;
    ald_random_seed(&random, 9, 0);
    for (int i = 0; i < n; i++) {
        y[i] = ald_random_normal(&random);
        x[i * 2] = 3.0 * y[i] + 1.0;
        x[i * 2 + 1] = 4.0 * y[i] - 2.0;
    }
    const ald_matrix view = ald_matrix_row_major(x, n, 2, 2);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_model *model = support_fit("kspca", "n_components=1 kernel=isomap n_neighbors=3", &view, &target);
    ald_model *linear = support_fit("spca", "n_components=1", &view, &target);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    assert_done(ald_transform(context, linear, &view, z, &error), error);
    const double *got = support_reals(model, "embedding", NULL);
    const double sign = got[0] * z[0] > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < n; i++) assert_close(got[i], sign * z[i], 1e-10);
    assert_close(support_reals(model, "eigenvalues", NULL)[0], support_reals(linear, "eigenvalues", NULL)[0],
                 1e-8);
    ald_model_free(model);
    ald_model_free(linear);
    ald_context_free(context);
}

/* Rows 0, 1, .. n - 1 with their neighbours on both sides, all weights alike: the Laplacian of a path, whose
 * eigenvectors are cosines and eigenvalues 2 w (1 - cos(pi k / n)). */
static void eigenmaps_of_a_path_are_cosines(void **state)
{
    (void)state;
    enum { n = 40 };
    double x[n], want[n];
    for (int i = 0; i < n; i++) x[i] = i;
    const ald_matrix view = ald_matrix_row_major(x, n, 1, 1);
    const ald_target target = ald_target_real(view);
    ald_model *model = support_fit("kspca",
                                   "n_components=2 kernel=laplacian-eigenmaps graph=epsilon radius=1.5 "
                                   "response_kernel=identity kernel_width=1",
                                   &view, &target);
    const double *values = support_reals(model, "eigenvalues", NULL),
                 *z = support_reals(model, "embedding", NULL);
    for (int k = 1; k <= 2; k++) {
        const double inverse = 1.0 / (2.0 * exp(-0.5) * (1.0 - cos(acos(-1.0) * k / n)));
        assert_close(values[k - 1], inverse, 1e-9 * inverse);
        for (int i = 0; i < n; i++) want[i] = sqrt(2.0 * inverse / n) * cos(acos(-1.0) * k * (i + 0.5) / n);
        for (int i = 0; i < n; i++) assert_close(z[i * 2 + k - 1], want[i], 1e-9 * sqrt(inverse));
    }
    ald_model_free(model);
}

/* Sparse rows, both orders of storage, one thread and two, every scaling: the same embedding. */
static void storage_and_threads_do_not_matter(void **state)
{
    (void)state;
    enum { n = 60, d = 5 };
    support_sample s = support_sample_make(n, d, 12);
    for (int i = 0; i < n * d; i++) s.x[i] = (double)(float)s.x[i];
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    static const double tolerances[] = {1e-9, 1e-6, 1e-9}; /* M of lle has a condition of up to 1e9 */
    static const char *const more[] = {"", "scale=standard", "scale=minmax row_scale=unit"};
    for (int k = 0; ald_graph_kernels[k]; k++)
        for (int m = 0; m < 3; m++) {
            char set[128];
            snprintf(set, sizeof set, "n_components=2 kernel=%s %s", ald_graph_kernels[k], more[m]);
            ald_model *first = support_fit("kspca", set, &s.view, &y);
            const double *want = support_reals(first, "embedding", NULL);
            for (int which = 0; which < support_storage_count; which++)
                for (int threads = 1; threads <= 2; threads++) {
                    support_matrix x = support_storage(which, s.x, n, d);
                    ald_context *context = support_context(threads, NULL);
                    ald_settings *settings = support_settings(context, "kspca", set);
                    ald_model *other;
                    ald_error error;
                    assert_done(ald_fit(context, settings, &x.view, &y, &other, &error), error);
                    assert_below(
                        support_largest_difference(n * 2, want, support_reals(other, "embedding", NULL)),
                        tolerances[k] * support_norm(n * 2, want));
                    ald_model_free(other);
                    ald_settings_free(settings);
                    ald_context_free(context);
                    support_storage_free(&x);
                }
            ald_model_free(first);
        }
    support_sample_free(&s);
}

/* Two heaps are joined by one bridge, and lie apart in the embedding. */
static void parts_are_joined(void **state)
{
    (void)state;
    enum { n = 40 };
    double *x = support_normals(2, n * 2);
    int32_t classes[n];
    for (int i = 0; i < n; i++) {
        x[i * 2] += i % 2 ? 50.0 : 0.0;
        classes[i] = i % 2;
    }
    const ald_matrix view = ald_matrix_row_major(x, n, 2, 2);
    const ald_target y = ald_target_classes(classes, n, 2);
    for (int k = 0; ald_graph_kernels[k]; k++) {
        char set[128];
        snprintf(set, sizeof set, "n_components=1 n_neighbors=5 kernel_width=40 kernel=%s",
                 ald_graph_kernels[k]);
        ald_model *model = support_fit("kspca", set, &view, &y);
        const double *z = support_reals(model, "embedding", NULL);
        assert_string_equal(ald_model_text(model, "alidade.resolved.bridges"), "1");
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < n; i++) {
            low[i % 2] = fmin(low[i % 2], z[i]);
            high[i % 2] = fmax(high[i % 2], z[i]);
        }
        assert_true(high[0] < low[1] || high[1] < low[0]);
        ald_model_free(model);
    }
    free(x);
}

static void what_it_cannot_do_is_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(30, 4, 3);
    const ald_target y = support_sample_target(&s, ALD_TARGET_CLASSES);
    support_refused("kspca", "kernel=isomap landmarks=5", &s.view, &y, "kernel=rbf");
    support_refused("kspca", "kernel=lle features=5", &s.view, &y, "kernel=rbf");
    support_refused("kspca", "kernel=lle solver=direct", &s.view, &y, "solver=direct");
    support_refused("kspca", "kernel=isomap n_neighbors=30", &s.view, &y, "n_neighbors");
    support_refused("kspca", "kernel=isomap n_components=30", &s.view, &y, "29 components");
    static double same[30 * 4];
    const ald_matrix equal = ald_matrix_row_major(same, 30, 4, 4);
    support_refused("kspca", "kernel=isomap", &equal, &y, "all rows are equal");
    ald_model *model = support_fit("kspca", "kernel=isomap", &s.view, &y);
    ald_context *context = support_context(1, NULL);
    double z[10 * 2];
    ald_error error;
    const ald_matrix some = ald_matrix_row_major(s.x, 10, 4, 4);
    assert_int_equal(ald_transform(context, model, &some, z, &error), ALD_ERROR_UNSUPPORTED);
    if (!strstr(error.message, "only the rows it was fitted on")) fail_msg("%s", error.message);
    ald_context_free(context);
    ald_model_free(model);
    support_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spiral_unrolls),
        cmocka_unit_test(isomap_of_a_line_is_spca),
        cmocka_unit_test(eigenmaps_of_a_path_are_cosines),
        cmocka_unit_test(storage_and_threads_do_not_matter),
        cmocka_unit_test(parts_are_joined),
        cmocka_unit_test(what_it_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
