/* sdpp on the data of the papers: linear regression on the projection, ten random splits into two thirds and
 * a third.
 */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { splits = 10, most = 4 };

typedef struct rows {
    int64_t n, d, train;
    double *x, *y; /* in the order of the split */
    ald_dataset *data;
} rows;

static rows load(const char *folder, const char *file, const char *target, const char *ignore)
{
    char path[512];
    rows t = {0};
    ald_error error;
    ald_context *context = support_context(1, NULL);
    const ald_load_options options = {
        .size = sizeof options,
        .target = target,
        .ignore = ignore,
        .task = "regression",
    };
    snprintf(path, sizeof path, "%s/%s", folder, file);
    assert_done(ald_dataset_load(context, path, &options, &t.data, &error), error);
    ald_context_free(context);
    t.n = ald_dataset_x(t.data)->rows;
    t.d = ald_dataset_x(t.data)->cols;
    t.train = llround((double)t.n * 2.0 / 3.0);
    t.x = malloc((size_t)(t.n * t.d) * sizeof *t.x);
    t.y = malloc((size_t)t.n * sizeof *t.y);
    return t;
}

static void unload(rows *t)
{
    ald_dataset_free(t->data);
    free(t->x);
    free(t->y);
}

static void shuffle(rows *t, uint64_t split, double unit)
{
    const ald_matrix *x = ald_dataset_x(t->data), *y = &ald_dataset_target(t->data)->values;
    int64_t *order = malloc((size_t)t->n * sizeof *order);
    ald_random random;
    ald_random_seed(&random, 2013, split);
    ald_random_permutation(&random, t->n, order);
    for (int64_t i = 0; i < t->n; i++) {
        for (int64_t j = 0; j < t->d; j++)
            t->x[i * t->d + j] = ((const double *)x->values)[order[i] * x->row_stride + j * x->col_stride];
        t->y[i] = unit * ((const double *)y->values)[order[i] * y->row_stride];
    }
    free(order);
}

/* Root mean square error on the rows that were not fitted. */
static double error_of(const rows *t, const char *method, const char *set)
{
    const ald_matrix x = ald_matrix_row_major(t->x, t->train, t->d, t->d),
                     test = ald_matrix_row_major(t->x + t->train * t->d, t->n - t->train, t->d, t->d);
    const ald_target y = ald_target_real(ald_matrix_row_major(t->y, t->train, 1, 1));
    ald_model *model = support_fit(method, set, &x, &y);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double *predicted = malloc((size_t)(t->n - t->train) * sizeof *predicted);
    double sum = 0.0;
    assert_done(ald_predict(context, model, &test, predicted, &error), error);
    for (int64_t i = t->train; i < t->n; i++) sum += pow(predicted[i - t->train] - t->y[i], 2.0);
    free(predicted);
    ald_context_free(context);
    ald_model_free(model);
    return sqrt(sum / (double)(t->n - t->train));
}

/* Means over the splits for r = 1 .. 4. */
static void errors_of(rows *t, const char *method, const char *options, double unit, double means[most])
{
    for (int r = 0; r < most; r++) means[r] = 0.0;
    for (uint64_t split = 0; split < splits; split++) {
        shuffle(t, split, unit);
        for (int r = 1; r <= most; r++) {
            char set[200];
            snprintf(set, sizeof set, "n_components=%d predictor=linear %s", r, options);
            means[r - 1] += error_of(t, method, set) / splits;
        }
    }
    print_message("%-5s %-50s RMSE %.2f %.2f %.2f %.2f\n", method, options, means[0], means[1], means[2],
                  means[3]);
}

static void check_bars(const double means[most], const double bars[most])
{
    for (int r = 0; r < most; r++) assert_below(means[r], bars[r]);
}

static const char *shared_data_or_skip(void)
{
    const char *folder = support_shared_data();
    if (!folder) {
        print_message("ALD_SHARED_DATA names no folder of data sets: skipped\n");
        skip();
    }
    return folder;
}

static void servo(void **state)
{
    (void)state;
    double means[most];
    rows t = load(shared_data_or_skip(), "servo.csv", "y", NULL);
    errors_of(&t, "sdpp", "scale=standard n_neighbors=20", 1.0, means);
    check_bars(means, (double[]){1.30, 1.26, 1.24, 1.25});
    /* All four directions: any projection of full rank predicts as least squares does. */
    for (uint64_t split = 0; split < splits; split++) {
        shuffle(&t, split, 1.0);
        assert_close(error_of(&t, "sdpp", "n_components=4 predictor=linear scale=standard n_neighbors=20"),
                     error_of(&t, "pca", "n_components=4 predictor=linear scale=standard"), 1e-6);
    }
    unload(&t);
}

static void auto_price(void **state)
{
    (void)state;
    double means[most];
    rows t = load(shared_data_or_skip(), "autoprice.csv", "price", NULL);
    errors_of(&t, "sdpp", "scale=standard n_neighbors=20", 1e-3, means);
    check_bars(means, (double[]){3.4, 3.3, 3.2, 3.2});
    unload(&t);
}

static void tecator(void **state)
{
    (void)state;
    double means[most], pls[most];
    rows t = load(support_data(), "tecator.csv", "fat", "water,protein");
    errors_of(&t, "sdpp", "row_scale=standard n_neighbors=20 pca_dims=12", 1.0, means);
    errors_of(&t, "pls", "row_scale=standard", 1.0, pls);
    check_bars(means, (double[]){3.1, 2.8, 2.7, 2.6});
    assert_below(means[0], 0.55 * pls[0]);
    unload(&t);
}

/* All 100 columns overfit at convergence; stopping early, or a ridge, does not. */
static void tecator_overfits(void **state)
{
    (void)state;
    double full = 0.0, early = 0.0, ridge = 0.0;
    rows t = load(support_data(), "tecator.csv", "fat", "water,protein");
    for (uint64_t split = 0; split < splits; split++) {
        shuffle(&t, split, 1.0);
#define COMMON                                                                                               \
    "n_components=1 predictor=linear row_scale=standard n_neighbors=20 solver=cg n_starts=2 tol=1e-6 "
        full += error_of(&t, "sdpp", COMMON) / splits;
        early += error_of(&t, "sdpp", COMMON "early_stopping=0.2") / splits;
        ridge += error_of(&t, "sdpp", COMMON "ridge_rel=0.01") / splits;
    }
    print_message(
        "tecator, 100 columns, r = 1: RMSE %.2f at convergence, %.2f with early_stopping=0.2, %.2f with "
        "ridge_rel=0.01\n",
        full, early, ridge);
    assert_below(early, 0.75 * full);
    assert_below(ridge, 0.75 * full);
    assert_below(early, 3.3);
    unload(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(servo),
        cmocka_unit_test(auto_price),
        cmocka_unit_test(tecator),
        cmocka_unit_test(tecator_overfits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
