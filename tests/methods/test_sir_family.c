/* The methods on whitened rows (save, dr, phd, contour): invariance under
 * affine maps of X, the two ways to whiten, order statistics against sorting, and what is refused. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ald_status try_fit(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                          ald_model **model, ald_error *error)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, method, set);
    const ald_status status = ald_fit(context, settings, x, y, model, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static ald_model *fit_ok(const char *method, const char *set, const ald_matrix *x, const ald_target *y)
{
    ald_model *model;
    ald_error error;
    assert_done(try_fit(method, set, x, y, &model, &error), error);
    return model;
}

static const double *reals(const ald_model *model, const char *name)
{
    ald_array array;
    if (!ald_model_array(model, name, &array)) fail_msg("the model has no array %s", name);
    return array.data;
}

static void expect_refusal(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                           const char *part)
{
    ald_model *model;
    ald_error error;
    const ald_status status = try_fit(method, set, x, y, &model, &error);
    if (status >= 0) fail_msg("%s %s was not refused", method, set);
    if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
    assert_null(model);
}

static void expect_warning(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                           const char *part)
{
    ald_model *model;
    ald_error error;
    assert_int_equal(try_fit(method, set, x, y, &model, &error), ALD_RANK_REDUCED);
    if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
    assert_string_equal(ald_model_text(model, "alidade.warning"), error.message);
    ald_model_free(model);
}

/* The first two cut responses into slices, the last two follow slopes. */
static const char *const whitening_methods[] = {"save", "dr", "phd", "contour", "opg", "mave"};
enum { whitening_method_count = sizeof whitening_methods / sizeof *whitening_methods };
enum { ridged_method_count = 4 };

/* x (n x d) normal with some skew, y curved along the first two columns. */
static void make_curved(uint64_t seed, int64_t n, int64_t d, double *x, double *y)
{
    double *noise = support_normals(seed, n * (d + 1));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = noise[i * (d + 1) + j] + 0.3 * pow(noise[i * (d + 1) + j], 2);
        y[i] = pow(noise[i * (d + 1)], 2) - cos(noise[i * (d + 1) + 1]) + 0.1 * noise[i * (d + 1) + d];
    }
    free(noise);
}

/* X -> X A + c: the projections stay, up to sign. */
static void affine_maps_change_nothing(void **state)
{
    (void)state;
    enum { n = 150, d = 6, r = 3 };
    double x[n * d], y[n], moved[n * d];
    double *a = support_normals(8, d * d);
    make_curved(7, n, d, x, y);
    for (int j = 0; j < d; j++) a[j * d + j] += 3.0;
    support_multiply(0, 0, n, d, d, x, a, moved);
    for (int i = 0; i < n * d; i++) moved[i] += 50.0 * (i % d);
    const ald_matrix views[] = {ald_matrix_row_major(x, n, d, d), ald_matrix_row_major(moved, n, d, d)};
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_context *context = support_context(1, NULL);
    for (int m = 0; m < whitening_method_count; m++) {
        double z[2][n * r];
        for (int k = 0; k < 2; k++) {
            ald_error error;
            ald_model *model = fit_ok(whitening_methods[m], "n_components=3", &views[k], &target);
            assert_done(ald_transform(context, model, &views[k], z[k], &error), error);
            ald_model_free(model);
        }
        for (int k = 0; k < r; k++) {
            double inner = 0.0;
            for (int i = 0; i < n; i++) inner += z[0][i * r + k] * z[1][i * r + k] / n;
            assert_close(fabs(inner), 1.0, 1e-9);
        }
    }
    ald_context_free(context);
    free(a);
}

/* Six columns turned into 50 of rank six: whitened through the rows (n = 40), with the same projections and
 * eigenvalues, also with a ridge, since the turn is orthonormal. */
