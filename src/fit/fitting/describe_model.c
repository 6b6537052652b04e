/* What a model says about itself: method, settings, target and names as texts, mean and scale as arrays. */
#include "base/core/text.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "io/modelfile/modelfile.h"
#include "math/device/card.h"
#include "methods/engines/problem.h"

#include <math.h>
#include <string.h>

static const char *const target_names[] = {
    [ALD_TARGET_NONE] = "none",
    [ALD_TARGET_CLASSES] = "classes",
    [ALD_TARGET_REAL] = "real",
    [ALD_TARGET_LABELS] = "labels",
};

static ald_status describe_settings(ald_run *run, ald_model *model)
{
    char key[128] = "alidade.param.";
    char *name = key + strlen(key);
    const ald_param *param;
    for (int i = 0; (param = ald_settings_param_at(run->settings, i)) != NULL; i++) {
        strcpy(name, param->name);
        ALD_TRY(ald_model_set_text(run, model, key, ald_settings_text_at(run->settings, i)));
    }
    return ALD_OK;
}

ald_status ald_model_set_names(ald_run *run, ald_model *model, const char *key, const char *const *names,
                               int64_t count)
{
    ald_text list;
    ald_text_init(&list, &run->scratch);
    ALD_TRY(ald_text_add(run, &list, "[", 1));
    for (int64_t i = 0; i < count; i++) {
        if (i) ALD_TRY(ald_text_add(run, &list, ", ", 2));
        ALD_TRY(ald_text_json(run, &list, names[i] ? names[i] : ""));
    }
    ALD_TRY(ald_text_add(run, &list, "]", 1));
    return ald_model_set_text(run, model, key, list.data);
}

static ald_status describe_target(ald_run *run, const ald_target *y, ald_model *model)
{
    ALD_TRY(ald_model_set_text(run, model, "alidade.target", target_names[y->kind]));
    if (!y->names || y->kind == ALD_TARGET_NONE) return ALD_OK;
    const int classes = y->kind == ALD_TARGET_CLASSES;
    return ald_model_set_names(run, model, classes ? "alidade.class_names" : "alidade.response_names",
                               y->names, classes ? y->n_classes : y->values.cols);
}

ald_status ald_model_describe(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int steps = ald_common_settings_of(run->settings).rows.count > 0;
    ALD_TRY(ald_model_set_printed(run, model, "alidade.format", "%d",
                                  steps ? ALD_MODEL_FORMAT_STEPS : ALD_MODEL_FORMAT_PLAIN));
    ALD_TRY(ald_model_set_text(run, model, "alidade.version", ald_version()));
    ALD_TRY(ald_model_set_text(run, model, "alidade.method", ald_settings_method(run->settings)->name));
    ALD_TRY(ald_model_set_text(run, model, "alidade.map", "linear"));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.n_samples", "%.0f", problem->samples));
    if (problem->total != problem->samples)
        ALD_TRY(ald_model_set_real(run, model, "alidade.total_weight", problem->total));
    ALD_TRY(ald_model_set_printed(run, model, "alidade.n_features", "%lld", (long long)problem->d));
    ALD_TRY(describe_target(run, problem->target, model));
    return describe_settings(run, model);
}

/* Which array shows the number of components, by the map that the method chose (linear by default). */
static ald_status count_components(ald_run *run, const ald_model *model, const char *map, int64_t *count)
{
    static const struct {
        const char *map, *array;
        int dimension;
    } places[] = {
        {"linear", "components", 0},
        {"features", "components", 0},
        {"kernel", "coefficients", 1},
        {"none", "embedding", 1},
    };
    ald_array array;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].map, map) == 0 && ald_model_array(model, places[i].array, &array)) {
            *count = array.shape[places[i].dimension];
            return ALD_OK;
        }
    return ald_fail(run->error, ALD_ERROR_NUMERICAL, "the method produced no components");
}

ald_status ald_model_complete(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const char *map = ald_model_text(model, "alidade.map");
    const int linear = strcmp(map, "linear") == 0;
    ald_array array;
    int64_t count = 0;
    ALD_TRY(count_components(run, model, map, &count));
    if (linear && !ald_model_array(model, "mean", &array))
        ALD_TRY(ald_model_add_vector(run, model, "mean", problem->d, problem->x.mean));
    if (problem->scale) ALD_TRY(ald_model_add_vector(run, model, "scale", problem->d, problem->scale));
    return ald_model_set_printed(run, model, "alidade.n_components", "%lld", (long long)count);
}

static ald_status find_bad(ald_run *run, const ald_array *array, int64_t *row)
{
    enum { across = 64 }; /* in rows, for all threads, and what is left */
    const double *values = array->data;
    int64_t count = 1, column;
    for (int k = 0; k < array->dims; k++) count *= array->shape[k];
    const int64_t rows = count / across, rest = count - rows * across;
    const ald_matrix most = ald_matrix_row_major(values, rows, across, across),
                     last = ald_matrix_row_major(values + rows * across, 1, rest, rest);
    ALD_TRY(ald_matrix_find_bad(run, &most, row, &column));
    return *row < 0 ? ald_matrix_find_bad(run, &last, row, &column) : ALD_OK;
}

/* A net under all methods: a model that could not be read again is none. */
static ald_status check_result(ald_run *run, const ald_model *model)
{
    int64_t row;
    for (int i = 0; i < model->n_arrays; i++) {
        if (model->arrays[i].type != ALD_ARRAY_F64) continue;
        ALD_TRY(find_bad(run, &model->arrays[i], &row));
        if (row >= 0)
            return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                            "the fit produced numbers that are not finite (in '%s'): X, the target or a "
                            "parameter is too large or too small; scale X (`scale=standard`)",
                            model->arrays[i].name);
    }
    return ALD_OK;
}

ald_status ald_fit_note(ald_run *run, ald_model *model)
{
    ALD_TRY(check_result(run, model));
    if (run->on_card)
        ALD_TRY(ald_model_set_text(run, model, "alidade.resolved.device", run->context->device->facts.name));
    if (run->warning == ALD_OK) return ALD_OK;
    return ald_model_set_text(run, model, "alidade.warning", run->error->message);
}

ald_status ald_copy_names(ald_run *run, const ald_model *from, ald_model *to)
{
    static const char *const keys[] = {
        "alidade.feature_names",
        "alidade.class_names",
        "alidade.response_names",
        "alidade.schema",
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ald_model_text(from, keys[i]))
            ALD_TRY(ald_model_set_text(run, to, keys[i], ald_model_text(from, keys[i])));
    return ALD_OK;
}
