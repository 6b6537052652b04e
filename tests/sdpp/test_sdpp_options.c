/* What the options of sdpp claim, each on an example that it is for: ridge, manifold with rows without a
 * target, repulsion, penalties. (early_stopping and pca_dims: test_sdpp_data.c; divergences:
 * test_sdpp_recovery.c.) */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double first_two[20] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

/* Six heaps around a circle in the first two of ten columns, two responses that tell the heap; within a heap
 * there is only noise. */
static void draw_heaps(uint64_t seed, int64_t n, double *x, double *y)
{
    ald_random random;
    ald_random_seed(&random, seed, 1);
    for (int64_t i = 0; i < n; i++) {
        const double angle = acos(-1.0) / 3.0 * (double)ald_random_below(&random, 6),
                     at[2] = {cos(angle), sin(angle)};
        for (int j = 0; j < 10; j++)
            x[10 * i + j] = 0.6 * ald_random_normal(&random) + (j < 2 ? 4.0 * at[j] : 0.0);
        for (int k = 0; k < 2; k++) y[2 * i + k] = at[k] + 0.1 * ald_random_normal(&random);
    }
}

/* 15 rows with a target among 400: the 385 others tell which differences are only noise. The same penalty on
 * the 15 alone does not. */
static void rows_without_target_help(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    enum { n = 400, known = 15, draws = 8 };
    static double x[n * 10], y[n * 2];
    static unsigned char labelled[n];
    double with = 0.0, alone = 0.0, plain = 0.0;
    memset(labelled, 1, known);
    for (uint64_t seed = 0; seed < draws; seed++) {
        draw_heaps(seed, n, x, y);
        const ald_matrix all = ald_matrix_row_major(x, n, 10, 10),
                         few = ald_matrix_row_major(x, known, 10, 10);
        ald_target target = ald_target_real(ald_matrix_row_major(y, n, 2, 2)),
                   known_only = ald_target_real(ald_matrix_row_major(y, known, 2, 2));
        target.labelled = labelled;
        ald_model *models[] = {
            support_fit("sdpp", "manifold=1", &all, &target),
            support_fit("sdpp", "manifold=1", &few, &known_only),
            support_fit("sdpp", "", &few, &known_only),
        };
        with += support_degrees(models[0], first_two) / draws;
        alone += support_degrees(models[1], first_two) / draws;
        plain += support_degrees(models[2], first_two) / draws;
        for (int k = 0; k < 3; k++) ald_model_free(models[k]);
    }
    print_message(
        "manifold=1: %.1f degrees with 385 rows without a target, %.1f without them, %.1f with neither\n",
        with, alone, plain);
    assert_below(with, 22.0);
    assert_true(alone > 45.0 && plain > 45.0);
}

/* Three normal classes in two of ten columns, each row of the test set by the class of its five nearest. */
static void draw_classes(uint64_t seed, int64_t n, double *x, int32_t *classes)
{
    ald_random random;
    ald_random_seed(&random, seed, 2);
    for (int64_t i = 0; i < n; i++) {
        classes[i] = (int32_t)ald_random_below(&random, 3);
        for (int j = 0; j < 10; j++)
            x[10 * i + j] = ald_random_normal(&random) + (classes[i] == j + 1 ? 2.5 : 0.0);
    }
}

static int class_by_neighbours(const double *z, const int32_t *classes, int64_t train, const double *at)
{
    int64_t nearest[5];
    int votes[3] = {0}, best = 0;
    for (int k = 0; k < 5; k++) {
        double least = INFINITY;
        for (int64_t i = 0; i < train; i++) {
            const double square = pow(z[2 * i] - at[0], 2.0) + pow(z[2 * i + 1] - at[1], 2.0);
            int taken = 0;
            for (int a = 0; a < k; a++) taken |= nearest[a] == i;
            if (taken || square >= least) continue;
            least = square;
            nearest[k] = i;
        }
        votes[classes[nearest[k]]]++;
    }
    for (int c = 1; c < 3; c++)
        if (votes[c] > votes[best]) best = c;
    return best;
}