static void both_ways_to_whiten_agree(void **state)
{
    (void)state;
    enum { n = 40, d = 6, wide = 50, r = 2 };
    double x[n * d], y[n], turned[n * wide], basis[d * wide] = {0};
    make_curved(9, n, d, x, y);
    for (int j = 0; j < d; j++) {
        for (int k = 0; k < 8; k++) basis[j * wide + 8 * j + k] = (k % 3 ? 1.0 : -1.0) / sqrt(8.0);
        for (int i = 0; i < n; i++) x[i * d + j] *= 1.0 + j;
    }
    support_multiply(0, 0, n, wide, d, x, basis, turned);
    const ald_matrix views[] = {
        ald_matrix_row_major(x, n, d, d),
        ald_matrix_row_major(turned, n, wide, wide),
    };
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    const char *const sets[] = {"n_components=2", "n_components=2 ridge=2", "n_components=2 ridge_rel=0.2"};
    for (int m = 0; m < ridged_method_count; m++)
        for (int s = 0; s < 3; s++) {
            ald_model *a, *b;
            ald_error error;
            double unturned[r * d];
            assert_int_equal(try_fit(whitening_methods[m], sets[s], &views[0], &target, &a, &error), ALD_OK);
            const ald_status status = try_fit(whitening_methods[m], sets[s], &views[1], &target, &b, &error);
            assert_done(status, error);
            assert_int_equal(status, s == 0 ? ALD_RANK_REDUCED : ALD_OK);
            if (s == 0) assert_non_null(strstr(error.message, "its rank is 6"));
            assert_string_equal(ald_model_text(b, "alidade.resolved.rank"), "6");
            support_multiply(0, 1, r, d, wide, reals(b, "components"), basis, unturned);
            for (int k = 0; k < r; k++) {
                const double *want = reals(a, "components") + k * d;
                double inner = 0.0;
                for (int j = 0; j < d; j++) inner += want[j] * unturned[k * d + j];
                const double sign = inner < 0.0 ? -1.0 : 1.0;
                for (int j = 0; j < d; j++) assert_close(sign * unturned[k * d + j], want[j], 1e-9);
                assert_close(reals(a, "eigenvalues")[k], reals(b, "eigenvalues")[k], 1e-10);
            }
            ald_model_free(a);
            ald_model_free(b);
        }
}

/* B'(Sigma + ridge I)B = I; ridge_rel is a part of the largest eigenvalue, and both add. */
static void ridge_is_added_to_the_covariance(void **state)
{
    (void)state;
    enum { n = 8, d = 2 };
    const double x[n * d] = {3, 1, 3, -1, -3, 1, -3, -1, 3, 1, 3, -1, -3, 1, -3, -1}; /* Sigma = diag(9, 1) */
    const double y[n] = {1, 2, 4, 8, 3, 9, 5, 7};
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (int m = 0; m < ridged_method_count; m++) {
        const char *set = m == 0 ? "n_components=2 n_slices=3 ridge=0.5 ridge_rel=0.25"
                                 : "n_components=2 ridge=0.5 ridge_rel=0.25";
        ald_model *model = fit_ok(whitening_methods[m], set, &view, &target);
        const double *b = reals(model, "components");
        const double diagonal[d] = {9.0 + 2.75, 1.0 + 2.75};
        for (int k = 0; k < d; k++)
            for (int l = 0; l < d; l++)
                assert_close(b[k * d] * diagonal[0] * b[l * d] + b[k * d + 1] * diagonal[1] * b[l * d + 1],
                             k == l, 1e-12);
        assert_close(strtod(ald_model_text(model, "alidade.resolved.ridge"), NULL), 2.75, 1e-12);
        ald_model_free(model);
    }
}

/* A ridge makes a column of little variance less interesting, not more: y depends on the first column only,
 * and the last one is nearly constant. */
static void ridge_does_not_prefer_flat_columns(void **state)
{
    (void)state;
    enum { n = 300, d = 4 };
    double x[n * d], y[n];
    double *noise = support_normals(3, n * (d + 1));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < d; j++) x[i * d + j] = noise[i * (d + 1) + j] * (j == d - 1 ? 1e-3 : 1.0);
        y[i] = pow(x[i * d], 2) + 0.1 * noise[i * (d + 1) + d];
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (int m = 0; m < ridged_method_count; m++) {
        ald_model *model = fit_ok(whitening_methods[m], "n_components=1 ridge=0.1", &view, &target);
        const double *b = reals(model, "components");
        assert_true(fabs(b[0]) > 0.95 * support_norm(d, b));
        ald_model_free(model);
    }
    ald_model *model = fit_ok("save", "n_components=4 ridge=0.1", &view, &target);
    assert_below(reals(model, "eigenvalues")[d - 1], 1e-6);
    ald_model_free(model);
    free(noise);
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile of the differences is the one that sorting all of them gives, ties and tiny fractions
 * included. */
