/* Fitting from moments: rows with the same moments stand for the data, and predictor and spread learn from
 * them. */
#include "fit/fitting/fit_moments.h"

#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/spread.h"
#include "fit/prepare/check.h"
#include "methods/predict/predictor.h"

#include <math.h>
#include <string.h>

int ald_takes_slices(const ald_run *run, const ald_target *y)
{
    return y->kind == ALD_TARGET_REAL && ald_settings_param_with(run->settings, ALD_PARAM_IS_SLICES) != NULL;
}

ald_status ald_check_moments_map(ald_run *run, const ald_method *method, const ald_target *y)
{
    if (!(method->capabilities & ALD_CAN_STREAM))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s cannot be fitted from statistics, so it can neither be streamed nor updated",
                        method->name);
    if (ald_common_settings_of(run->settings).scale == ALD_COLUMNS_MINMAX)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "`scale=minmax` can be neither streamed nor updated: use `scale=standard` or none");
    if (ald_settings_real_with(run->settings, ALD_PARAM_IS_CENTER, 1.0) == 0.0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "statistics are about the mean: `center=0` can be neither streamed nor updated");
    if (ald_takes_slices(run, y) && y->values.cols > 1)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "when streamed or updated, %s cuts one response into slices, not %lld: name one column "
            "(`target`), or load all rows and keep no statistics",
            method->name, (long long)y->values.cols);
    return method->check_moments ? method->check_moments(run, y->kind) : ALD_OK;
}

ald_status ald_check_moments(ald_run *run, const ald_method *method, const ald_target *y)
{
    const ald_predictor_options predictor = ald_predictor_options_of(run);
    ALD_TRY(ald_check_moments_map(run, method, y));
    if (ald_takes_slices(run, y) && ald_predictor_asked(run->settings))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "when streamed or updated, %s sees only the slices of the response and cannot learn "
                        "to predict its values: use `predictor=none`",
                        method->name);
    if (ald_takes_slices(run, y) && !ald_settings_given(run->settings, ald_predictor_params[0]->name))
        ald_log(run, ALD_LOG_WARNING,
                "%s gets no predictor: statistics of its rows know the response by its slices only. Load all "
                "rows, and keep no statistics, for one",
                method->name);
    return ald_predictor_check(run, &predictor, y->kind, 1);
}

ald_status ald_check_kept(ald_run *run, const ald_moments *kept)
{
    const ald_method *method = ald_settings_method(run->settings);
    const ald_target target = {
        .kind = kept->edges ? ALD_TARGET_REAL : kept->kind,
        .values = {.cols = kept->edges ? 1 : kept->k},
    };
    ALD_TRY(ald_check_kind(run, &target, method));
    if (!kept->edges && ald_takes_slices(run, &target))
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the statistics of the model are damaged: the slice boundaries are missing");
    if ((method->class_scatters && !kept->within) || (method->curvature && !kept->curved))
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the statistics of the model are damaged: a scatter is missing");
    return ald_check_moments(run, method, &target);
}

ald_status ald_sum_rows(ald_run *run, const ald_operator *rows, const ald_target *target,
                        ald_moments *moments)
{
    if (ald_common_settings_of(run->settings).keep_statistics)
        return ald_moments_to_keep(run, rows, target, moments);
    return ald_moments_of_rows(run, rows, target, moments);
}

/* Means of the target: of the responses, or the share of rows of each class or label. */
static ald_status target_means(ald_run *run, const ald_moments *m, double **means)
{
    ALD_TRY(ald_scratch_zeros(run, m->k, 1, means));
    for (int64_t j = 0; j < m->k; j++) {
        if (m->kind == ALD_TARGET_REAL) (*means)[j] = m->y_mean[j];
        for (int64_t p = 0; p < m->patterns; p++)
            (*means)[j] += m->count[p] * m->pattern[p * m->k + j] / m->weight;
    }
    return ALD_OK;
}

/* The form of groups: the first rows of the problem, freed of the roots of their weights, are the class
 * means; the others hold what is within. */
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

static ald_status as_centred(ald_run *run, const ald_moments *m, const ald_problem *problem,
                             ald_predictor_data *data)
{
    double *y, *means;
    ALD_TRY(ald_problem_responses(run, problem, &y, &data->q));
    ALD_TRY(target_means(run, m, &means));
    data->y = y;
    data->y_mean = means;
    return ALD_OK;
}

/* From z (rows of the problem x r), changed and referred to. */
static ald_status scores_as(ald_run *run, const ald_moments *m, const ald_problem *problem, int64_t r,
                            double *z, ald_predictor_moments form, ald_predictor_data *data)
{
    *data = (ald_predictor_data){.n = problem->n, .r = r, .z = z, .kind = m->kind, .total = problem->total};
    if (form != ALD_MOMENTS_GROUPS) return as_centred(run, m, problem, data);
    as_groups(m, problem, z, data);
    return ALD_OK;
}

ald_status ald_moments_scores(ald_run *run, const ald_moments *m, const ald_problem *problem,
                              const ald_model *model, ald_predictor_moments form, ald_predictor_data *data)
{
    double *z;
    ALD_TRY(ald_project_problem(run, problem, model, &z));
    return scores_as(run, m, problem, ald_model_component_count(model), z, form, data);
}

