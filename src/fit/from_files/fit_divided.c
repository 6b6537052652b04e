/* Two passes over the file: what is small (streaming/collect.h), then the rows, which stay. Rank 0 lets the
 * method work and the others serve it (divided/service.h). A predictor learns from the scores of
 * all rows, which each rank makes of its own. */
#include "fit/from_files/fit_divided.h"

#include "base/settings/common_params.h"
#include "cluster/divided/divided_methods.h"
#include "cluster/sharing/share_model.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "fit/from_files/own_rows.h"
#include "fit/prepare/check.h"
#include "fit/prepare/prepare_x.h"
#include "fit/streaming/collect.h"
#include "io/formats/square.h"
#include "methods/engines/problem.h"
#include "methods/predict/predictor.h"

#include <math.h>

int ald_fits_divided(const ald_run *run)
{
    return run->call.ranks && ald_method_divides(run);
}

ald_status ald_check_divided(ald_run *run, const ald_dataset *survey)
{
    const ald_common_settings asked = ald_common_settings_of(run->settings);
    const ald_method *method = ald_settings_method(run->settings);
    if (asked.scale == ALD_COLUMNS_MINMAX)
        return ald_fail(
            run->error, ALD_ERROR_UNSUPPORTED,
            "`scale=minmax` is not available for rows divided among ranks: use `scale=standard` or none");
    if (asked.keep_statistics)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s cannot be fitted from statistics, so there are none to keep: leave "
                        "`keep_statistics` at 0",
                        method->name);
    ALD_TRY(ald_check_predictor(run, &survey->target));
    return ald_divided_check(run, survey->x.cols);
}

/* Rank 0 speaks of columns of unlike size. */
static ald_status note_unlike(ald_run *run, const ald_collection *c)
{
    const int64_t d = c->survey->x.cols;
    double *deviations;
    if (ald_rank(run) != 0 || c->survey->x.storage != ALD_DENSE) return ALD_OK;
    run->feature_names = (const char *const *)c->survey->feature_names;
    ALD_TRY(ald_scratch_reals(run, d, 1, &deviations));
    for (int64_t j = 0; j < d; j++) deviations[j] = sqrt(c->square[j] / c->weight);
    ald_note_unlike_deviations(run, d, deviations);
    return ALD_OK;
}

/* x has the rows of this rank, and everything else is of all. */
static ald_status make_problem(ald_run *run, const ald_collection *c, const ald_divided *rows,
                               const double *deviation, ald_problem *problem)
{
    *problem = (ald_problem){
        .n = rows->total,
        .d = c->survey->x.cols,
        .samples = (double)rows->total,
        .r = ald_common_settings_of(run->settings).n_components,
        .scale = deviation,
        .target = &c->target,
    };
    ALD_TRY(ald_problem_weigh(run, c->target.weights, problem));
    problem->x = rows->z;
    return note_unlike(run, c);
}

/* Each rank reads all of a given graph. */
static ald_status read_graph(ald_run *run, const ald_collection *c, ald_matrix *graph, ald_problem *problem)
{
    const char *const file = c->like->graph_file;
    if (!file) return ALD_OK;
    ALD_TRY(ald_read_square(run, file, &run->scratch, problem->n, graph));
    ALD_TRY(ald_check_matrix(run, graph, "graph"));
    problem->graph = graph;
    return ald_check_finite(run, graph, "graph");
}

/* The scores of the rows of this rank by the model that rank 0 has made. */
static ald_status map_own(ald_run *run, const ald_problem *problem, const ald_model *model, double **z)
{
    const int64_t r = ald_model_component_count(model), own = problem->x.x.rows;
    ALD_TRY(ald_scratch_reals(run, own, r, z));
    return own > 0 ? ald_map_prepared(run, model, &problem->x, *z) : ALD_OK;
}

static ald_status learn(ald_run *run, const ald_problem *problem, const ald_model *shared, ald_model *model)
{
    const int64_t r = ald_model_component_count(shared);
    ald_gathered all;
    double *z = NULL;
    ald_status status = map_own(run, problem, shared, &z);
    const int64_t bytes = problem->x.x.rows * r * (int64_t)sizeof *z;
    ALD_TRY(ald_all_gather(run, status, &run->scratch, z, bytes, &all));
    if (ald_rank(run) == 0)
        status = ald_predictor_learn(run, problem->target, problem->weights, r, (double *)(void *)all.bytes,
                                     ald_is_nested(run), model);
    return ald_all_agree(run, status);
}

static ald_status add_predictor(ald_run *run, const ald_problem *problem, ald_model *model)
{
    ald_model *shared = model;
    ald_status status = ALD_OK;
    if (!ald_predictor_asked(run->settings)) return ALD_OK;
    if (ald_rank(run) != 0) status = ald_model_new(run, &shared);
    status = ald_all_agree(run, status);
    if (status >= 0) status = ald_share_model(run, &shared);
    if (status >= 0) status = learn(run, problem, shared, model);
    if (ald_rank(run) != 0) ald_model_free(shared);
    return status;
}

static ald_status finish(ald_run *run, const ald_collection *c, ald_model *model)
{
    if (ald_rank(run) != 0) return ALD_OK;
    ALD_TRY(ald_copy_names(run, c->like->like, model));
    return ald_fit_note(run, model);
}

static ald_status divided_fit(ald_run *run, ald_collection *c, ald_model *model)
{
    ald_divided rows;
    ald_problem problem;
    ald_matrix graph;
    double *deviation;
    ALD_TRY(ald_collect(run, c));
    ALD_TRY(ald_own_rows_read(run, c, &deviation, &rows));
    ALD_TRY(ald_all_agree(run, make_problem(run, c, &rows, deviation, &problem)));
    ALD_TRY(ald_all_agree(run, read_graph(run, c, &graph, &problem)));
    ALD_TRY(ald_divided_fit(run, &rows, &problem, ald_fit_problem, model));
    ALD_TRY(add_predictor(run, &problem, model));
    return ald_all_agree(run, finish(run, c, model));
}

ald_status ald_fit_divided(ald_run *run, const char *path, const ald_load_options *like,
                           const ald_dataset *survey, const ald_row_plan *plan, ald_model *model)
{
    ald_collection c = {
        .path = path,
        .like = like,
        .survey = survey,
        .columns = 1,
        .gather = 1,
        .plan = *plan,
    };
    const ald_status status = divided_fit(run, &c, model);
    ald_collection_free(&c);
    return status;
}
