/* The first pass collects what is small (streaming/collect.h). Then the method is given a problem whose rows
 * come from the file (operator/source.h): each product with X is one pass over it. X is never in memory; what
 * is as long as its rows or its columns is. Where rows are divided, each part passes over its portion, has
 * its portion of what is as long as the rows, and all solve the same problem (operator/all_rows.h). */
#include "fit/streaming/passes.h"

#include "base/core/model.h"
#include "base/settings/common_params.h"
#include "base/threads/pacing.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/fit_moments.h"
#include "fit/prepare/prepare_x.h"
#include "fit/streaming/blocks.h"
#include "fit/streaming/collect.h"
#include "fit/streaming/row_store.h"
#include "io/reading/stream.h"
#include "math/device/held.h"
#include "math/operator/all_rows.h"
#include "math/operator/source.h"
#include "methods/engines/problem.h"

#include <math.h>
#include <string.h>

/* Rows and weight of all parts, of which the collection has this one's, and how to sum over them. */
static ald_status count_all(ald_run *run, const ald_collection *c, ald_all_rows *whole)
{
    const double *w = c->target.weights;
    double weight = 0.0;
    for (int64_t i = 0; i < c->n; i++) weight += w ? w[i] : 1.0;
    return ald_all_rows_of(run, c->survey->all, c->n, weight, whole);
}

/* For the rows of this part; without any there are none (d 0). */
static ald_status sum_scores(ald_run *run, const ald_problem *problem, int64_t r, const double *z,
                             ald_moments *m)
{
    const ald_operator scores = {.x = ald_matrix_row_major(z, problem->n, r, r)};
    memset(m, 0, sizeof *m);
    return problem->n > 0 ? ald_moments_of_rows(run, &scores, problem->target, m) : ALD_OK;
}

/* The predictor that is asked for, in the first part, from the scores of all rows: their moments are put
 * together there. */
static ald_status learn_divided(ald_run *run, const ald_problem *problem, ald_model *model)
{
    const int64_t r = ald_model_component_count(model);
    const ald_all_rows *all = problem->x.all;
    ald_moments m;
    double *z;
    if (!ald_predictor_asked(run->settings)) return ALD_OK;
    ALD_TRY(ald_score_problem(run, problem, model, r, &z));
    ALD_TRY(sum_scores(run, problem, r, z, &m));
    ALD_TRY(all->unite(run, &run->scratch, &m));
    return ALD_FIRST_DOES(run, all, ald_learn_score_moments(run, &m, model));
}

/* All passes of a fit, for the progress: how many there were, and about how many there will be. */
typedef struct passes {
    const ald_collection *f;
    int64_t *done;
    double expected;
} passes;

static const char stage[] = "passing over the file";

/* pls takes a product per component, Lanczos some 60 as a rule and LSQR some 16. */
static double expected_passes(const ald_run *run, int64_t r)
{
    const ald_method *method = ald_settings_method(run->settings);
    if (method->inverse != ALD_INVERTS_NOTHING) return 16.0;
    return method->capabilities & ALD_CAN_NO_TARGET ? 60.0 : (double)r + 2.0;
}

/* Where there are more than expected the end is taken to be a fifth of the way ahead. */
static double part_after(const passes *p, int64_t count)
{
    return (double)count / fmax(p->expected, 1.2 * (double)count);
}

/* A pass of the source: blocks of the file become operators at their place. */
typedef struct passing {
    const ald_collection *f;
    ald_source_fn visit;
    void *work;
} passing;

static ald_status pass_block(ald_run *run, void *work, int part, int64_t number, const ald_dataset *block)
{
    const passing *p = work;
    const ald_collection *f = p->f;
    ald_operator rows = {.x = block->x};
    if (number >= f->blocks || f->first[number + 1] - f->first[number] != block->x.rows)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s has changed since it was first read", f->path);
    ALD_TRY(ald_prepare_rows(run, &f->plan, &rows));
    const struct ald_held *before = run->call.held;
    ALD_TRY(ald_card_hold_block(run, &rows.x, f->entries, 1.0)); /* a product reads them once */
    const ald_status status = p->visit(run, p->work, part, f->first[number], &rows);
    ald_card_release(run, before);
    return status;
}