static void differences_are_order_statistics(void **state)
{
    (void)state;
    enum { n = 40, d = 3, all = n * (n - 1) / 2 };
    double *x = support_normals(1, n * d);
    double y[n], sorted[all];
    const double fractions[] = {0.0, 0.01, 0.1, 0.3333, 0.9};
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    for (int kind = 0; kind < 3; kind++) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            const double responses[] = {x[i], floor(2.0 * x[i]), 1e9 + 1e-6 * x[i]};
            y[i] = responses[kind];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) sorted[count++] = fabs(y[i] - y[j]);
        qsort(sorted, all, sizeof *sorted, rising);
        for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++) {
            char set[64];
            snprintf(set, sizeof set, "n_components=1 fraction=%g", fractions[f]);
            const double c = sorted[(int)floor(fractions[f] * (all - 1))];
            int pairs = 0;
            for (int i = 0; i < all; i++) pairs += sorted[i] <= c;
            ald_model *model = fit_ok("contour", set, &view, &target);
            assert_true(strtod(ald_model_text(model, "alidade.resolved.difference"), NULL) == c);
            assert_int_equal(strtol(ald_model_text(model, "alidade.resolved.pairs"), NULL, 10), pairs);
            ald_model_free(model);
        }
    }
    free(x);
}

/* With n = 100000 there are 5e9 pairs: neither the time nor the memory for them is taken. */
static void contour_is_not_quadratic(void **state)
{
    (void)state;
    enum { n = 100000, d = 3 };
    double *x = support_normals(2, n * d), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) y[i] = x[i * d + 1] + 0.1 * x[i * d + 2] * x[i * d + 2];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_model *model = fit_ok("contour", "n_components=1 fraction=0.01", &view, &target);
    const double *b = reals(model, "components");
    assert_true(b[1] > 0.99 * support_norm(d, b));
    ald_model_free(model);
    free(x);
    free(y);
}

