/* Kernel sdpp: identities with sdpp, its approximations and its kinds of distances, and the ducks of the
 * paper. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double objective_of(const ald_model *model)
{
    return strtod(ald_model_text(model, "alidade.resolved.objective"), NULL);
}

static double *project(const ald_model *model, const ald_matrix *x)
{
    ald_context *context = support_context(2, NULL);
    double *z = malloc((size_t)(x->rows * ald_model_component_count(model)) * sizeof *z);
    ald_error error;
    assert_done(ald_transform(context, model, x, z, &error), error);
    ald_context_free(context);
    return z;
}

/* The largest difference between |z_i - z_j|^2 of two projections, which no rotation changes, as a part of
 * the largest. */
static double difference_of_distances(int64_t n, int64_t r, const double *a, const double *b)
{
    double largest = 0.0, worst = 0.0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            double one = 0.0, two = 0.0;
            for (int64_t k = 0; k < r; k++) {
                one += pow(a[i * r + k] - a[j * r + k], 2.0);
                two += pow(b[i * r + k] - b[j * r + k], 2.0);
            }
            largest = fmax(largest, one);
            worst = fmax(worst, fabs(one - two));
        }
    return worst / largest;
}

/* Both fits reach the same J and the same projection up to a rotation. J is flat at its minimum: where it
 * agrees to 1e-12, projections agree to the root of that over the conditioning. */
static void assert_same_projection(const ald_model *a, const ald_model *b, const ald_matrix *x)
{
    assert_close(objective_of(a), objective_of(b), 1e-6 * objective_of(a));
    double *one = project(a, x), *two = project(b, x);
    assert_below(difference_of_distances(x->rows, ald_model_component_count(a), one, two), 1e-4);
    free(one);
    free(two);
}

static void linear_kernel_is_sdpp(void **state)
{
    (void)state;
    static const struct {
        int64_t n, d;
        ald_target_kind kind;
        const char *set, *kernel;
    } cases[] = {
        {120, 6, ALD_TARGET_REAL, "n_components=2 tol=1e-12", ""},
        {120, 6, ALD_TARGET_CLASSES, "n_components=2 tol=1e-12", ""},
        {120, 6, ALD_TARGET_LABELS, "n_components=1 tol=1e-12", ""},
        {120, 6, ALD_TARGET_REAL, "n_components=0 tol=1e-12", ""},
        {120, 6, ALD_TARGET_REAL, "n_components=2 tol=1e-12 solver=first-order", ""},
        {120, 6, ALD_TARGET_REAL, "n_components=2 tol=1e-12 scale=minmax", ""},
        {120, 6, ALD_TARGET_REAL, "n_components=2 tol=1e-12", "landmarks=120"},
        {120, 6, ALD_TARGET_REAL, "n_components=2 tol=1e-12", "landmarks=60"},
        {40, 400, ALD_TARGET_REAL, "n_components=2 tol=1e-12 pca_dims=5", ""},
        {40, 400, ALD_TARGET_CLASSES, "n_components=1 tol=1e-12 pca_dims=5", ""},
        {40, 400, ALD_TARGET_REAL, "n_components=3 tol=1e-12 ridge_rel=0.05 max_iter=5000", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        support_sample s = support_sample_make(cases[k].n, cases[k].d, 5 + k);
        const ald_target y = support_sample_target(&s, cases[k].kind);
        char set[256];
        snprintf(set, sizeof set, "%s kernel=linear %s", cases[k].set, cases[k].kernel);
        ald_model *plain = support_fit("sdpp", cases[k].set, &s.view, &y);
        ald_model *kernel = support_fit("ksdpp", set, &s.view, &y);
        assert_int_equal(ald_model_component_count(plain), ald_model_component_count(kernel));
        assert_same_projection(plain, kernel, &s.view);
        const double *one = support_reals(plain, "eigenvalues", NULL),
                     *two = support_reals(kernel, "eigenvalues", NULL);
        for (int64_t c = 0; c < ald_model_component_count(plain); c++)
            assert_close(one[c], two[c], 1e-4 * one[0]);
        ald_model_free(plain);
        ald_model_free(kernel);
        support_sample_free(&s);
    }
}

/* exp(-|a - b|^2 / (2 s^2)) of all rows. */
static double *rbf_matrix(const support_sample *s, double width)
{
    double *k = malloc((size_t)(s->n * s->n) * sizeof *k);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < s->n; j++) {
            double square = 0.0;
            for (int64_t c = 0; c < s->d; c++) square += pow(s->x[i * s->d + c] - s->x[j * s->d + c], 2.0);
            k[i * s->n + j] = exp(-square / (2.0 * width * width));
        }
    return k;
}

