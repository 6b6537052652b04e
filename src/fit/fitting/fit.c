/* The way of a fit whose rows are in memory; the functions below stand in this order, the last step first:
 *
 *   ald_fit_dataset      a dataset: its names and its schema go into the model, too
 *     fit_rows           arrays: the steps, each of which has a file
 *       check              prepare/check.c           the method can do what is asked of it with such data
 *       prepare            prepare/prepare_x.c       X becomes an operator and, with the target, a problem
 *       ald_fit_problem    call_method.c             the method adds its arrays to the model
 *       ald_fit_predictor  learn_predictor.c         the predictor learns from the scores
 *       ald_add_spread     spread.c                  what outliers are measured by
 *       keep_statistics    methods/moments           what an update starts from
 *       ald_fit_note       describe_model.c          the end of every fit
 *
 * Fits of streams, moments and divided rows prepare their problem in another way and share the steps from
 * ald_fit_problem on (fit.h). */
#include "fit/fitting/fit.h"

#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "data/arrays/arrays.h"
#include "fit/fitting/fit_moments.h"
#include "fit/fitting/spread.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "math/device/held.h"
#include "methods/engines/slices.h"
#include "methods/gaps/gaps.h"
#include "methods/moments/moments.h"

#include <string.h>

ald_status ald_fit_problem(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const ald_method *method = ald_settings_method(run->settings);
    ALD_TRY(ald_model_describe(run, problem, model));
    if (problem->r == 0 && method->own_rule == ALD_NO_OWN_RULE) return ald_no_own_rule(run);
    ALD_TRY(ald_call_method(run, problem, model));
    return ald_model_complete(run, problem, model);
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

/* Rows and columns up to which no product of a fit is worth a second thread. */
enum { small_size = 200 };

/* Everything that can be refused before anything long is done. */
static ald_status check(ald_run *run, const ald_inputs *inputs)
{
    static const ald_target no_target;
    const ald_target *y = inputs->y ? inputs->y : &no_target;
    const int keeps = ald_common_settings_of(run->settings).keep_statistics;
    ALD_TRY(ald_check_for_method(run, inputs, y));
    if (keeps)
        ALD_TRY(ald_refuse_events(run, y,
                                  "have no statistics to keep, as the residual of a row depends on all "
                                  "others: leave out `keep_statistics`"));
    ALD_TRY(ald_check_predictor(run, y));
    if (keeps) ALD_TRY(ald_check_moments(run, ald_settings_method(run->settings), y));
    return ald_check_spread(run, 1);
}

static int is_one_class(const ald_run *run, const ald_problem *problem)
{
    const ald_target *y = problem->target;
    if (y->kind != ALD_TARGET_CLASSES || !ald_keeps_one_class(run)) return 0;
    for (int64_t i = 1; i < y->rows; i++)
        if (y->classes[i] != y->classes[0]) return 0;
    return 1;
}

/* What a fit multiplies at least, as far as a card is concerned: by the smaller square. */
static double work_on_card(const ald_matrix *x)
{
    const double n = (double)x->rows, d = (double)x->cols;
    return n * d * (n < d ? n : d);
}

static ald_status fit_checked(ald_run *run, const ald_inputs *inputs, ald_model *model)
{
    ald_problem problem;
    ALD_TRY(ald_card_hold(run, inputs->x, work_on_card(inputs->x)));
    ALD_TRY(ald_prepare_problem(run, inputs, model, &problem));
    ALD_TRY(ald_card_hold(run, &problem.x.x, work_on_card(inputs->x)));
    if (is_one_class(run, &problem)) {
        ALD_TRY(ald_fit_one_class(run, &problem, problem.x.mean, model));
        return keep_statistics(run, &problem, model);
    }
    ALD_TRY(ald_fit_problem(run, &problem, model));
    ALD_TRY(ald_ask_again(run));
    ALD_TRY(ald_fit_predictor(run, &problem, model));
    ALD_TRY(ald_ask_again(run));
    ALD_TRY(ald_add_spread(run, &problem, model));
    if (ald_common_settings_of(run->settings).keep_statistics) ALD_TRY(keep_statistics(run, &problem, model));
    return ald_fit_note(run, model);
}

static ald_status fit_rows(ald_run *run, const ald_inputs *inputs, ald_model *model)
{
    const struct ald_held *before = run->call.held;
    ALD_TRY(check(run, inputs));
    if (inputs->x->rows <= small_size && inputs->x->cols <= small_size) ald_threads_few();
    const ald_status status = fit_checked(run, inputs, model);
    ald_card_release(run, before);
    return status;
}

/* Rows that the model places one by one, and knows no others: their names belong to it. */
static ald_status keep_row_names(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    const char *map = ald_model_text(model, "alidade.map");
    if (!dataset->row_names || !map || strcmp(map, "none") != 0) return ALD_OK;
    return ald_model_set_names(run, model, "alidade.row_names", (const char *const *)dataset->row_names,
                               dataset->x.rows);
}

static ald_status fit_dataset(ald_run *run, const ald_dataset *dataset, ald_model *model)
{
    const ald_target *y = &dataset->target;
    const ald_inputs inputs = {
        .x = &dataset->x,
        .y = y->kind == ALD_TARGET_NONE && !y->weights ? NULL : y,
        .graph = dataset->graph.values ? &dataset->graph : NULL,
        .target_distances = dataset->distances.values ? &dataset->distances : NULL,
        .response_kernel = dataset->response_kernel.values ? &dataset->response_kernel : NULL,
        .start = dataset->start.values ? &dataset->start : NULL,
    };
    run->row_names = (const char *const *)dataset->row_names;
    run->feature_names = (const char *const *)dataset->feature_names;
    ALD_TRY(ald_check_row_order(run, run->settings, dataset->categorical));
    ALD_TRY(fit_rows(run, &inputs, model));
    if (dataset->feature_names)
        ALD_TRY(ald_model_set_names(run, model, "alidade.feature_names",
                                    (const char *const *)dataset->feature_names, dataset->x.cols));
    if (y->kind == ALD_TARGET_CLASSES && dataset->response_names)
        ALD_TRY(ald_model_set_names(run, model, "alidade.response_names",
                                    (const char *const *)dataset->response_names, 1));
    if (dataset->schema) ALD_TRY(ald_model_set_text(run, model, "alidade.schema", dataset->schema));
    return keep_row_names(run, dataset, model);
}

ald_status ald_fit_begin(ald_run *run, const ald_settings *settings, ald_model **model)
{
    run->settings = settings;
    ald_threads_begin(run->call.threads);
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

int ald_fits_by_products(const ald_settings *settings)
{
    const ald_common_settings common = ald_common_settings_of(settings);
    return (ald_method_capabilities(ald_settings_method(settings)) & ALD_CAN_STREAM) &&
           common.row_scale == ALD_ROWS_PLAIN && common.rows.count == 0 && !common.keep_statistics &&
           !common.outlier_limits && !ald_gaps_in(settings);
}

static int by_products(const ald_run *run, const ald_inputs *inputs)
{
    return ald_fits_by_products(run->settings) && !inputs->feature_names && !inputs->row_names &&
           !(inputs->y && inputs->y->weights);
}

/* With names the inputs are a dataset, which knows how to keep them. */
static ald_status fit_inputs(ald_run *run, const ald_inputs *inputs, ald_model *model)
{
    ald_dataset *dataset = NULL;
    if (!inputs->feature_names && !inputs->row_names) return fit_rows(run, inputs, model);
    ALD_TRY(ald_check_inputs(run, inputs));
    ald_status status = ald_dataset_new(run, &dataset);
    if (status >= 0) status = ald_dataset_from_inputs(run, inputs, 0, dataset);
    if (status >= 0) status = fit_dataset(run, dataset, model);
    ald_dataset_free(dataset);
    return status;
}

static ald_status fit_taken(ald_run *run, const ald_inputs *inputs, ald_model *model)
{
    const struct ald_held *before = run->call.held;
    ald_inputs taken = *inputs;
    ald_matrix x;
    if (!inputs->x) return fit_inputs(run, inputs, model); /* which refuses it */
    ald_status status = ald_card_take(run, inputs->x, by_products(run, inputs), &x);
    taken.x = &x;
    if (status >= 0) status = fit_inputs(run, &taken, model);
    ald_card_release(run, before);
    return status;
}

/* Fits inputs, or a dataset, in a run that has begun, and ends the run. */
static ald_status fit_run(ald_run *run, const ald_settings *settings, const ald_inputs *inputs,
                          const ald_dataset *dataset, ald_model **model)
{
    ald_status status = ald_fit_begin(run, settings, model);
    if (status >= 0 && inputs) status = fit_taken(run, inputs, *model);
    if (status >= 0 && dataset) status = fit_dataset(run, dataset, *model);
    return ald_fit_end(run, status, model);
}

ald_status ald_fit_dataset(ald_context *context, const ald_settings *settings, const ald_dataset *dataset,
                           ald_model **model, ald_error *error)
{
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, settings, dataset, model);
    ald_run_begin(&run, context, error);
    return fit_run(&run, settings, NULL, dataset, model);
}

ald_status ald_fit_dataset_inside(const ald_run *outer, const ald_settings *settings,
                                  const ald_dataset *dataset, ald_model **model, ald_error *error)
{
    ald_run run;
    ald_run_inside(&run, outer, error);
    return fit_run(&run, settings, NULL, dataset, model);
}

ald_status ald_fit_inputs(ald_context *context, const ald_settings *settings, const ald_inputs *inputs,
                          ald_model **model, ald_error *error)
{
    ald_inputs whole;
    ald_run run;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, settings, inputs, model);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_inputs, inputs, &whole));
    ald_run_begin(&run, context, error);
    return fit_run(&run, settings, &whole, NULL, model);
}

ald_status ald_fit_inside(const ald_run *outer, const ald_settings *settings, const ald_matrix *x,
                          const ald_target *y, ald_model **model, ald_error *error)
{
    ald_run run;
    ald_run_inside(&run, outer, error);
    return fit_run(&run, settings, &(ald_inputs){.x = x, .y = y}, NULL, model);
}

ald_status ald_fit(ald_context *context, const ald_settings *settings, const ald_matrix *x,
                   const ald_target *y, ald_model **model, ald_error *error)
{
    return ald_fit_inputs(context, settings, &(ald_inputs){.size = sizeof(ald_inputs), .x = x, .y = y}, model,
                          error);
}

ald_status ald_fit_words(ald_context *context, const char *words, const ald_inputs *inputs, ald_model **model,
                         ald_error *error)
{
    ald_settings *settings;
    if (model) *model = NULL;
    ALD_GIVEN(error, context, words, inputs, model);
    ALD_TRY(ald_settings_from_words(context, words, &settings, error));
    const ald_status status = ald_fit_inputs(context, settings, inputs, model, error);
    ald_settings_free(settings);
    return status;
}