static void repulsion_helps_classes(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    enum { train = 150, n = 550, draws = 10 };
    static double x[n * 10], z[n * 2];
    static int32_t classes[n];
    static const char *const sets[] = {"n_neighbors=20", "n_neighbors=20 repulsion=30"};
    double right[2] = {0}, degrees[2] = {0};
    ald_context *context = support_context(1, NULL);
    for (uint64_t seed = 0; seed < draws; seed++) {
        draw_classes(seed, n, x, classes);
        const ald_matrix fitted = ald_matrix_row_major(x, train, 10, 10),
                         all = ald_matrix_row_major(x, n, 10, 10);
        const ald_target target = ald_target_classes(classes, train, 3);
        for (int k = 0; k < 2; k++) {
            ald_error error;
            ald_model *model = support_fit("sdpp", sets[k], &fitted, &target);
            assert_done(ald_transform(context, model, &all, z, &error), error);
            for (int i = train; i < n; i++)
                right[k] += class_by_neighbours(z, classes, train, z + 2 * i) == classes[i]
                                ? 1.0 / ((n - train) * draws)
                                : 0.0;
            degrees[k] += support_degrees(model, first_two) / draws;
            ald_model_free(model);
        }
    }
    print_message("repulsion=30: %.1f %% right, %.1f degrees; without: %.1f %%, %.1f degrees\n",
                  100.0 * right[1], degrees[1], 100.0 * right[0], degrees[0]);
    assert_true(right[1] > right[0] + 0.01);
    assert_true(degrees[1] < degrees[0] - 5.0);
    ald_context_free(context);
}

/* Two responses of the columns 2, 7, 11 and 20 of thirty. */
static void penalties_find_the_columns(void **state)
{
    (void)state;
    enum { n = 300, d = 30 };
    static const struct {
        const char *set;
        int rows;    /* columns of X that are used */
        int entries; /* of W that are not 0 */
    } cases[] = {{"penalty=l21 penalty_weight=0.2", 4, 8}, {"penalty=l1 penalty_weight=0.2", 4, 5}};
    double a[2 * d] = {0};
    a[2] = 2.0;
    a[7] = -1.5;
    a[11] = 1.0;
    a[d + 7] = 1.0;
    a[d + 20] = 2.0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        double *x = support_normals(seed, n * d), *y = support_normals(seed + 50, n * 2);
        double clean[n * 2];
        support_multiply(0, 1, n, 2, d, x, a, clean);
        for (int i = 0; i < 2 * n; i++) y[i] = 0.3 * y[i] + clean[i];
        const ald_matrix view = ald_matrix_row_major(x, n, d, d);
        const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 2, 2));
        for (int c = 0; c < 2; c++) {
            ald_model *model = support_fit("sdpp", cases[c].set, &view, &target);
            const double *w = support_reals(model, "components", NULL);
            int entries = 0;
            for (int j = 0; j < d; j++) {
                const int used = w[j] != 0.0 || w[d + j] != 0.0;
                assert_int_equal(used, j == 2 || j == 7 || j == 11 || j == 20);
                entries += (w[j] != 0.0) + (w[d + j] != 0.0);
            }
            if (c == 0) assert_int_equal(entries, cases[c].entries);
            assert_close(support_resolved(model, "features_kept"), cases[c].rows, 0.0);
            assert_below(support_degrees(model, a), 6.0);
            assert_null(ald_model_text(model, "alidade.resolved.certificate"));
            ald_model_free(model);
        }
        free(x);
        free(y);
    }
}

/* The penalised minimum is one: its proximal step leads nowhere. l21, from the definition: for a column that
 * is used the gradient of J is -lambda w_j / |w_j|, for one that is not its length is at most lambda. */
static void penalised_minimum(void **state)
{
    (void)state;
    enum { n = 60, d = 6, k = 10 };
    double *x = support_normals(70, n * d);
    double y[n], g[2 * d] = {0};
    for (int i = 0; i < n; i++) y[i] = x[i * d] * x[i * d] + x[i * d + 1];
    const ald_matrix view = ald_matrix_row_major(x, n, d, d);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, n, 1, 1));
    ald_model *model = support_fit("sdpp", "penalty=l21 penalty_weight=0.3 n_neighbors=10", &view, &target);
    const double *w = support_reals(model, "components", NULL);
    const double lambda = support_resolved(model, "penalty_lambda");
    for (int i = 0; i < n; i++) {
        double squares[n];
        for (int j = 0; j < n; j++) {
            squares[j] = i == j ? INFINITY : 0.0;
            for (int c = 0; c < d; c++) squares[j] += pow(x[i * d + c] - x[j * d + c], 2.0);
        }
        for (int a = 0; a < k; a++) {
            int best = 0;
            double tau[d], t[2] = {0};
            for (int j = 1; j < n; j++)
                if (squares[j] < squares[best]) best = j;
            squares[best] = INFINITY;
            for (int c = 0; c < d; c++) {
                tau[c] = x[i * d + c] - x[best * d + c];
                for (int b = 0; b < 2; b++) t[b] += w[b * d + c] * tau[c];
            }
            const double off = t[0] * t[0] + t[1] * t[1] - pow(y[i] - y[best], 2.0);
            for (int c = 0; c < 2 * d; c++) g[c] += 4.0 / n * off * t[c / d] * tau[c % d];
        }
    }
    for (int j = 0; j < d; j++) {
        const double length = hypot(w[j], w[d + j]);
        if (length > 0.0)
            for (int b = 0; b < 2; b++)
                assert_close(g[b * d + j], -lambda * w[b * d + j] / length, 1e-4 * lambda);
        else
            assert_below(hypot(g[j], g[d + j]), lambda * (1.0 + 1e-6));
    }
    ald_model_free(model);
    free(x);
}