static ald_status pass(ald_run *run, const ald_source *source, ald_source_fn visit, void *work,
                       const ald_partial *partial)
{
    const passes *all = source->self;
    const ald_collection *f = all->f;
    const double from = part_after(all, *all->done);
    passing p = {f, visit, work};
    ald_partial own = *partial; /* blocks are known by their numbers */
    own.input += ald_stream_kind(run);
    ald_pass_state state = ald_pass_state_of(f->survey->checkpoint, "product", own);
    const ald_blocks blocks = {
        .path = f->path,
        .options = f->like,
        .survey = f->survey,
        .visit = pass_block,
        .work = &p,
        .state = state.checkpoint ? &state : NULL,
    };
    ald_within_stage told;
    ald_within_enter(run, stage, &told);
    ald_within_next(&told, from, part_after(all, ++*all->done) - from);
    const ald_status status = ald_blocks_read(run, &blocks, f->parts);
    ald_within_leave(&told);
    return ald_all_rows_agree(run, f->survey->all, status);
}

/* `total` and `samples` are of all rows, n is of this part. */
static ald_status weigh(ald_run *run, const ald_collection *c, ald_problem *problem)
{
    ALD_TRY(ald_problem_weigh(run, c->target.weights, problem));
    if (problem->x.all) problem->total = ald_rows_weight(&problem->x);
    problem->samples = (double)ald_rows_total(&problem->x);
    return ALD_OK;
}

static ald_status make_problem(ald_run *run, const ald_collection *c, const ald_source *source,
                               const ald_all_rows *all, ald_problem *problem)
{
    double *deviation;
    memset(problem, 0, sizeof *problem);
    problem->x = (ald_operator){.x = c->survey->x, .source = source, .mean = c->mean, .all = all};
    problem->x.x.rows = problem->n = c->n;
    problem->d = c->survey->x.cols;
    problem->r = ald_common_settings_of(run->settings).n_components;
    problem->target = &c->target;
    ALD_TRY(weigh(run, c, problem));
    if (ald_common_settings_of(run->settings).scale == ALD_COLUMNS_PLAIN) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, problem->d, 1, &deviation));
    for (int64_t j = 0; j < problem->d; j++) deviation[j] = sqrt(c->square[j] / c->weight);
    return ald_problem_scale(run, problem, c->mean, deviation);
}

static ald_status passes_fit(ald_run *run, ald_collection *c, ald_model *model)
{
    ald_problem problem;
    int64_t done = 0;
    const int64_t r = ald_common_settings_of(run->settings).n_components;
    const passes counted = {c, &done, expected_passes(run, r)};
    const ald_stage_cost stages[] = {{"reading", 1.0}, {stage, counted.expected}};
    ald_plan_stages(run, stages, sizeof stages / sizeof *stages);
    ALD_TRY(ald_collect(run, c));
    ald_source source = {.pass = pass, .parts = c->parts, .entries = c->entries, .self = &counted};
    source.logbook = c->logbook;
    const ald_all_rows *all = c->survey->all;
    ald_all_rows rows;
    if (all) ALD_TRY(count_all(run, c, &rows));
    ALD_TRY(ald_all_rows_sum(run, all, &source.entries, 1));
    ALD_TRY(ald_all_rows_agree(run, all, make_problem(run, c, &source, all ? &rows : NULL, &problem)));
    ALD_TRY(ald_fit_problem(run, &problem, model));
    ALD_TRY((all ? learn_divided : ald_fit_predictor)(run, &problem, model));
    ALD_TRY(ald_copy_names(run, c->like->like, model));
    return ald_fit_note(run, model);
}

ald_status ald_fit_passes(ald_run *run, const char *path, const ald_load_options *like,
                          const ald_dataset *survey, const ald_row_plan *plan, ald_logbook *book,
                          ald_model *model)
{
    ald_collection c = {
        .path = path,
        .like = like,
        .survey = survey,
        .columns = 1,
        .logbook = book,
        .plan = *plan,
    };
    const ald_status status = passes_fit(run, &c, model);
    ald_collection_free(&c);
    return status;
}