/* Class codes without rows are no slices; save on classes equals save on a response with those values. */
static void classes_are_slices(void **state)
{
    (void)state;
    enum { n = 90, d = 4 };
    double x[n * d], y[n];
    int32_t classes[n];
    make_curved(4, n, d, x, y);
    for (int i = 0; i < n; i++) {
        classes[i] = 2 * (i % 3);
        y[i] = classes[i];
        x[i * d + 1] *= 1.0 + i % 3;
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target by_class = ald_target_classes(classes, n, 7),
                     by_value = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_model *a = fit_ok("save", "n_components=2", &view, &by_class),
              *b = fit_ok("save", "n_components=2 n_slices=3", &view, &by_value);
    assert_string_equal(ald_model_text(a, "alidade.resolved.slices"), "3");
    assert_below(support_largest_difference(2 * d, reals(a, "components"), reals(b, "components")), 1e-12);
    ald_array edges;
    assert_false(ald_model_array(a, "slice_edges", &edges));
    ald_model_free(a);
    ald_model_free(b);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    enum { n = 20, d = 3 };
    double x[n * d], y[n], skewed[n], plane[n], constant[n * d] = {0}, redundant[n * d], scaled[n * d];
    int32_t classes[n] = {0};
    make_curved(5, n, d, x, y);
    for (int i = 0; i < n; i++) {
        skewed[i] = i == 0 ? 0.0 : 5.0;
        plane[i] = 2.0 * x[i * d] - x[i * d + 1] + 3.0;
        classes[i] = i == 0 ? 2 : i % 2;
        for (int j = 0; j < d; j++) scaled[i * d + j] = 1e6 * x[i * d + j];
        for (int j = 0; j < d; j++) redundant[i * d + j] = j == 2 ? x[i * d] - x[i * d + 1] : x[i * d + j];
    }
    const ald_matrix view = ald_matrix_row_major(x, n, d, d), same = ald_matrix_row_major(constant, n, d, d),
                     dependent = ald_matrix_row_major(redundant, n, d, d),
                     large = ald_matrix_row_major(scaled, n, d, d), wide = ald_matrix_row_major(x, 4, 15, 15);
    const ald_target response = ald_target_real(ald_matrix_row_major(y, n, 1, 1)),
                     pairs = ald_target_real(ald_matrix_row_major(x, n, 2, d)),
                     mostly_same = ald_target_real(ald_matrix_row_major(skewed, n, 1, 1)),
                     linear = ald_target_real(ald_matrix_row_major(plane, n, 1, 1)),
                     three = ald_target_classes(classes, n, 3),
                     few = ald_target_real(ald_matrix_row_major(y, 4, 1, 1));
    for (int m = 0; m < ridged_method_count; m++) {
        const char *method = whitening_methods[m];
        expect_refusal(method, "n_components=2", &same, &response, "all columns are constant");
        expect_refusal(method, "n_components=0", &view, &response, "no rule for the number");
        expect_refusal(method, "n_components=4", &view, &response,
                       "3 components here (the rank of the covariance");
        expect_refusal(method, "n_components=1 ridge=1e300 ridge_rel=1e300", &large, &response, "overflows");
        expect_refusal(method, "n_components=3", &dependent, &response, "2 components here");
        if (m >= 2)
            expect_refusal(method, "n_components=2", &view, &pairs, "takes one response, not 2");
        else
            expect_refusal(method, "n_components=2 keep_statistics=1 predictor=none", &view, &pairs,
                           "cuts one response into slices, not 2");
        expect_warning(method, m < 2 ? "n_components=2 n_slices=4" : "n_components=2", &dependent, &response,
                       "rank is 2 (eigenvalues");
    }
    expect_refusal("phd", "n_components=1", &view, &three, "cannot take classes");
    expect_refusal("contour", "n_components=1", &view, &three, "cannot take classes");
    expect_refusal("phd", "n_components=1", &view, &linear, "use `variant=response`");
    expect_refusal("phd", "n_components=1", &wide, &few, "4 rows, rank 3");
    expect_refusal("contour", "n_components=1 fraction=1", &view, &response, "takes all 190 pairs");
    expect_refusal("save", "n_components=1 n_slices=3", &view, &mostly_same,
                   "`n_slices=3` all rows fall into one slice");
    expect_warning("save", "n_components=1 n_slices=5", &view, &three, "1 of 3 classes has one row");
    expect_warning("save", "n_components=1 n_slices=20", &view, &response, "20 of 20 slices have one row");
    expect_warning("save", "n_components=1 n_slices=21", &view, &response,
                   "20 distinct values: there are 20");
}

typedef struct ledger {
    long countdown, live; /* allocations until one fails; blocks not freed */
    int failed;
} ledger;

static void *counted_resize(void *user, void *block, size_t size)
{
    ledger *book = user;
    if (size == 0) {
        book->live -= block != NULL;
        free(block);
        return NULL;
    }
    if (book->countdown-- == 0) {
        book->failed = 1;
        return NULL;
    }
    void *made = realloc(block, size);
    book->live += made && !block;
    return made;
}

static ald_status fit_with_ledger(ledger *book, const char *method, const ald_matrix *x, const ald_target *y)
{
    const ald_options options = {.size = sizeof options, .threads = 1, .allocator = {counted_resize, book}};
    ald_context *context;
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    ald_error error;
    ald_status status = ald_context_new(&options, &context, &error);
    if (status >= 0) status = ald_settings_new(context, method, &settings, &error);
    if (status >= 0) status = ald_fit(context, settings, x, y, &model, &error);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

/* Each allocation of a fit fails once, with d <= n and with d > n: "out of memory", and nothing is left. */
static void no_memory_is_survived(void **state)
{
    (void)state;
    double x[24 * 30], y[24], wide[24 * 30];
    make_curved(11, 24, 4, x, y);
    make_curved(11, 24, 30, wide, y);
    const ald_matrix views[] = {ald_matrix_row_major(x, 24, 4, 4), ald_matrix_row_major(wide, 24, 30, 30)};
    const ald_target target = ald_target_real(ald_matrix_row_major(y, 24, 1, 1));
    for (int m = 0; m < ridged_method_count; m++)
        for (int v = 0; v < 2; v++) {
            if (v == 1 && strcmp(whitening_methods[m], "phd") == 0) continue; /* leaves no residual */
            for (long k = 0;; k++) {
                ledger book = {.countdown = k};
                const ald_status status = fit_with_ledger(&book, whitening_methods[m], &views[v], &target);
                assert_int_equal(book.live, 0);
                if (!book.failed) {
                    assert_true(status >= 0);
                    assert_true(k > 20);
                    break;
                }
                assert_int_equal(status, ALD_ERROR_MEMORY);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_maps_change_nothing),
        cmocka_unit_test(both_ways_to_whiten_agree),
        cmocka_unit_test(ridge_is_added_to_the_covariance),
        cmocka_unit_test(ridge_does_not_prefer_flat_columns),
        cmocka_unit_test(differences_are_order_statistics),
        cmocka_unit_test(contour_is_not_quadratic),
        cmocka_unit_test(classes_are_slices),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(no_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
