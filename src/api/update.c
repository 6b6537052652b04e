/* ald_update: statistics of the model and of the new rows are combined, and the method is fitted to a problem with
 * those moments. */
#include "api/check.h"
#include "api/fit.h"
#include "api/moments.h"
#include "api/prepare.h"
#include "data/dataset.h"
#include "methods/moments.h"
#include "methods/slices.h"
#include "predict/predictor.h"

#include <math.h>
#include <string.h>

/* The settings that the model was fitted with. */
static ald_status settings_of(ald_context *context, const ald_model *model, ald_settings **settings, ald_error *error)
{
    static const char prefix[] = "alidade.param.";
    const char *method = ald_model_method(model), *key, *value;
    ALD_TRY(ald_settings_new(context, method ? method : "", settings, error));
    for (int i = 0; ald_model_text_at(model, i, &key, &value); i++) {
        if (strncmp(key, prefix, sizeof prefix - 1) != 0) continue;
        const ald_status status = ald_settings_set_text(*settings, key + sizeof prefix - 1, value, error);
        if (status >= 0) continue;
        ald_settings_free(*settings);
        *settings = NULL;
        return status;
    }
    return ALD_OK;
}

ald_status ald_copy_names(ald_run *run, const ald_model *from, ald_model *to)
{
    static const char *const keys[] = {"alidade.feature_names", "alidade.class_names", "alidade.response_names",
                                       "alidade.schema"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ald_model_text(from, keys[i])) ALD_TRY(ald_model_set_text(run, to, keys[i], ald_model_text(from, keys[i])));
    return ALD_OK;
}

/* Means of the target: of the responses, or the share of rows of each class or label. */
static ald_status target_means(ald_run *run, const ald_moments *m, double **means)
{
    ALD_TRY(ald_scratch_zeros(run, m->k, 1, means));
    for (int64_t j = 0; j < m->k; j++) {
        if (m->kind == ALD_TARGET_REAL) (*means)[j] = m->y_mean[j];
        for (int64_t p = 0; p < m->patterns; p++) (*means)[j] += m->count[p] * m->pattern[p * m->k + j] / m->weight;
    }
    return ALD_OK;
}

/* The form of groups: the first rows of the problem, freed of the roots of their weights, are the class means; the
 * others hold what is within. */
static void as_groups(const ald_moments *m, const ald_problem *problem, double *z, ald_predictor_data *data)
{
    for (int64_t p = 0; p < m->patterns; p++)
        for (int64_t k = 0; k < data->r; k++)
            z[p * data->r + k] /= problem->weights[p] > 0.0 ? sqrt(problem->weights[p]) : 1.0;
    data->n = m->patterns;
    data->q = m->k;
    data->y = m->pattern;
    data->weights = problem->weights;
    data->spread = z + m->patterns * data->r;
    data->spread_rows = problem->n - m->patterns;
}

static ald_status as_centred(ald_run *run, const ald_moments *m, const ald_problem *problem, ald_predictor_data *data)
{
    double *y, *means;
    ALD_TRY(ald_problem_responses(run, problem, &y, &data->q));
    ALD_TRY(target_means(run, m, &means));
    data->y = y;
    data->y_mean = means;
    return ALD_OK;
}

ald_status ald_moments_scores(ald_run *run, const ald_moments *m, const ald_problem *problem, const ald_model *model,
                              ald_predictor_moments form, ald_predictor_data *data)
{
    double *z;
    *data = (ald_predictor_data){
        .n = problem->n, .r = ald_model_components(model), .kind = m->kind, .total = problem->total};
    ALD_TRY(ald_project_problem(run, problem, model, &z));
    data->z = z;
    if (form != ALD_MOMENTS_GROUPS) return as_centred(run, m, problem, data);
    as_groups(m, problem, z, data);
    return ALD_OK;
}

static ald_status add_predictor(ald_run *run, const ald_moments *m, const ald_problem *problem, ald_model *model)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    const ald_predictor *predictor = ald_predictor_find(options.name);
    ald_predictor_data data;
    if (!predictor) return ALD_OK;
    ALD_TRY(ald_predictor_check(run, &options, m->kind, 1));
    ALD_TRY(ald_moments_scores(run, m, problem, model, predictor->moments, &data));
    return ald_predictor_fit(run, &options, &data, model);
}