static ald_status learn(ald_run *run, const ald_predictor_options *options, const ald_predictor_data *data,
                        ald_model *model)
{
    ALD_TRY(ald_predictor_fit(run, options, data, model));
    return ald_is_nested(run) ? ald_predictor_fit_nested(run, options, data, model) : ALD_OK;
}

ald_status ald_learn_score_moments(ald_run *run, const ald_moments *m, ald_model *model)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    const ald_predictor *predictor = ald_predictor_find(options.name);
    ald_predictor_data data;
    ald_problem problem;
    ald_target target;
    double *z;
    ALD_TRY(ald_moments_rows(run, m, &target, &problem));
    ALD_TRY(ald_scratch_reals(run, problem.n, m->d, &z));
    ALD_TRY(ald_operator_rows(run, &problem.x, 0, ald_at(z, problem.n, m->d)));
    ALD_TRY(scores_as(run, m, &problem, m->d, z, predictor->moments, &data));
    return learn(run, &options, &data, model);
}

static ald_status add_predictor(ald_run *run, const ald_moments *m, const ald_problem *problem,
                                ald_model *model)
{
    const ald_predictor_options options = ald_predictor_options_of(run);
    const ald_predictor *predictor = ald_predictor_find(options.name);
    ald_predictor_data data;
    if (!predictor) return ALD_OK;
    ALD_TRY(ald_predictor_check(run, &options, m->kind, 1));
    ALD_TRY(ald_moments_scores(run, m, problem, model, predictor->moments, &data));
    return learn(run, &options, &data, model);
}

/* The classes that the method has seen are slices of a real response. */
static ald_status describe_slices(ald_run *run, const ald_moments *m, ald_model *model)
{
    ald_array edges;
    ALD_TRY(ald_model_set_text(run, model, "alidade.target", "real"));
    if (ald_model_array(model, "slice_edges", &edges)) return ALD_OK;
    return ald_model_add_vector(run, model, "slice_edges", m->k, m->edges);
}

ald_status ald_fit_moments_map(ald_run *run, const ald_moments *moments, const ald_problem *problem,
                               ald_model *model)
{
    ALD_TRY(ald_model_add_vector(run, model, "mean", moments->d, moments->mean));
    ALD_TRY(ald_fit_problem(run, problem, model));
    return moments->edges ? describe_slices(run, moments, model) : ALD_OK;
}

ald_status ald_fit_one_class(ald_run *run, const ald_problem *problem, const double *mean, ald_model *model)
{
    double *zeros;
    ALD_TRY(ald_scratch_zeros(run, problem->d, 1, &zeros));
    ALD_TRY(ald_model_describe(run, problem, model));
    if (ald_common_settings_of(run->settings).at_most) ALD_TRY(ald_note_at_most(run, model));
    ALD_TRY(ald_model_add_vector(run, model, "mean", problem->d, mean));
    ALD_TRY(ald_model_add_matrix(run, model, "components", 1, problem->d, zeros));
    ALD_TRY(ald_model_set_text(run, model, "alidade.n_components", "1"));
    ALD_TRY(ald_model_set_text(run, model, ALD_ONLY_STATISTICS, "1"));
    ald_log(
        run, ALD_LOG_WARNING,
        "all rows are of one class, so there is nothing to distinguish: the model holds their statistics, to "
        "be merged with those of other classes");
    return ALD_OK;
}

int ald_keeps_one_class(const ald_run *run)
{
    return ald_common_settings_of(run->settings).keep_statistics &&
           !(ald_settings_method(run->settings)->capabilities & ALD_CAN_NO_TARGET);
}

static int is_one_class(const ald_run *run, const ald_moments *m)
{
    int64_t classes = 0;
    if (m->kind != ALD_TARGET_CLASSES || m->edges || !ald_keeps_one_class(run)) return 0;
    for (int64_t p = 0; p < m->patterns; p++) classes += m->count[p] > 0.0;
    return classes < 2;
}

/* Method, predictor and spread. */
static ald_status fit_map(ald_run *run, const ald_moments *moments, ald_model *model)
{
    ald_problem problem;
    ald_target target;
    ALD_TRY(ald_moments_problem(run, moments, &target, &problem));
    ALD_TRY(ald_fit_moments_map(run, moments, &problem, model));
    ALD_TRY(add_predictor(run, moments, &problem, model));
    return ald_add_spread_of_scatter(run, &problem, moments->scatter, model);
}

/* What a fit of rows of one class is described by. */
static ald_status fit_none(ald_run *run, const ald_moments *m, ald_model *model)
{
    const ald_target target = {.kind = m->kind, .n_classes = m->k};
    const ald_problem problem = {.samples = m->n, .total = m->weight, .d = m->d, .target = &target};
    return ald_fit_one_class(run, &problem, m->mean, model);
}

ald_status ald_fit_moments(ald_run *run, const ald_moments *moments, const ald_model *old, ald_model *model)
{
    ALD_TRY(ald_moments_check_size(run, moments));
    ALD_TRY(ald_check_spread(run, 1));
    ALD_TRY((is_one_class(run, moments) ? fit_none : fit_map)(run, moments, model));
    if (ald_common_settings_of(run->settings).keep_statistics)
        ALD_TRY(ald_moments_store(run, moments, model));
    ALD_TRY(ald_copy_names(run, old, model));
    return ald_fit_note(run, model);
}
