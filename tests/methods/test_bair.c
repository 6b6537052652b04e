/* Bair's supervised principal components: planted features, and the cross-validation done again from outside.
 */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* y follows a factor that only the first five of forty columns carry; the others vary more, together. */
static void make_planted(int64_t n, double *x, double *y)
{
    double *noise = support_normals(21, n * 40), *factors = support_normals(22, 3 * n);
    for (int64_t i = 0; i < n; i++) {
        y[i] = factors[3 * i] + 0.1 * factors[3 * i + 2];
        for (int64_t j = 0; j < 40; j++)
            x[i * 40 + j] = j < 5 ? factors[3 * i] + 0.3 * noise[i * 40 + j]
                                  : 3.0 * factors[3 * i + 1] + noise[i * 40 + j];
    }
    free(noise);
    free(factors);
}

static void bair_finds_planted_features(void **state)
{
    (void)state;
    enum { rows = 120, cols = 40 };
    static double x[rows * cols], y[rows];
    make_planted(rows, x, y);
    const ald_matrix view = ald_matrix_row_major(x, rows, cols, cols);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, rows, 1, 1));
    ald_model *given = support_fit("bair", "n_components=1 n_features=5", &view, &target);
    ald_model *chosen = support_fit("bair", "n_components=1", &view, &target);
    const double *w = support_reals(given, "components", NULL);
    for (int j = 0; j < cols; j++) {
        assert_true(j < 5 ? w[j] > 0.3 : w[j] == 0.0);
        if (j < 5) assert_true(support_reals(chosen, "components", NULL)[j] > 0.0);
    }
    assert_in_range(atoi(ald_model_text(chosen, "alidade.resolved.n_features")), 4, 8);
    support_refused("bair", "n_components=1 n_features=41", &view, &target,
                    "`n_features` is 41, but X has 40 columns");
    support_refused("bair", "n_components=3 n_features=2", &view, &target, "bair has 2 components here");
    ald_model_free(given);
    ald_model_free(chosen);
}

/* Squared errors on the rows of a fold of a model with `size` features that saw only the others. */
static double error_of_fold(const double *x, const double *y, const int64_t *order, int64_t begin,
                            int64_t end, int64_t n, int64_t size)
{
    static double train[40 * 40], test[40 * 40], y_train[40], y_test[40], predicted[40];
    int64_t kept = 0, left = 0;
    for (int64_t i = 0; i < n; i++) {
        const int out = i >= begin && i < end;
        memcpy(out ? test + 40 * left : train + 40 * kept, x + order[i] * 40, 40 * sizeof *x);
        if (out)
            y_test[left++] = y[order[i]];
        else
            y_train[kept++] = y[order[i]];
    }
    char set[128];
    snprintf(set, sizeof set, "n_components=2 scale=standard predictor=linear n_features=%d", (int)size);
    const ald_matrix view = ald_matrix_row_major(train, kept, 40, 40),
                     new_rows = ald_matrix_row_major(test, left, 40, 40);
    const ald_target target = ald_target_real(ald_matrix_row_major(y_train, kept, 1, 1));
    ald_model *model = support_fit("bair", set, &view, &target);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double sum = 0.0;
    assert_done(ald_predict(context, model, &new_rows, predicted, &error), error);
    for (int64_t i = 0; i < left; i++) sum += (predicted[i] - y_test[i]) * (predicted[i] - y_test[i]);
    ald_context_free(context);
    ald_model_free(model);
    return sum;
}

/* The size taken is the one that models of the folds, fitted and applied from outside, do best with. */
static void bair_cross_validates(void **state)
{
    (void)state;
    enum { rows = 37 };
    static double x[rows * 40], y[rows];
    for (int seed = 0; seed < 3; seed++) {
        double *noise = support_normals((uint64_t)seed + 90, rows);
        make_planted(rows, x, y);
        for (int i = 0; i < rows; i++) y[i] += noise[i] + 0.3 * x[i * 40 + 30];
        free(noise);
        ald_random random;
        int64_t order[rows], best = 0, before = 0;
        double least = INFINITY;
        ald_random_seed(&random, (uint64_t)seed, 0);
        ald_random_permutation(&random, rows, order);
        for (int k = 0; k < 20; k++) {
            const int64_t size = llround(2.0 * pow(20.0, k / 19.0));
            double sum = 0.0;
            if (size == before) continue;
            before = size;
            for (int fold = 0; fold < 10; fold++)
                sum += error_of_fold(x, y, order, rows * fold / 10, rows * (fold + 1) / 10, rows, size);
            if (sum < least) best = size;
            least = fmin(least, sum);
        }
        char set[80];
        snprintf(set, sizeof set, "n_components=2 scale=standard random_state=%d", seed);
        const ald_matrix view = ald_matrix_row_major(x, rows, 40, 40);
        const ald_target target = ald_target_real(ald_matrix_row_major(y, rows, 1, 1));
        ald_model *model = support_fit("bair", set, &view, &target);
        assert_int_equal(atoi(ald_model_text(model, "alidade.resolved.n_features")), best);
        ald_model_free(model);
    }
    const ald_matrix few = ald_matrix_row_major(x, 3, 40, 40);
    const ald_target target = ald_target_real(ald_matrix_row_major(y, 3, 1, 1));
    support_refused("bair", "n_components=2", &few, &target, "bair has 1 component here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bair_finds_planted_features),
        cmocka_unit_test(bair_cross_validates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
