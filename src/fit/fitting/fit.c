/* ald_fit: check, prepare, let the method work, write down what was done, add a predictor. */
#include "fit/fitting/fit.h"
#include "base/core/given.h"
#include "base/core/text.h"
#include "base/settings/common_params.h"
#include "base/settings/options.h"
#include "base/settings/settings.h"
#include "base/threads/threads.h"
#include "data/arrays/arrays.h"
#include "fit/fitting/at_most.h"
#include "fit/fitting/fit_moments.h"
#include "fit/fitting/map_rows.h"
#include "fit/fitting/spread.h"
#include "fit/prepare/check.h"
#include "fit/prepare/inputs.h"
#include "fit/prepare/prepare_x.h"
#include "fit/prepare/unlike_columns.h"
#include "io/modelfile/modelfile.h"
#include "math/linalg/plain.h"
#include "math/operator/take.h"
#include "methods/engines/slices.h"
#include "methods/moments/moments.h"
#include "methods/predict/nested.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows and columns up to which no product of a fit is worth a second thread. */
enum { small_size = 200 };

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

static ald_status fit_describe(ald_run *run, const ald_problem *problem, ald_model *model)
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

/* Where the number of components shows, by the map that the method chose (linear unless it says otherwise).
 */
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

/* What every model has besides its directions, and the number of them. */
static ald_status complete(ald_run *run, const ald_problem *problem, ald_model *model)
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

ald_status ald_project_problem(ald_run *run, const ald_problem *problem, const ald_model *model, double **z)
{
    const int64_t d = problem->d, r = ald_model_component_count(model);
    const double *components = ald_model_reals(model, "components", r, d);
    double *columns;
    ALD_TRY(ALD_SCRATCH(run, {&columns, d, r}, {z, problem->n, r}));
    ald_transpose(r, d, components, columns);
    return ald_operator_apply(run, &problem->x, ald_of(columns, d, r), ald_at(*z, problem->n, r));
}

/* Rows that are not in memory lose the roots of their weights again; those of weight 0 count for nothing
 * anyhow. */
ald_status ald_score_problem(ald_run *run, const ald_problem *problem, const ald_model *model, int64_t r,
                             double **z)
{
    const double *roots = problem->x.row_weight;
    if (!problem->x.source) {
        ALD_TRY(ald_scratch_reals(run, problem->n, r, z));
        return ald_map_prepared(run, model, &problem->x, *z);
    }
    ALD_TRY(ald_project_problem(run, problem, model, z));
    for (int64_t i = 0; roots && i < problem->n; i++)
        for (int64_t k = 0; k < r; k++) (*z)[i * r + k] /= roots[i] > 0.0 ? roots[i] : 1.0;
    return ALD_OK;
}

/* Leaves out the rows without a target, in place. */
static void keep_labelled(const ald_target *y, double *z, double *values, double *weights,
                          ald_predictor_data *data)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < data->n; i++) {
        if (!y->labelled[i]) continue;
        memmove(z + kept * data->r, z + i * data->r, (size_t)data->r * sizeof *z);
        memmove(values + kept * data->q, values + i * data->q, (size_t)data->q * sizeof *values);
        if (weights) weights[kept] = weights[i];
        kept++;
    }
    data->n = kept;
}

ald_status ald_predictor_learn(ald_run *run, const ald_target *y, const double *given, int64_t r, double *z,
                               int nested, ald_model *model)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    ald_predictor_data data = {.n = y->rows, .r = r, .z = z, .weights = given, .kind = y->kind};
    double *values, *weights = NULL;
    ALD_TRY(ald_target_numbers(run, y, &values, &data.q));
    data.y = values;
    if (y->labelled && given) {
        ALD_TRY(ald_scratch_reals(run, data.n, 1, &weights));
        memcpy(weights, given, (size_t)data.n * sizeof *weights);
        data.weights = weights;
    }
    if (y->labelled) keep_labelled(y, z, values, weights, &data);
    ALD_TRY(ald_predictor_fit(run, &options, &data, model));
    return nested ? ald_predictor_fit_nested(run, &options, &data, model) : ALD_OK;
}

int ald_is_nested(const ald_run *run)
{
    return (ald_method_capabilities(ald_settings_method(run->settings)) & ALD_IS_NESTED) != 0;
}

