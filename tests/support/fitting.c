#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ald_status try_fit(const char *method, const char *set, const ald_inputs *inputs, int threads,
                          ald_model **model, ald_error *error)
{
    ald_context *context = support_context(threads, NULL);
    ald_settings *settings = support_settings(context, method, set);
    const ald_status status = ald_fit_inputs(context, settings, inputs, model, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

ald_model *support_fit_inputs(const char *method, const char *set, const ald_inputs *inputs, int threads)
{
    ald_model *model;
    ald_error error;
    const ald_status status = try_fit(method, set, inputs, threads, &model, &error);
    assert_done(status, error);
    if (status != ALD_OK) fail_msg("%s %s: %s", method, set, error.message);
    return model;
}

ald_model *support_fit(const char *method, const char *set, const ald_matrix *x, const ald_target *y)
{
    return support_fit_inputs(method, set, &(ald_inputs){.size = sizeof(ald_inputs), .x = x, .y = y}, 1);
}

void support_refused(const char *method, const char *set, const ald_matrix *x, const ald_target *y,
                     const char *part)
{
    ald_model *model;
    ald_error error;
    assert_true(try_fit(method, set, &(ald_inputs){.size = sizeof(ald_inputs), .x = x, .y = y}, 1, &model,
                        &error) < 0);
    assert_null(model);
    if (!strstr(error.message, part)) fail_msg("'%s' does not say '%s'", error.message, part);
}

const double *support_reals(const ald_model *model, const char *name, int64_t *rows)
{
    ald_array array;
    if (!ald_model_array(model, name, &array)) fail_msg("no array %s", name);
    if (rows) *rows = array.shape[0];
    return array.data;
}

double support_resolved(const ald_model *model, const char *name)
{
    char key[128];
    snprintf(key, sizeof key, "alidade.resolved.%s", name);
    const char *text = ald_model_text(model, key);
    if (!text) fail_msg("no %s", key);
    return strtod(text, NULL);
}

double support_degrees(const ald_model *model, const double *truth)
{
    int64_t r;
    const double *w = support_reals(model, "components", &r);
    return asin(fmin(1.0, support_sine(r, ald_model_feature_count(model), w, truth))) * 180.0 / acos(-1.0);
}

void support_assert_same_model(const ald_model *a, const ald_model *b, double tolerance)
{
    int64_t r, other;
    const double *one = support_reals(a, "components", &r), *two = support_reals(b, "components", &other);
    const int64_t size = r * ald_model_feature_count(a);
    assert_int_equal(r, other);
    const double *values = support_reals(a, "eigenvalues", NULL);
    assert_below(support_largest_difference(size, one, two), tolerance * support_norm(size, one));
    assert_below(support_largest_difference(r, values, support_reals(b, "eigenvalues", NULL)),
                 tolerance * fabs(values[0]));
}

support_sample support_sample_make(int64_t n, int64_t d, uint64_t seed)
{
    support_sample s = {
        .n = n,
        .d = d,
        .x = support_normals(seed, n * d),
        .responses = support_normals(seed + 1, 3 * n),
    };
    s.labels = malloc((size_t)(3 * n) * sizeof *s.labels);
    s.classes = malloc((size_t)n * sizeof *s.classes);
    for (int64_t i = 0; i < n; i++) {
        s.classes[i] = (i % 7 >= 3) + (i % 7 >= 5);
        for (int64_t j = 0; j < d; j++)
            s.x[i * d + j] = (double)(float)(s.x[i * d + j] * (1.0 + (double)(j % 4)));
        s.x[i * d + s.classes[i]] += 3.0;
        for (int k = 0; k < 3; k++) {
            s.responses[i * 3 + k] = 0.3 * s.responses[i * 3 + k] + s.x[i * d + k] - s.x[i * d + 3];
            s.labels[i * 3 + k] = s.responses[i * 3 + k] > 0.5;
        }
    }
    s.view = ald_matrix_row_major(s.x, n, d, d);
    return s;
}

void support_sample_free(support_sample *s)
{
    free(s->x);
    free(s->responses);
    free(s->labels);
    free(s->classes);
}

ald_target support_sample_target(const support_sample *s, ald_target_kind kind)
{
    if (kind == ALD_TARGET_CLASSES) return ald_target_classes(s->classes, s->n, 3);
    if (kind == ALD_TARGET_REAL) return ald_target_real(ald_matrix_row_major(s->responses, s->n, 3, 3));
    return ald_target_labels(ald_matrix_row_major(s->labels, s->n, 3, 3));
}

ald_prediction_shape support_prediction_shape(const ald_model *model)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    assert_true(ald_model_prediction_shape(model, &shape));
    return shape;
}
