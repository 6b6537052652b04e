/* Landmarks and random features: they approach the exact kernel, and what their fits report says so. */
#include "kernel_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All rows as landmarks, through the explicit map, are the exact method. */
static void all_landmarks_are_exact(void **state)
{
    const fixture *f = *state;
    static const char *const kernels[] = {"rbf", "laplacian", "polynomial kernel_width=1 degree=2", "cosine"};
    for (int m = 0; m < n_methods; m++)
        for (int k = 0; k < 4; k++) {
            char exact[100], whole[140];
            snprintf(exact, sizeof exact, "kernel=%s scale=standard", kernels[k]);
            snprintf(whole, sizeof whole, "%s landmarks=%d", exact, n);
            assert_alike(f, ALD_TARGET_CLASSES, methods[m], exact, methods[m], whole, 1e-6);
        }
}

static double resolved(const ald_model *model, const char *name)
{
    char key[80];
    snprintf(key, sizeof key, "alidade.resolved.%s", name);
    const char *text = ald_model_text(model, key);
    if (!text) fail_msg("no %s", key);
    return strtod(text, NULL);
}

/* The reported error of a fit that may have a warning about it. */
static double error_of(const fixture *f, const char *set)
{
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_REAL);
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, "kpca", set);
    ald_model *model;
    ald_error error;
    const ald_status status = ald_fit(context, settings, &f->train.view, &y, &model, &error);
    assert_done(status, error);
    const double missed = resolved(model, "approximation_error");
    assert_int_equal(status, missed > 0.2 ? ALD_RANK_REDUCED : ALD_OK);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    return missed;
}

/* More landmarks or features, a smaller reported error: it falls as 1/sqrt(m) for random features. */
static void approximations_improve(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *few, *many;
    } pairs[] = {
        {"landmarks=20", "landmarks=60"},
        {"landmarks=20 landmark_choice=kmeans", "landmarks=60 landmark_choice=kmeans"},
        {"landmarks=20 landmark_choice=leverage", "landmarks=60 landmark_choice=leverage"},
        {"features=50", "features=1000"},
        {"features=50 kernel=laplacian", "features=1000 kernel=laplacian"},
    };
    for (int k = 0; k < 5; k++) {
        const double rough = error_of(f, pairs[k].few), fine = error_of(f, pairs[k].many);
        assert_below(fine, 0.5 * rough);
        assert_below(fine, 0.12);
    }
}

/* E phi(x)'phi(y) = k(x, y), each product of deviation below 1/sqrt(m). The eigenvalues of the centred kernel
 * move by no more than the Frobenius norm of the change, about n / sqrt(m); three times that is far out. */
static void random_features_approach_the_kernel(void **state)
{
    const fixture *f = *state;
    static const char *const sets[] = {
        "kernel=rbf",
        "kernel=laplacian",
        "kernel=rbf features=1000",
        "kernel=laplacian features=1000",
    };
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_CLASSES);
    for (int k = 0; k < 2; k++) {
        ald_model *exact = support_fit("kpca", sets[k], &f->train.view, &y),
                  *model = support_fit("kpca", sets[k + 2], &f->train.view, &y);
        for (int c = 0; c < 2; c++)
            assert_close(support_reals(model, "eigenvalues", NULL)[c],
                         support_reals(exact, "eigenvalues", NULL)[c], 3.0 * n / sqrt(1000.0));
        ald_model_free(exact);
        ald_model_free(model);
    }
}

/* Rows that landmarks do not explain are what leverage draws: of 200 rows in one heap and 8 far from it and
 * from each other, ten landmarks drawn by leverage have most of the 8, uniform ones hardly any. */
static void leverage_finds_the_lonely(void **state)
{
    (void)state;
    enum { heap = 200, lonely = 8, all = heap + lonely };
    static double x[all * 2];
    int found[2] = {0, 0};
    const ald_matrix view = ald_matrix_row_major(x, all, 2, 2);
    for (int i = 0; i < all * 2; i++) x[i] = i / 2 < heap ? 0.001 * i : 100.0 * (i - 2 * heap + 1);
    for (int seed = 0; seed < 10; seed++)
        for (int choice = 0; choice < 2; choice++) {
            char set[120];
            ald_context *context = support_context(1, NULL);
            ald_error error;
            ald_model *model;
            int64_t rows;
            snprintf(set, sizeof set, "kernel_width=1 landmarks=10 landmark_choice=%s random_state=%d",
                     choice ? "leverage" : "uniform", seed);
            ald_settings *settings = support_settings(context, "kpca", set);
            assert_done(ald_fit(context, settings, &view, NULL, &model, &error), error);
            const double *l = support_reals(model, "landmarks", &rows);
            for (int64_t i = 0; i < rows; i++) found[choice] += l[i * 2] > 50.0;
            ald_model_free(model);
            ald_settings_free(settings);
            ald_context_free(context);
        }
    print_message("lonely rows taken, of 80: %d uniformly, %d by leverage\n", found[0], found[1]);
    assert_true(found[0] < 15);
    assert_true(found[1] > 50);
}

/* The linear methods on random features written out are the kernel methods with them. */
static void features_are_the_linear_method(void **state)
{
    const fixture *f = *state;
    enum { m = 40 };
    static const struct {
        const char *kernel, *linear;
    } pairs[] = {{"kpca", "pca"}, {"kspca", "spca"}};
    const ald_target y = support_sample_target(&f->train, ALD_TARGET_REAL);
    for (int k = 0; k < 2; k++) {
        double phi[n * m], a[n * 2], b[n * 2];
        ald_model *model = support_fit(pairs[k].kernel, "features=40 kernel_width=30", &f->train.view, &y);
        const double *w = support_reals(model, "frequencies", NULL),
                     *phase = support_reals(model, "phases", NULL);
        for (int i = 0; i < n; i++)
            for (int c = 0; c < m; c++)
                phi[i * m + c] = sqrt(2.0 / m) * cos(inner(f->train.x + i * d, w + c * d) + phase[c]);
        const ald_matrix view = ald_matrix_row_major(phi, n, m, m);
        ald_model *linear_model = support_fit(pairs[k].linear, "", &view, &y);
        transform(model, &f->train.view, a);
        transform(linear_model, &view, b);
        assert_same_scores(a, b, n, 1e-8);
        ald_model_free(model);
        ald_model_free(linear_model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_landmarks_are_exact),
        cmocka_unit_test(approximations_improve),
        cmocka_unit_test(random_features_approach_the_kernel),
        cmocka_unit_test(features_are_the_linear_method),
        cmocka_unit_test(leverage_finds_the_lonely),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