/* The classes that the method has seen are slices of a real response. */
static ald_status describe_slices(ald_run *run, const ald_moments *m, ald_model *model)
{
    ald_array edges;
    ALD_TRY(ald_model_set_text(run, model, "alidade.target", "real"));
    if (ald_model_array(model, "slice_edges", &edges)) return ALD_OK;
    return ald_model_add_vector(run, model, "slice_edges", m->k, m->edges);
}

ald_status ald_fit_moments_map(ald_run *run, const ald_moments *moments, const ald_problem *problem, ald_model *model)
{
    ALD_TRY(ald_model_add_vector(run, model, "mean", moments->d, moments->mean));
    ALD_TRY(ald_fit_problem(run, problem, model));
    return moments->edges ? describe_slices(run, moments, model) : ALD_OK;
}

ald_status ald_fit_moments(ald_run *run, const ald_moments *moments, const ald_model *old, ald_model *model)
{
    ald_problem problem;
    ald_target target;
    ALD_TRY(ald_moments_problem(run, moments, &target, &problem));
    ALD_TRY(ald_fit_moments_map(run, moments, &problem, model));
    ALD_TRY(add_predictor(run, moments, &problem, model));
    if (ald_setting_int(run, "keep_statistics") != 0) ALD_TRY(ald_moments_store(run, moments, model));
    ALD_TRY(ald_copy_names(run, old, model));
    return ald_fit_note(run, model);
}

/* The target of the new rows: of the kind that the model was fitted with. */
static ald_status check_rows(ald_run *run, const ald_moments *total, const ald_dataset *dataset)
{
    const ald_target *y = &dataset->target;
    const ald_method *method = ald_settings_method(run->settings);
    const ald_target kept = {.kind = total->edges ? ALD_TARGET_REAL : total->kind,
                             .values = {.cols = total->edges ? 1 : total->k}};
    ALD_TRY(ald_check_kind(run, &kept, method));
    ALD_TRY(ald_check_moments(run, method, &kept));
    if (y->kind != kept.kind)
        return ald_fail(run->error, ALD_ERROR_DATA, "the rows need the target that the model was fitted with");
    ALD_TRY(ald_check_matrix(run, &dataset->x, "X"));
    ALD_TRY(ald_check_finite(run, &dataset->x, "X"));
    if (y->kind != ALD_TARGET_NONE) ALD_TRY(ald_check_truth(run, y, dataset->x.rows));
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        if (!y->labelled[i])
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "row %lld has no target: leave such rows out (--unlabelled-rows drop)", (long long)i + 1);
    return ALD_OK;
}

/* Classes that the model did not know stand behind its own. */
static ald_status rename_classes(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    const ald_target *y = &dataset->target;
    if (y->names) ALD_TRY(ald_model_set_names(run, model, "alidade.class_names", y->names, y->n_classes));
    return dataset->schema ? ald_model_set_text(run, model, "alidade.schema", dataset->schema) : ALD_OK;
}

static ald_status update(ald_run *run, const ald_model *old, const ald_dataset *dataset, int take_away,
                         ald_model *model)
{
    ald_operator rows = {.x = dataset->x};
    ald_target target = dataset->target;
    ald_moments total, change;
    ALD_TRY(ald_moments_load(run, old, &total));
    ALD_TRY(check_rows(run, &total, dataset));
    const int new_classes = total.kind == ALD_TARGET_CLASSES && !total.edges && target.n_classes > total.k;
    if (total.edges) ALD_TRY(ald_slice_target(run, total.edges, total.k, &dataset->target, &target));
    ALD_TRY(ald_prepare_rows(run, ald_settings_text(run->settings, "row_scale"), &rows));
    ALD_TRY(ald_moments_of_rows(run, &rows, &target, &change));
    ALD_TRY(ald_moments_merge(run, &run->scratch, &total, &change, take_away ? -1 : 1));
    ALD_TRY(ald_fit_moments(run, &total, old, model));
    return new_classes ? rename_classes(run, dataset, model) : ALD_OK;
}

ald_status ald_update(ald_context *context, const ald_model *model, const ald_dataset *dataset, int take_away,
                      ald_model **updated, ald_error *error)
{
    ald_settings *settings;
    ald_run run;
    *updated = NULL;
    ALD_TRY(settings_of(context, model, &settings, error));
    ald_status status = ald_fit_begin(&run, context, settings, error, updated);
    if (status >= 0) status = update(&run, model, dataset, take_away, *updated);
    status = ald_fit_end(&run, status, updated);
    ald_settings_free(settings);
    return status;
}