/* Nearest by an rbf kernel are nearest in X. */
static void precomputed_is_the_same(void **state)
{
    (void)state;
    support_sample s = support_sample_make(90, 4, 8);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    double *k = rbf_matrix(&s, 2.5);
    const ald_matrix kernel = ald_matrix_row_major(k, s.n, s.n, s.n);
    const char *const set = "n_components=2 pca_dims=6 tol=1e-12 n_starts=20 kernel_width=2.5";
    ald_model *direct = support_fit("ksdpp", set, &s.view, &y);
    ald_model *given = support_fit(
        "ksdpp", "n_components=2 pca_dims=6 tol=1e-12 n_starts=20 kernel=precomputed", &kernel, &y);
    assert_close(objective_of(direct), objective_of(given), 1e-9 * objective_of(direct));
    double *one = project(direct, &s.view), *two = project(given, &kernel);
    assert_below(difference_of_distances(s.n, 2, one, two), 1e-5);
    free(one);
    free(two);
    free(k);
    ald_model_free(direct);
    ald_model_free(given);
    support_sample_free(&s);
}

/* All rows as landmarks are the exact method; random features come nearer with their number. */
static void approximations_approach_it(void **state)
{
    (void)state;
    support_sample s = support_sample_make(150, 4, 4);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    const char *const set = "n_components=1 pca_dims=5 tol=1e-12 kernel_width=10 n_starts=12";
    char text[256];
    ald_model *exact = support_fit("ksdpp", set, &s.view, &y);
    snprintf(text, sizeof text, "%s landmarks=150", set);
    ald_model *all = support_fit("ksdpp", text, &s.view, &y);
    assert_same_projection(exact, all, &s.view);
    /* The error of random features falls with the root of their number: by 10 here. */
    double *one = project(exact, &s.view);
    double errors[2];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%s features=%d", set, k ? 10000 : 100);
        ald_model *drawn = support_fit("ksdpp", text, &s.view, &y);
        double *two = project(drawn, &s.view);
        errors[k] = difference_of_distances(s.n, 1, one, two);
        free(two);
        ald_model_free(drawn);
    }
    assert_below(errors[1], errors[0] / 3.0);
    free(one);
    ald_model_free(exact);
    ald_model_free(all);
    support_sample_free(&s);
}

/* For a wide kernel 2 - 2 exp(-t / (2 s^2)) = t / s^2: the same projection, shorter by s. */
static void response_kernels(void **state)
{
    (void)state;
    support_sample s = support_sample_make(120, 5, 9);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL),
                     c = support_sample_target(&s, ALD_TARGET_CLASSES);
    const char *const set = "n_components=2 kernel=linear tol=1e-12";
    char text[256];
    snprintf(text, sizeof text, "%s response_kernel=rbf response_width=1e4", set);
    ald_model *plain = support_fit("ksdpp", set, &s.view, &y),
              *bent = support_fit("ksdpp", text, &s.view, &y);
    assert_close(objective_of(plain), objective_of(bent) * 1e16, 1e-5 * objective_of(plain));
    ald_model_free(plain);
    ald_model_free(bent);
    ald_model *narrow = support_fit("ksdpp", "response_kernel=rbf pca_dims=6", &s.view, &y);
    assert_true(strtod(ald_model_text(narrow, "alidade.resolved.response_width"), NULL) > 0.0);
    ald_model_free(narrow);
    support_refused("ksdpp", "response_kernel=rbf", &s.view, &c, "use linear");
    support_sample_free(&s);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    support_sample s = support_sample_make(30, 4, 3);
    const ald_target y = support_sample_target(&s, ALD_TARGET_REAL);
    static double same[30 * 4];
    const ald_matrix equal = ald_matrix_row_major(same, 30, 4, 4);
    support_refused("ksdpp", "", &equal, &y, "`kernel_width`");
    support_refused("ksdpp", "kernel=linear", &equal, &y, "all rows are equal");
    support_refused("ksdpp", "kernel=linear n_components=5", &s.view, &y, "4 components");
    support_refused("ksdpp", "landmarks=5 features=5", &s.view, &y, "cannot be combined");
    support_refused("ksdpp", "n_neighbors=30", &s.view, &y, "n_neighbors");
    support_sample_free(&s);
}

enum { pixels = 4096, ducks = 72, shown = 10 };

typedef struct duck_set {
    double x[ducks * pixels], y[ducks]; /* the ones that are shown for the test come last */
} duck_set;