/* Fifty columns that are five factors and a little noise, y one of the factors: n rows of them. */
static void draw_collinear(uint64_t seed, int64_t n, double *x, double *y, double *factor)
{
    enum { d = 50, q = 5 };
    double *loadings = support_normals(500, q * d);
    ald_random random;
    ald_random_seed(&random, seed, 3);
    for (int64_t i = 0; i < n; i++) {
        double f[q];
        for (int k = 0; k < q; k++) f[k] = ald_random_normal(&random);
        for (int j = 0; j < d; j++) {
            x[i * d + j] = 0.1 * ald_random_normal(&random);
            for (int k = 0; k < q; k++) x[i * d + j] += f[k] * loadings[k * d + j];
        }
        factor[i] = f[0];
        y[i] = f[0] + 0.3 * ald_random_normal(&random);
    }
    free(loadings);
}

/* 1 - correlation^2 of two columns of n. */
static double unexplained(const double *a, const double *b, int64_t n)
{
    double ab = 0.0, aa = 0.0, bb = 0.0, ma = 0.0, mb = 0.0;
    for (int64_t i = 0; i < n; i++) {
        ma += a[i] / (double)n;
        mb += b[i] / (double)n;
    }
    for (int64_t i = 0; i < n; i++) {
        ab += (a[i] - ma) * (b[i] - mb);
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
    }
    return 1.0 - ab * ab / (aa * bb);
}

/* Wide and collinear: without a ridge the projection of new rows is mostly noise. W falls with the ridge, and
 * what is reported is J + ridge |W|^2, certified like J. */
static void ridge_on_collinear_data(void **state)
{
    if (support_stride() > 1) skip(); /* much computing, which the plain build has done */
    (void)state;
    enum { train = 60, n = 360, d = 50, draws = 6, sets = 4, fixed = 3 };
    static double x[n * d], y[n], factor[n], z[n];
    static const char *const ridges[sets] = {
        "n_components=1 ridge_rel=0",
        "n_components=1 ridge_rel=0.001",
        "n_components=1 ridge_rel=0.1",
        "n_components=1",
    };
    double left[sets] = {0};
    ald_context *context = support_context(1, NULL);
    for (uint64_t seed = 0; seed < draws; seed++) {
        double before = INFINITY;
        draw_collinear(seed, n, x, y, factor);
        const ald_matrix fitted = ald_matrix_row_major(x, train, d, d),
                         fresh = ald_matrix_row_major(x + train * d, n - train, d, d);
        const ald_target target = ald_target_real(ald_matrix_row_major(y, train, 1, 1));
        for (int k = 0; k < sets; k++) {
            ald_error error;
            ald_model *model = support_fit("sdpp", ridges[k], &fitted, &target);
            const double length = support_norm(d, support_reals(model, "components", NULL));
            assert_true(length < before || k >= fixed);
            before = length;
            const char *chosen = ald_model_text(model, "alidade.resolved.ridge_rel");
            assert_true(k < fixed ? !chosen : chosen != NULL); /* what is given counts, 0 too */
            assert_done(ald_transform(context, model, &fresh, z, &error), error);
            left[k] += unexplained(z, factor + train, n - train) / draws;
            ald_model_free(model);
        }
    }
    print_message(
        "ridge_rel 0, 0.001, 0.1, chosen: %.3f %.3f %.3f %.3f of the variance of new rows not explained\n",
        left[0], left[1], left[2], left[3]);
    for (int k = 1; k < sets; k++) assert_below(left[k], 0.2 * left[0]);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_without_target_help),   cmocka_unit_test(repulsion_helps_classes),
        cmocka_unit_test(penalties_find_the_columns), cmocka_unit_test(penalised_minimum),
        cmocka_unit_test(ridge_on_collinear_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
