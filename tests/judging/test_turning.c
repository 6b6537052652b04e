/* Rotations of X (ald_turning): scores and predictions of a method whose table says so are the same for X and
 * for X R, R orthogonal, on tall rows and on wide ones.
 *
 * R changes X by some eps, and the methods see conditions up to about 1e4 here: cfml, whose own ridge is 1e-8
 * of the largest eigenvalue, is given a larger one. */
#include "base/settings/method.h"
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { new_rows = 11 };

static const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};
static const unsigned takes[] = {ALD_CAN_CLASSES, ALD_CAN_REAL, ALD_CAN_LABELS};

/* x <- x R in place, by reflections at random vectors: a product of d of them is any rotation. */
static void rotate(int64_t n, int64_t d, double *x)
{
    ald_random random;
    double *v = malloc((size_t)d * sizeof *v);
    ald_random_seed(&random, 3, 5);
    for (int64_t k = 0; k < d; k++) {
        double square = 0.0;
        for (int64_t j = 0; j < d; j++) {
            v[j] = ald_random_normal(&random);
            square += v[j] * v[j];
        }
        for (int64_t i = 0; i < n; i++) {
            double along = 0.0;
            for (int64_t j = 0; j < d; j++) along += x[i * d + j] * v[j];
            for (int64_t j = 0; j < d; j++) x[i * d + j] -= 2.0 * along / square * v[j];
        }
    }
    free(v);
}

/* Scores of all rows of s by a fit to all but the last few, and predictions of these. */
typedef struct found {
    ald_status status;
    int64_t r;
    double *scores, *predictions;
    int64_t n_predictions;
    ald_error error;
} found;

static found find(const ald_method *method, const char *set, const support_sample *s, ald_target y,
                  const double *x)
{
    ald_context *context = support_context(1, NULL);
    ald_settings *settings = support_settings(context, method->name, set);
    const int64_t n = s->n - new_rows;
    const ald_matrix train = ald_matrix_row_major(x, n, s->d, s->d),
                     all = ald_matrix_row_major(x, s->n, s->d, s->d);
    ald_model *model = NULL;
    found f = {0};
    y.rows = n;
    y.values.rows = n;
    f.status = ald_fit(context, settings, &train, &y, &model, &f.error);
    if (f.status >= 0) {
        const ald_prediction_shape shape = support_prediction_shape(model);
        f.r = ald_model_component_count(model);
        f.n_predictions = s->n * shape.scores;
        f.scores = malloc((size_t)(s->n * f.r) * sizeof *f.scores);
        f.predictions = malloc((size_t)f.n_predictions * sizeof *f.predictions);
        assert_done(ald_transform(context, model, &all, f.scores, &f.error), f.error);
        assert_done(ald_predict_scores(context, model, &all, f.predictions, &f.error), f.error);
    }
    ald_model_free(model);
    ald_settings_free(settings);
    ald_context_free(context);
    return f;
}

static void free_found(found *f)
{
    free(f->scores);
    free(f->predictions);
}

/* The largest difference of column k as a part of its largest entry, up to its sign. */
static double apart(int64_t n, int64_t r, int64_t k, const double *a, const double *b)
{
    double plus = 0.0, minus = 0.0, largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        plus = fmax(plus, fabs(a[i * r + k] - b[i * r + k]));
        minus = fmax(minus, fabs(a[i * r + k] + b[i * r + k]));
        largest = fmax(largest, fabs(a[i * r + k]));
    }
    return fmin(plus, minus) / largest;
}

static double largest_difference(const found *a, const found *b, int64_t n)
{
    double worst = 0.0, size = 0.0, change = 0.0;
    for (int64_t k = 0; k < a->r; k++) worst = fmax(worst, apart(n, a->r, k, a->scores, b->scores));
    for (int64_t i = 0; i < a->n_predictions; i++) {
        size = fmax(size, fabs(a->predictions[i]));
        change = fmax(change, fabs(a->predictions[i] - b->predictions[i]));
    }
    return fmax(worst, change / size);
}

static void compare_with_rotated(const ald_method *method, const char *set, const support_sample *s,
                                 ald_target y)
{
    double *turned = malloc((size_t)(s->n * s->d) * sizeof *turned);
    memcpy(turned, s->x, (size_t)(s->n * s->d) * sizeof *turned);
    rotate(s->n, s->d, turned);
    found a = find(method, set, s, y, s->x), b = find(method, set, s, y, turned);
    assert_true(a.status >= 0 && b.status >= 0 && a.r == b.r);
    const double worst = largest_difference(&a, &b, s->n);
    print_message("%s %s, target %d, %lld columns: %.1e\n", method->name, set, (int)y.kind, (long long)s->d,
                  worst);
    assert_true(worst < 1e-10);
    free_found(&a);
    free_found(&b);
    free(turned);
}

/* Every kind of target that it takes, on both samples. */
static void compare_on(const ald_method *method, const char *set, const support_sample *samples)
{
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < 2; k++) {
            ald_target y = support_sample_target(&samples[k], kinds[kind]);
            if (!(method->capabilities & takes[kind])) continue;
            if (kinds[kind] == ALD_TARGET_REAL && !(method->capabilities & ALD_CAN_RESPONSES))
                y.values.cols = 1;
            compare_with_rotated(method, set, &samples[k], y);
        }
}

static void scores_and_predictions_are_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        ald_turning turning;
        unsigned needs; /* a trait of a parameter; 0: none */
    } sets[] = {
        {"n_components=2 predictor=linear ridge_rel=1e-4", ALD_TURNED_ROWS, ALD_PARAM_IS_RIDGE_REL},
        {"n_components=1 predictor=knn ridge_rel=0.1", ALD_TURNED_ROWS, ALD_PARAM_IS_RIDGE_REL},
        {"n_components=2 predictor=linear", ALD_TURNED_ROWS, 0},
        {"n_components=2 predictor=linear", ALD_TURNED_DISTANCES, 0},
        {"n_components=1 predictor=knn landmarks=12", ALD_TURNED_DISTANCES, 0},
        {"n_components=2 predictor=linear landmarks=12 landmark_choice=kmeans", ALD_TURNED_DISTANCES, 0},
        {"n_components=2 predictor=linear landmarks=12 landmark_choice=leverage", ALD_TURNED_DISTANCES, 0},
    };
    support_sample samples[] = {support_sample_make(70, 6, 1), support_sample_make(41, 67, 2)};
    for (int m = 0; m < ald_method_count(); m++)
        for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
            const ald_method *method = ald_method_at(m);
            const int ridge = ald_method_param_with(method, ALD_PARAM_IS_RIDGE_REL) != NULL;
            if (method->turning != sets[i].turning || (sets[i].needs && !ridge)) continue;
            if (!sets[i].needs && ridge && method->inverse == ALD_INVERTS_OTHER &&
                method->turning == ALD_TURNED_ROWS)
                continue;
            compare_on(method, sets[i].set, samples);
        }
    for (int k = 0; k < 2; k++) support_sample_free(&samples[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_predictions_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
