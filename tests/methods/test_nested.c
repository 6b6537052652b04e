/* Methods that call themselves nested: the first directions of a larger fit are those of a smaller one, for
 * every kind of target and storage they take. alidade compare fits such a method once for all numbers of
 * directions. */
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { rows = 90, cols = 8, most = 4, labels = 5 };

typedef struct sample {
    double x[rows * cols], y[rows * labels], flags[rows * labels];
    int32_t classes[rows];
} sample;

static void make_sample(sample *s)
{
    ald_random random;
    ald_random_seed(&random, 5, 0);
    for (int i = 0; i < rows; i++) {
        s->classes[i] = i % 6;
        for (int j = 0; j < cols; j++)
            s->x[i * cols + j] =
                (1.0 + 0.5 * j) * ald_random_normal(&random) + (j == s->classes[i] ? 3.0 : 0.0);
        for (int k = 0; k < labels; k++) {
            s->y[i * labels + k] =
                s->x[i * cols + k] + 0.5 * pow(s->x[i * cols + k + 1], 2) + 0.1 * ald_random_normal(&random);
            s->flags[i * labels + k] = s->y[i * labels + k] > 1.0;
        }
    }
}

/* One parameter set to one value, or "". */
typedef struct way {
    const char *method, *name, *value;
} way;

static ald_status fit(ald_context *context, const way *w, const sample *s, const ald_target *y, int r,
                      double *z)
{
    const ald_matrix x = ald_matrix_row_major(s->x, rows, cols, cols);
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    ald_error error;
    assert_done(ald_settings_new(context, w->method, &settings, &error), error);
    assert_done(ald_settings_set_int(settings, "n_components", r, &error), error);
    if (w->name) assert_done(ald_settings_set_text(settings, w->name, w->value, &error), error);
    ald_status status = ald_fit(context, settings, &x, y, &model, &error);
    if (status >= 0 && ald_model_component_count(model) != r) status = ALD_ERROR_DATA;
    if (status >= 0) status = ald_transform(context, model, &x, z, &error);
    ald_model_free(model);
    ald_settings_free(settings);
    return status;
}

/* How far the first r columns are from those of a fit with `of`, as a part of their length. */
static double distance(const double *z, int r, const double *large, int of)
{
    double worst = 0.0;
    for (int k = 0; k < r; k++) {
        double difference = 0.0, length = 0.0;
        for (int i = 0; i < rows; i++) {
            difference += pow(z[i * r + k] - large[i * of + k], 2);
            length += pow(large[i * of + k], 2);
        }
        worst = fmax(worst, sqrt(difference / length));
    }
    return worst;
}

/* Eigenvectors of well separated eigenvalues, which these data have: rounding times a condition of 1e3 or so,
 * and what an iterative solver leaves (1e-10 by itself). 0 where two directions cannot be had. */
static int check(ald_context *context, const way *w, const sample *s, const ald_target *y)
{
    static double z[rows * most], large[rows * most];
    int of = most;
    while (of > 1 && fit(context, w, s, y, of, large) < 0) of--;
    for (int r = 1; r < of; r++) {
        assert_true(fit(context, w, s, y, r, z) >= 0);
        const double worst = distance(z, r, large, of);
        if (!(worst < 1e-7))
            print_error("%s %s=%s with %d of %d directions\n", w->method, w->name ? w->name : "",
                        w->value ? w->value : "", r, of);
        assert_below(worst, 1e-7);
    }
    return of > 1;
}

/* With its defaults and with every choice that it has. */
static int check_choices(ald_context *context, const ald_method *method, const sample *s, const ald_target *y)
{
    way w = {.method = ald_method_name(method)};
    const ald_param *param;
    int checked = check(context, &w, s, y);
    for (int i = 0; checked && (param = ald_method_param(method, i)) != NULL; i++)
        for (int k = 0; param->type == ALD_PARAM_CHOICE && param->choices[k]; k++) {
            if (strcmp(param->name, "predictor") == 0) continue;
            w.name = param->name;
            w.value = param->choices[k];
            check(context, &w, s, y);
        }
    return checked;
}

static void nested_methods_are(void **state)
{
    (void)state;
    static sample s;
    make_sample(&s);
    const ald_target targets[] = {
        ald_target_classes(s.classes, rows, 6),
        ald_target_real(ald_matrix_row_major(s.y, rows, 1, labels)),
        ald_target_real(ald_matrix_row_major(s.y, rows, labels, labels)),
        ald_target_labels(ald_matrix_row_major(s.flags, rows, labels, labels)),
    };
    ald_context *context = support_context(1, NULL);
    int nested = 0;
    for (int i = 0; i < ald_method_count(); i++) {
        const ald_method *method = ald_method_at(i);
        int checked = 0;
        if (!(ald_method_capabilities(method) & ALD_IS_NESTED)) continue;
        for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
            checked += check_choices(context, method, &s, &targets[t]);
        if (!checked) print_error("%s was not checked at all\n", ald_method_name(method));
        assert_true(checked > 0);
        nested++;
    }
    assert_true(nested >= 10);
    ald_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nested_methods_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