/* Of the angles 15, 50, 85, ... predictions are tested. */
static duck_set *read_ducks(void)
{
    char path[512];
    ald_context *context = support_context(1, NULL);
    const ald_load_options load = {.size = sizeof load, .target = "y", .task = "regression"};
    ald_dataset *data;
    ald_error error;
    snprintf(path, sizeof path, "%s/ducks.csv", support_shared_data());
    assert_done(ald_dataset_load(context, path, &load, &data, &error), error);
    const ald_matrix *x = ald_dataset_x(data);
    const ald_target *y = ald_dataset_target(data);
    assert_int_equal(x->rows, ducks);
    assert_int_equal(x->cols, pixels);
    duck_set *set = malloc(sizeof *set);
    int64_t train = 0, test = ducks - shown;
    for (int64_t i = 0; i < ducks; i++) {
        const double angle = ((const double *)y->values.values)[i * y->values.row_stride];
        const int64_t to = fmod(angle, 35.0) == 15.0 && angle < 350.0 ? test++ : train++;
        set->y[to] = angle;
        for (int64_t j = 0; j < pixels; j++)
            set->x[to * pixels + j] =
                ((const double *)x->values)[i * x->row_stride + j * x->col_stride] / 255.0;
    }
    assert_int_equal(train, ducks - shown);
    ald_dataset_free(data);
    ald_context_free(context);
    return set;
}

static int64_t rank_among(int64_t count, const double *v, int64_t i)
{
    int64_t below = 0;
    for (int64_t j = 0; j < count; j++) below += v[j] < v[i];
    return below;
}

/* Spearman's, no ties. */
static double rank_correlation(int64_t count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++)
        sum += pow((double)(rank_among(count, a, i) - rank_among(count, b, i)), 2.0);
    return 1.0 - 6.0 * sum / (double)(count * (count * count - 1));
}

/* Root mean square error of the angle of the shown ducks, and the rank correlation of their projection with
 * it. */
static double angle_error(const duck_set *set, const char *method, const char *text, double *correlation)
{
    const int64_t train = ducks - shown;
    const ald_matrix x = ald_matrix_row_major(set->x, train, pixels, pixels),
                     rest = ald_matrix_row_major(set->x + train * pixels, shown, pixels, pixels);
    const ald_target y = ald_target_real(ald_matrix_row_major(set->y, train, 1, 1));
    ald_model *model = support_fit(method, text, &x, &y);
    ald_context *context = support_context(1, NULL);
    double angles[shown], sum = 0.0;
    double *z = project(model, &rest);
    ald_error error;
    assert_done(ald_predict(context, model, &rest, angles, &error), error);
    for (int i = 0; i < shown; i++) sum += pow(angles[i] - set->y[train + i], 2.0) / shown;
    *correlation = fabs(rank_correlation(shown, z, set->y + train));
    print_message("ducks %s %s: %.1f degrees, rank correlation %.3f\n", method, text, sqrt(sum),
                  *correlation);
    free(z);
    ald_model_free(model);
    ald_context_free(context);
    return sqrt(sum);
}

static void ducks_unfold(void **state)
{
    (void)state;
    if (!support_shared_data()) {
        print_message("ALD_SHARED_DATA is not set: ducks.csv is not read\n");
        skip();
    }
    duck_set *set = read_ducks();
    double correlation, unused;
    const double error =
        angle_error(set, "ksdpp", "n_components=1 n_neighbors=8 predictor=linear", &correlation);
    assert_below(error, 15.0);
    assert_true(correlation >= 0.98);
    static const char *const widths[] = {
        "n_components=1 predictor=linear",
        "n_components=1 predictor=linear kernel_width=10.4",
        "n_components=1 predictor=linear kernel_width=5.2",
    };
    for (int k = 0; k < 3; k++) assert_below(error, 0.6 * angle_error(set, "kpls", widths[k], &unused));
    free(set);
}

/* Rounding that depends on the number of threads would end elsewhere in the valley: up to 1000 rows there is
 * none. */
static void threads_change_nothing(void **state)
{
    (void)state;
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    enum { n = 300, d = 6 };
    double *x = support_normals(5, n * d);
    double y[n];
    const double *first = NULL;
    ald_model *models[3];
    for (int i = 0; i < n; i++) y[i] = sin(x[i * d]) + x[i * d + 1] * x[i * d + 2];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (int t = 0; t < 3; t++) {
        ald_context *context = support_context(t + 1, NULL);
        ald_settings *settings = support_settings(context, "ksdpp", "n_components=2 max_iter=100");
        ald_error error;
        int64_t rows;
        assert_true(ald_fit(context, settings, &view, &target, &models[t], &error) >= 0);
        const double *c = support_reals(models[t], "coefficients", &rows);
        if (t == 0) first = c;
        assert_memory_equal(first, c, sizeof *c * n * 2);
        ald_settings_free(settings);
        ald_context_free(context);
    }
    for (int t = 0; t < 3; t++) ald_model_free(models[t]);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_kernel_is_sdpp),      cmocka_unit_test(precomputed_is_the_same),
        cmocka_unit_test(approximations_approach_it), cmocka_unit_test(response_kernels),
        cmocka_unit_test(bad_input_is_refused),       cmocka_unit_test(ducks_unfold),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
