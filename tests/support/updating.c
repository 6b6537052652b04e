#include "support/updating.h"

#include "support/support.h"

#include "data/encode/dataset.h"

#include <float.h>
#include <math.h>
#include <string.h>

void updating_sample(sample *s)
{
    ald_random random;
    ald_random_seed(&random, 5, 0);
    s->weighted = s->single = 0;
    for (int i = 0; i < n; i++) {
        s->classes[i] = i % 3;
        s->weights[i] = i % 7 ? 0.1 + ald_random_uniform(&random) : 0.0;
        for (int j = 0; j < d; j++) {
            const double value = (1.0 + j) * ald_random_normal(&random) + 3.0 * j + (j == i % 3 ? 4.0 : 0.0) +
                                 (i >= first ? 0.5 : 0.0);
            s->x[i * d + j] = ald_random_below(&random, 4) ? value : 0.0;
        }
        for (int k = 0; k < q; k++) {
            s->responses[i * q + k] =
                s->x[i * d + k] - 0.5 * s->x[i * d + k + 3] + 0.3 * ald_random_normal(&random) + 10.0;
            s->labels[i * q + k] = s->responses[i * q + k] > 12.0;
        }
    }
}

static ald_target plain_target_of(const sample *s, ald_target_kind kind, int64_t from, int64_t rows)
{
    if (kind == ALD_TARGET_CLASSES) return ald_target_classes(s->classes + from, rows, 3);
    if (kind == ALD_TARGET_REAL)
        return ald_target_real(ald_matrix_row_major(s->responses + from * q, rows, s->single ? 1 : q, q));
    if (kind == ALD_TARGET_LABELS)
        return ald_target_labels(ald_matrix_row_major(s->labels + from * q, rows, q, q));
    return (ald_target){.rows = rows};
}

ald_target updating_target(const sample *s, ald_target_kind kind, int64_t from, int64_t rows)
{
    ald_target target = plain_target_of(s, kind, from, rows);
    target.weights = s->weighted ? s->weights + from : NULL;
    return target;
}

const char *updating_needs(const char *method, ald_target_kind kind)
{
    if (strcmp(method, "phd") == 0) return " variant=response";
    return strcmp(method, "spca") == 0 && kind == ALD_TARGET_REAL ? " response_kernel=linear" : "";
}

ald_model *updating_fit(const char *method, const char *set, const ald_matrix *x, const ald_target *y)
{
    ald_context *context = support_context(2, NULL);
    ald_settings *settings = support_settings(context, method, set);
    ald_model *model;
    ald_error error;
    const ald_status status =
        ald_fit(context, settings, x, y->kind == ALD_TARGET_NONE && !y->weights ? NULL : y, &model, &error);
    if (status < 0) print_error("%s %s\n", method, set);
    assert_done(status, error);
    ald_settings_free(settings);
    ald_context_free(context);
    return model;
}

ald_status updating_update(const ald_model *model, const ald_matrix *x, const ald_target *y, int take_away,
                           ald_model **updated, ald_error *error)
{
    ald_context *context = support_context(2, NULL);
    const ald_dataset data = {.x = *x, .target = *y};
    const ald_status status = ald_update(context, model, &data, take_away, updated, error);
    ald_context_free(context);
    return status;
}

double updating_tolerance(const char *method)
{
    return strcmp(method, "lad") == 0 ? 10.0 * sqrt(DBL_EPSILON) : 1e-9;
}

void updating_assert_same(const ald_model *a, const ald_model *b, double tolerance)
{
    ald_array one, two;
    for (int i = 0; ald_model_array_at(a, i, &one); i++) {
        if (strcmp(one.name, "statistics/lost") == 0) continue; /* a bound, which grows */
        if (!ald_model_array(b, one.name, &two)) fail_msg("no array %s", one.name);
        int64_t count = 1;
        for (int k = 0; k < one.dims; k++) {
            if (strncmp(one.name, "statistics/", 11) != 0) assert_int_equal(one.shape[k], two.shape[k]);
            count *= one.shape[k];
        }
        if (strncmp(one.name, "statistics/", 11) == 0 && one.shape[0] != two.shape[0])
            continue; /* a pattern left with 0 rows */
        const double size = support_norm(count, one.data),
                     apart = support_largest_difference(count, one.data, two.data);
        if (!(apart <= tolerance * (size > 1.0 ? size : 1.0)))
            fail_msg("%s differs by %.3g (size %.3g)", one.name, apart, size);
    }
    assert_string_equal(ald_model_text(a, "alidade.n_samples"), ald_model_text(b, "alidade.n_samples"));
}