/* The predictor learns from the projection that ald_transform would give, of the rows that have a target. */
ald_status ald_fit_predictor(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = ald_model_component_count(model);
    double *z;
    if (!ald_predictor_asked(run->settings)) return ALD_OK;
    ALD_TRY(ald_score_problem(run, problem, model, r, &z));
    return ald_predictor_learn(run, problem->target, problem->weights, r, z, ald_is_nested(run), model);
}

ald_status ald_fit_problem(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_method *method = ald_settings_method(run->settings);
    ALD_TRY(fit_describe(run, problem, model));
    if (problem->r == 0 && method->own_rule == ALD_NO_OWN_RULE) return ald_no_own_rule(run);
    ALD_TRY(ald_fit_method(run, problem, model));
    return complete(run, problem, model);
}

static int is_finite(const ald_array *array)
{
    const double *values = array->data;
    int64_t count = 1;
    for (int k = 0; k < array->dims; k++) count *= array->shape[k];
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return 0;
    return 1;
}

/* A net under all methods: a model that could not be read again is none. */
static ald_status check_result(ald_run *run, const ald_model *model)
{
    for (int i = 0; i < model->n_arrays; i++)
        if (model->arrays[i].type == ALD_ARRAY_F64 && !is_finite(&model->arrays[i]))
            return ald_fail(
                run->error, ALD_ERROR_NUMERICAL,
                "the fit came to numbers that are not finite (in '%s'): X, the target or a parameter is "
                "too large or too small; scale X (`scale=standard`)",
                model->arrays[i].name);
    return ALD_OK;
}

ald_status ald_fit_note(ald_run *run, ald_model *model)
{
    ALD_TRY(check_result(run, model));
    if (run->warning == ALD_OK) return ALD_OK;
    return ald_model_set_text(run, model, "alidade.warning", run->error->message);
}

static ald_status keep_statistics(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_operator rows = {
        .x = problem->x.x,
        .row_shift = problem->x.row_shift,
        .row_factor = problem->x.row_factor,
    };
    ald_target target = *problem->target;
    ald_moments moments;
    ald_array edges;
    if (ald_takes_slices(run, &target) && ald_model_array(model, "slice_edges", &edges))
        ALD_TRY(ald_slice_target(run, edges.data, edges.shape[0], problem->target, &target));
    ALD_TRY(ald_moments_to_keep(run, &rows, &target, &moments));
    ALD_TRY(ald_moments_check_size(run, &moments));
    return ald_moments_store(run, &moments, model);
}

ald_status ald_check_predictor(ald_run *run, const ald_target *y)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    return ald_predictor_check(run, &options, y->kind, 0);
}

/* An n x n matrix that a method can use. */
static ald_status check_square(ald_run *run, const ald_matrix *m, int64_t n, const char *what,
                               unsigned capability)
{
    const ald_method *method = ald_settings_method(run->settings);
    if (!m) return ALD_OK;
    if (!(method->capabilities & capability))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "%s has no use for a %s", method->name, what);
    ALD_TRY(ald_check_matrix(run, m, what));
    if (m->rows != n || m->cols != n)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "the %s is %lld x %lld; with %lld rows it must be %lld x %lld", what,
                        (long long)m->rows, (long long)m->cols, (long long)n, (long long)n, (long long)n);
    return ald_check_finite(run, m, what);
}

/* The target, graph and distances of the rows that the problem has kept, where it has not kept all of them.
 */
typedef struct kept_inputs {
    ald_target target;
    ald_matrix graph, distances;
} kept_inputs;

static ald_status keep_square(ald_run *run, const ald_problem *problem, const ald_matrix **m,
                              ald_matrix *kept)
{
    if (!*m) return ALD_OK;
    ALD_TRY(ald_matrix_take_square(run, *m, problem->which, problem->n, kept));
    *m = kept;
    return ALD_OK;
}

static ald_status keep_inputs(ald_run *run, const ald_inputs *inputs, const ald_target *y, kept_inputs *kept,
                              ald_problem *problem)
{
    problem->target = y;
    problem->graph = inputs->graph;
    problem->distances = inputs->target_distances;
    if (!problem->which) return ALD_OK;
    ALD_TRY(ald_target_take(run, y, problem->which, problem->n, &kept->target));
    problem->target = &kept->target;
    ALD_TRY(keep_square(run, problem, &problem->graph, &kept->graph));
    return keep_square(run, problem, &problem->distances, &kept->distances);
}

