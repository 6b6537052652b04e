/* What the tables of methods and parameters claim, held against what the methods do. */
#include "base/settings/method.h"
#include "methods/predict/predictor.h"
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 36, cols = 5 };

static const ald_target_kind kinds[] = {ALD_TARGET_CLASSES, ALD_TARGET_REAL, ALD_TARGET_LABELS};
static const unsigned takes[] = {ALD_CAN_CLASSES, ALD_CAN_REAL, ALD_CAN_LABELS};

/* A target that the method takes; one response where it takes no more. */
static ald_target target_for(const ald_method *method, const support_sample *s, int kind)
{
    ald_target y = support_sample_target(s, kinds[kind]);
    if (kinds[kind] == ALD_TARGET_REAL && !(method->capabilities & ALD_CAN_RESPONSES)) y.values.cols = 1;
    return y;
}

static ald_status fit_with(const ald_method *method, int64_t n_components, const ald_matrix *x,
                           const ald_target *y, ald_model **model, ald_error *error)
{
    ald_context *context = support_context(1, NULL);
    char set[60];
    snprintf(set, sizeof set, "n_components=%lld", (long long)n_components);
    ald_settings *settings = support_settings(context, method->name, set);
    *model = NULL;
    const ald_status status = ald_fit(context, settings, x, y, model, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

static void every_default_and_grid_is_taken(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    for (int m = 0; m < ald_method_count(); m++) {
        const ald_param *param;
        ald_settings *settings = support_settings(context, ald_method_name(ald_method_at(m)), "");
        for (int i = 0; (param = ald_method_param(ald_method_at(m), i)) != NULL; i++) {
            char first[40] = "";
            ald_error error;
            const char *grid = param->grid ? param->grid : param->initial;
            snprintf(first, sizeof first, "%.*s", (int)strcspn(grid, ","), grid);
            if (strchr(first, ':')) continue;
            assert_done(ald_settings_set_text(settings, param->name, first, &error), error);
            assert_true(!param->grid || param->simpler != ALD_SIMPLER_UNKNOWN);
            assert_true(strlen(param->help) > 5);
            for (int k = 0; k < i; k++)
                assert_string_not_equal(ald_method_param(ald_method_at(m), k)->name, param->name);
        }
        ald_settings_free(settings);
    }
    ald_context_free(context);
}

/* An entry of a method's own takes the place of the engine's. */
static void own_entries_win(void **state)
{
    (void)state;
    ald_context *context = support_context(1, NULL);
    ald_settings *lsir = support_settings(context, "lsir", ""), *sir = support_settings(context, "sir", "");
    assert_string_equal(ald_settings_text(lsir, "ridge_rel"), "0.03");
    assert_string_equal(ald_settings_text(sir, "ridge_rel"), "0");
    assert_null(ald_method_param_with(ald_method_find("kspca"), ALD_PARAM_IS_NEIGHBORS)->grid);
    assert_string_equal(ald_method_param_with(ald_method_find("sdpp"), ALD_PARAM_IS_NEIGHBORS)->grid,
                        "5,10,20");
    assert_null(ald_method_param_with(ald_method_find("pls"), ALD_PARAM_IS_RIDGE));
    ald_settings_free(lsir);
    ald_settings_free(sir);
    ald_context_free(context);
}

/* Whether a method has a solver of that name, the first `length` characters of it. */
static int has_solver(const ald_method *method, const char *name, size_t length)
{
    const ald_param *solver = ald_method_param_with(method, ALD_PARAM_IS_SOLVER);
    for (int i = 0; solver && solver->choices[i]; i++)
        if (strlen(solver->choices[i]) == length && strncmp(solver->choices[i], name, length) == 0) return 1;
    return 0;
}

/* What is said to be for one solver is a parameter of no method without it. */
static void parameters_of_a_solver_have_it(void **state)
{
    (void)state;
    const ald_param *param;
    for (int m = 0; m < ald_method_count(); m++)
        for (int i = 0; (param = ald_method_param(ald_method_at(m), i)) != NULL; i++) {
            const size_t length = strcspn(param->help, ":");
            int known = 0;
            for (int k = 0; k < ald_method_count(); k++)
                known |= has_solver(ald_method_at(k), param->help, length);
            if (known && !has_solver(ald_method_at(m), param->help, length))
                fail_msg("%s has no solver for `%s`", ald_method_name(ald_method_at(m)), param->name);
        }
}

static void choices_of_predictors_are_predictors(void **state)
{
    (void)state;
    const ald_param *param = ald_method_param_with(ald_method_at(0), ALD_PARAM_IS_PREDICTOR);
    assert_string_equal(param->choices[0], "none");
    for (int i = 1; param->choices[i]; i++) assert_non_null(ald_predictor_find(param->choices[i]));
}

static void own_rules_are_as_declared(void **state)
{
    (void)state;
    support_sample s = support_sample_make(rows, cols, 3);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < 3; k++) {
            const ald_method *method = ald_method_at(m);
            const ald_target y = target_for(method, &s, k);
            ald_model *model;
            ald_error error;
            if (!(method->capabilities & takes[k])) continue;
            const ald_status status = fit_with(method, 0, &s.view, &y, &model, &error);
            const int refused = status < 0 && strstr(error.message, "no rule for the number") != NULL;
            if (refused != (method->own_rule == ALD_NO_OWN_RULE))
                fail_msg("%s: %s", method->name, error.message);
            ald_model_free(model);
        }
    support_sample_free(&s);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t bound_of(const ald_method *method, const ald_target *y)
{
    int64_t bound = 1000;
    int64_t of_target = y->kind == ALD_TARGET_CLASSES ? y->n_classes - 1 : y->values.cols;
    if (y->kind == ALD_TARGET_REAL && ald_method_param_with(method, ALD_PARAM_IS_SLICES)) of_target = 10 - 1;
    if (method->bounds & ALD_BY_COLUMNS) bound = least(bound, cols);
    if (method->bounds & ALD_BY_ROWS) bound = least(bound, rows - 1);
    if (method->bounds & ALD_BY_TARGET) bound = least(bound, of_target);
    return bound;
}

static void no_method_has_more_components_than_declared(void **state)
{
    (void)state;
    support_sample s = support_sample_make(rows, cols, 4);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < 3; k++) {
            const ald_method *method = ald_method_at(m);
            const ald_target y = target_for(method, &s, k);
            ald_model *model;
            ald_error error;
            if (!(method->capabilities & takes[k])) continue;
            assert_true(method->bounds != 0);
            if (fit_with(method, bound_of(method, &y) + 1, &s.view, &y, &model, &error) >= 0)
                fail_msg("%s has more than %lld components", method->name, (long long)bound_of(method, &y));
            ald_model_free(model);
        }
    support_sample_free(&s);
}

/* Scores of the training rows; 0 if the fit fails. */
static int scores(const ald_method *method, const ald_matrix *x, const ald_target *y, double *z)
{
    ald_context *context = support_context(1, NULL);
    ald_model *model;
    ald_error error;
    const int done = fit_with(method, 1, x, y, &model, &error) >= 0;
    if (done) assert_done(ald_transform(context, model, x, z, &error), error);
    ald_model_free(model);
    ald_context_free(context);
    return done;
}

/* Columns in other units: the scores stay, up to their sign, where a method says so. */
static void scale_free_methods_are(void **state)
{
    (void)state;
    support_sample s = support_sample_make(rows, cols, 5), t = support_sample_make(rows, cols, 5);
    int checked = 0;
    for (int64_t i = 0; i < rows * cols; i++) t.x[i] *= pow(4.0, (double)(i % cols) - 2.0);
    for (int m = 0; m < ald_method_count(); m++)
        for (int k = 0; k < 3; k++) {
            const ald_method *method = ald_method_at(m);
            const ald_target y = target_for(method, &s, k);
            double z[rows], other[rows], dot = 0.0;
            if (!method->scale_free || !(method->capabilities & takes[k]) || !scores(method, &s.view, &y, z))
                continue;
            assert_true(scores(method, &t.view, &y, other));
            for (int i = 0; i < rows; i++) dot += z[i] * other[i];
            for (int i = 0; i < rows; i++) other[i] *= dot < 0.0 ? -1.0 : 1.0;
            if (!(support_largest_difference(rows, z, other) < 1e-8 * support_norm(rows, z)))
                fail_msg("%s depends on the units of the columns", method->name);
            checked++;
        }
    assert_true(checked >= 10);
    support_sample_free(&s);
    support_sample_free(&t);
}

/* Rotations of X (ald_turning): scores and predictions of a method whose table says so are the same for X and
 * for X R, R orthogonal, on tall rows and on wide ones.
 *
 * R changes X by some eps, and the methods see conditions up to about 1e4 here: cfml, whose own ridge is 1e-8
 * of the largest eigenvalue, is given a larger one. */

enum { new_rows = 11 };

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
            if (method->capabilities & takes[kind])
                compare_with_rotated(method, set, &samples[k], target_for(method, &samples[k], kind));
        }
}

static void rotations_change_no_score(void **state)
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
        cmocka_unit_test(every_default_and_grid_is_taken),
        cmocka_unit_test(own_entries_win),
        cmocka_unit_test(parameters_of_a_solver_have_it),
        cmocka_unit_test(choices_of_predictors_are_predictors),
        cmocka_unit_test(own_rules_are_as_declared),
        cmocka_unit_test(no_method_has_more_components_than_declared),
        cmocka_unit_test(scale_free_methods_are),
        cmocka_unit_test(rotations_change_no_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