/* With distances there need not be a target; weights are looked at in any case. */
static ald_status check_target(ald_run *run, const ald_inputs *inputs, const ald_target *y)
{
    const ald_method *method = ald_settings_method(run->settings);
    if (!inputs->target_distances || y->kind != ALD_TARGET_NONE)
        return ald_check_target(run, y, inputs->x->rows, method);
    if (!y->weights) return ALD_OK;
    if (y->rows != inputs->x->rows)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there are weights of %lld rows and X has %lld",
                        (long long)y->rows, (long long)inputs->x->rows);
    return ald_check_weights(run, y, method);
}

ald_status ald_fit_run(ald_run *run, const ald_inputs *inputs, ald_model *model)
{
    static const ald_target no_target;
    const ald_method *method = ald_settings_method(run->settings);
    const ald_matrix *x = inputs->x;
    const ald_target *y = inputs->y;
    const int keep = ald_common_settings_of(run->settings).keep_statistics;
    kept_inputs kept;
    ald_row_plan plan;
    ald_problem problem;
    if (!y) y = &no_target;
    ALD_TRY(ald_check_matrix(run, x, "X"));
    if (x->rows < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "X has %lld row: a fit needs two or more",
                        (long long)x->rows);
    if (x->rows <= small_size && x->cols <= small_size) ald_threads_few();
    ALD_TRY(ald_check_storage(run, x, method));
    ALD_TRY(check_square(run, inputs->graph, x->rows, "graph", ALD_CAN_GRAPH));
    ALD_TRY(check_square(run, inputs->target_distances, x->rows, "matrix of target distances",
                         ALD_CAN_DISTANCES));
    ALD_TRY(check_target(run, inputs, y));
    ALD_TRY(ald_check_predictor(run, y));
    if (keep) ALD_TRY(ald_check_moments(run, method, y));
    ALD_TRY(ald_check_spread(run, 1));
    ALD_TRY(ald_prepare_fit(run, x, y->weights, &plan, &problem));
    ALD_TRY(ald_row_plan_store(run, &plan, x->cols, model));
    ALD_TRY(keep_inputs(run, inputs, y, &kept, &problem));
    ALD_TRY(ald_note_unlike_columns(run, &problem));
    ALD_TRY(ald_fit_problem(run, &problem, model));
    ALD_TRY(ald_ask_again(run));
    ALD_TRY(ald_fit_predictor(run, &problem, model));
    ALD_TRY(ald_ask_again(run));
    ALD_TRY(ald_add_spread(run, &problem, model));
    if (keep) ALD_TRY(keep_statistics(run, &problem, model));
    return ald_fit_note(run, model);
}

ald_status ald_fit_begin(ald_run *run, const ald_context *context, const ald_settings *settings,
                         ald_error *error, ald_model **model)
{
    ald_run_begin(run, context, error);
    run->settings = settings;
    ald_threads_begin(context->threads);
    return ald_model_new(run, model);
}

ald_status ald_fit_end(ald_run *run, ald_status status, ald_model **model)
{
    if (status < 0) {
        ald_model_free(*model);
        *model = NULL;
    }
    ald_threads_end();
    return ald_run_end(run, status);
}

/* With names the inputs are a dataset, which knows how to keep them. */
static ald_status fit_inputs(ald_run *run, const ald_inputs *inputs, ald_model *model)
{
    ald_dataset *dataset = NULL;
    if (!inputs->feature_names && !inputs->row_names) return ald_fit_run(run, inputs, model);
    ALD_TRY(ald_check_inputs(run, inputs));
    ald_status status = ald_dataset_new(run, &dataset);
    if (status >= 0) status = ald_dataset_from_inputs(run, inputs, 0, dataset);
    if (status >= 0) status = ald_fit_dataset_run(run, dataset, model);
    ald_dataset_free(dataset);
    return status;
}

ald_status ald_fit_inputs(ald_context *context, const ald_settings *settings, const ald_inputs *inputs,
                          ald_model **model, ald_error *error)
{
    ald_inputs whole;
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, settings, inputs, model);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_inputs, inputs, &whole));
    ald_status status = ald_fit_begin(&run, context, settings, error, model);
    if (status >= 0) status = fit_inputs(&run, &whole, *model);
    return ald_fit_end(&run, status, model);
}

ald_status ald_fit(ald_context *context, const ald_settings *settings, const ald_matrix *x,
                   const ald_target *y, ald_model **model, ald_error *error)
{
    return ald_fit_inputs(context, settings, &(ald_inputs){.size = sizeof(ald_inputs), .x = x, .y = y}, model,
                          error);
}
