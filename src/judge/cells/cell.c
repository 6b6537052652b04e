/* A fit serves all numbers of directions where the first directions of a larger fit are those of a smaller
 * one (the method says so: ALD_IS_NESTED); otherwise, or when the largest number is refused, each has a fit
 * of its own. The map is fitted without a predictor and the rows are projected once; the predictor then sees
 * the first r columns. */
#include "judge/cells/cell.h"

#include "base/core/tryout.h"
#include "base/settings/common_params.h"
#include "base/settings/method.h"
#include "base/settings/settings.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "judge/cells/folds.h"
#include "judge/cells/judging.h"
#include "judge/cells/maps.h"
#include "judge/cells/rotation.h"
#include "math/device/held.h"
#include "methods/engines/problem.h"
#include "methods/predict/predictor.h"

#include <stdio.h>

/* A cell by sums: the map from the moments of the training part, the test rows projected, and for the
 * predictor the scores of the few rows that have those moments; or, where it wants them (knn, logistic, the
 * values behind slices), the scores of the training rows. */

/* The settings of the map alone, without a predictor, for that many components; the caller frees them. */
static ald_status map_settings(const ald_run *run, const ald_settings *from, int64_t dims,
                               ald_settings **settings, ald_error *error)
{
    ALD_TRY(ald_settings_clone(run, from, settings, error));
    ALD_TRY(ald_unset_predictor(*settings, error));
    ALD_TRY(ald_set_keep_statistics(*settings, 0, error));
    return ald_set_n_components(*settings, dims, error);
}

static ald_status project_rows(ald_run *run, const ald_model *model, const ald_subset *rows, double **z)
{
    ALD_TRY(ald_scratch_reals(run, rows->x.rows, ald_model_component_count(model), z));
    return ald_map_rows(run, model, &rows->x, *z);
}

static ald_status project_training(ald_run *run, const ald_judging *j, const ald_fold_form *form,
                                   const ald_model *model, ald_projection *p)
{
    const ald_predictor *predictor = ald_predictor_asked(j->settings);
    const ald_subset *train;
    if (predictor && predictor->moments != ALD_MOMENTS_NOT && form->n_slices == 0)
        return ald_moments_scores(run, &form->moments, &form->problem, model, predictor->moments, &p->summed);
    ALD_TRY(ald_judging_train(run, j, &train));
    return project_rows(run, model, train, &p->train);
}

/* `inner` has the settings of the map and its own error; what is kept goes to the scratch of `run`. */
static ald_status fold_project_fit(ald_run *run, ald_run *inner, const ald_judging *j, ald_model *model,
                                   ald_projection *p, int *served)
{
    ald_fold_form form;
    ald_error *error = run->error;
    const double began = ald_judging_clock(j);
    ALD_TRY(ald_fold_fit(inner, j->plan->fold, model, &form, served));
    if (!*served) return ALD_OK;
    p->r = ald_model_component_count(model);
    run->error = inner->error; /* failures of projecting are the cell's too */
    ald_status status = project_training(run, j, &form, model, p);
    const double between = ald_judging_clock(j);
    if (status >= 0) status = project_rows(run, model, j->test, &p->test);
    run->error = error;
    p->fit_seconds = between - began;
    p->apply_seconds = ald_judging_clock(j) - between;
    return status;
}

/* Fits and projects by the sums of the plan's fold. Not `served`: nothing was done, fit the
 * rows. */
static ald_status fold_project(ald_run *run, const ald_judging *j, int64_t dims, ald_projection *p,
                               int *served)
{
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    ald_run inner;
    ald_run_inside(&inner, run, &p->error);
    ald_status status = map_settings(run, j->settings, dims, &settings, &p->error);
    inner.settings = settings;
    *served = status < 0 || ald_fold_serves(&inner, j->plan->fold); /* a failure is the outcome, too */
    if (*served && status >= 0) status = ald_model_new(&inner, &model);
    if (*served && status >= 0) status = fold_project_fit(run, &inner, j, model, p, served);
    ald_model_free(model);
    p->status = ald_run_end(&inner, status);
    ald_settings_free(settings);
    return ALD_OK;
}

/* The rows that a fit is given: those of the split, or the same turned, as the settings say then. */
typedef struct given_rows {
    ald_subset train, test;
    const ald_turned *turned; /* NULL: they are not */
} given_rows;

/* Rows of the host: those that are only on a card are copied. */
static ald_status bring_home(ald_run *run, ald_matrix *x)
{
    const ald_operator there = {.x = *x};
    double *copy;
    if (!ald_card_only(run, x)) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, x->rows, x->cols, &copy));
    ALD_TRY(ald_operator_rows(run, &there, 0, ald_at(copy, x->rows, x->cols)));
    *x = ald_matrix_row_major(copy, x->rows, x->cols, x->cols);
    return ALD_OK;
}

static ald_status give_rows(ald_run *run, const ald_judging *j, given_rows *rows)
{
    const ald_subset *train;
    ALD_TRY(ald_judging_train(run, j, &train));
    *rows = (given_rows){.train = *train, .test = *j->test};
    if (ald_card_only(run, &train->x)) return ALD_OK; /* all that is asked of them are products */
    ALD_TRY(bring_home(run, &rows->test.x));
    ALD_TRY(ald_rotations_find(run, j->plan->rotations, j->plan->settings, train, &rows->test, j->plan->clock,
                               &rows->turned));
    if (!rows->turned) return ALD_OK;
    rows->train = rows->turned->train;
    rows->test = rows->turned->test;
    rows->train.x.cols = rows->test.x.cols = ald_turned_columns(rows->turned, j->plan->settings);
    return ALD_OK;
}

/* What fits share belongs to the rows that they are given. */
static void begin_fit(const ald_run *run, const given_rows *rows)
{
    if (!run->call.tryout) return;
    run->call.tryout->rows = rows->turned ? rows->turned->number : 0;
    ald_tryout_tidy(run->call.tryout);
}

/* Seconds that others took to make what was found since: a fit counts as if it were alone. */
static double take_lent(const ald_run *run)
{
    const double lent = run->call.tryout ? run->call.tryout->lent : 0.0;
    if (run->call.tryout) run->call.tryout->lent = 0.0;
    return lent;
}

static ald_status fit_map(const ald_run *run, const ald_judging *j, const given_rows *rows, int64_t dims,
                          ald_model **model, ald_error *error)
{
    ald_settings *settings = NULL;
    ald_status status = map_settings(run, j->settings, dims, &settings, error);
    if (status >= 0 && rows->turned) status = ald_set_plain(settings, error);
    if (status >= 0) status = ald_fit_inside(run, settings, &rows->train.x, &rows->train.y, model, error);
    ald_settings_free(settings);
    return status;
}

static ald_status project(ald_run *run, const ald_judging *j, const given_rows *rows, const ald_model *model,
                          ald_projection *p)
{
    const double began = ald_judging_clock(j);
    p->r = ald_model_component_count(model);
    ALD_TRY(ALD_SCRATCH(run, {&p->train, rows->train.x.rows, p->r}, {&p->test, rows->test.x.rows, p->r}));
    p->status = ald_transform_inside(run, model, &rows->train.x, p->train, &p->error);
    const double between = ald_judging_clock(j);
    p->fit_seconds += between - began + take_lent(run);
    if (p->status >= 0) p->status = ald_transform_inside(run, model, &rows->test.x, p->test, &p->error);
    p->apply_seconds += ald_judging_clock(j) - between + take_lent(run);
    return ALD_OK;
}

/* Fits and projects; what fails is in the projection. */
static ald_status fit_rows(ald_run *run, const ald_judging *j, int64_t dims, ald_projection *p)
{
    ald_model *model = NULL;
    given_rows rows;
    ald_status status = ALD_OK;
    ALD_TRY(give_rows(run, j, &rows));
    begin_fit(run, &rows);
    const double began = ald_judging_clock(j);
    p->status = fit_map(run, j, &rows, dims, &model, &p->error);
    p->fit_seconds =
        ald_judging_clock(j) - began + (rows.turned ? rows.turned->seconds : 0.0) + take_lent(run);
    if (p->status >= 0) {
        const ald_status fitted = p->status;
        const ald_error warning = p->error;
        status = project(run, j, &rows, model, p);
        if (status >= 0 && p->status >= 0) {
            p->status = fitted;
            p->error = warning;
        }
    }
    ald_model_free(model);
    return status;
}

static ald_status fit_and_project(ald_run *run, const ald_judging *j, int64_t dims, ald_projection *p)
{
    int served = 0;
    *p = (ald_projection){.status = ALD_OK};
    if (ald_maps_find(j->plan->maps, j, dims, p)) return ALD_OK;
    if (j->plan->fold) ALD_TRY(fold_project(run, j, dims, p, &served));
    if (!served) ALD_TRY(fit_rows(run, j, dims, p));
    if (p->status != ALD_ERROR_CANCELLED) ALD_TRY(ald_maps_keep(run, j->plan->maps, j, dims, p));
    return p->status == ALD_ERROR_CANCELLED ? ald_fail(run->error, p->status, "%s", p->error.message)
                                            : ALD_OK;
}

static ald_status judge_dims(ald_run *run, const ald_judging *j, const ald_projection *p, int64_t dims,
                             ald_cell *cell)
{
    const ald_scored_rows z = {
        .train = p->train,
        .test = p->test,
        .stride = p->r,
        .r = dims,
        .summed = p->summed.z ? &p->summed : NULL,
    };
    *cell = ald_cell_blank(j, dims);
    cell->fit_seconds += p->fit_seconds;
    cell->apply_seconds += p->apply_seconds;
    if (p->status < 0) {
        ald_cell_fail(cell, p->status, p->error.message);
        return ALD_OK;
    }
    if (dims > p->r) {
        char message[64];
        snprintf(message, sizeof message, "there are only %lld directions", (long long)p->r);
        ald_cell_fail(cell, ALD_ERROR_DATA, message);
        return ALD_OK;
    }
    if (p->status > 0) ald_cell_fail(cell, p->status, p->error.message);
    return ald_judge_scores(run, j, &z, cell);
}

static ald_status judge_each(ald_run *run, const ald_judging *j, int first, ald_cell *cells)
{
    ald_projection p;
    for (int k = first; k < j->plan->n_dims; k++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        ALD_TRY(fit_and_project(run, j, j->plan->dims[k], &p));
        ALD_TRY(judge_dims(run, j, &p, j->plan->dims[k], &cells[k]));
        ald_arena_release(&run->scratch, mark);
    }
    return ALD_OK;
}

/* How many of the dims the method can have of such rows. */
static int count_possible(const ald_judging *j)
{
    const ald_target *y = ald_judging_target(j);
    const int64_t most = ald_most_components(j->settings, y->rows, j->test->x.cols, y);
    int count = 0;
    while (count < j->plan->n_dims && j->plan->dims[count] <= most) count++;
    return count;
}

/* What the predictors of several numbers of directions learn from, where that is sums, is summed once. */
static ald_status sum_scores(ald_run *run, const ald_judging *j, ald_projection *p)
{
    const ald_predictor *predictor = ald_predictor_asked(j->settings);
    const ald_subset *train;
    ald_predictor_data summed;
    int done;
    if (!predictor || p->status < 0 || p->summed.z) return ALD_OK;
    const double began = ald_judging_clock(j);
    ALD_TRY(ald_judging_train(run, j, &train));
    const ald_rows_to_learn rows = {train->x.rows, p->r, p->train, &train->y, train->y.weights};
    ALD_TRY(ald_condense(run, predictor->moments, &rows, &summed, &done));
    if (done) p->summed = summed;
    p->fit_seconds += ald_judging_clock(j) - began;
    return ALD_OK;
}

/* The fit of the largest number that is possible, and not refused, serves the smaller ones; the others say
 * why they are not. */
static ald_status judge_nested(ald_run *run, const ald_judging *j, ald_cell *cells)
{
    const int possible = count_possible(j);
    ald_projection p;
    for (int served = possible; served > 0; served--) {
        ALD_TRY(fit_and_project(run, j, j->plan->dims[served - 1], &p));
        const int refused = p.status < 0 && p.status != ALD_ERROR_MEMORY;
        if (!refused && served > 1) ALD_TRY(sum_scores(run, j, &p));
        for (int k = refused ? served - 1 : 0; k < served; k++)
            ALD_TRY(judge_dims(run, j, &p, j->plan->dims[k], &cells[k]));
        if (!refused) break;
    }
    return judge_each(run, j, possible, cells);
}

/* Without a map for other rows there is nothing to judge, and no need to fit. */
static void refuse_all(const ald_judging *j, const ald_method *method, ald_cell *cells)
{
    char message[160];
    snprintf(message, sizeof message,
             "%.40s embeds only the rows it was fitted on, so it cannot be tested on others", method->name);
    for (int k = 0; k < j->plan->n_dims; k++) {
        cells[k] = ald_cell_blank(j, j->plan->dims[k]);
        ald_cell_fail(&cells[k], ALD_ERROR_UNSUPPORTED, message);
    }
}

static ald_status judge_method(ald_run *run, const ald_judging *j, ald_cell *cells)
{
    const ald_method *method = ald_settings_method(j->plan->settings);
    if (!(method->capabilities & ALD_CAN_MAP_NEW_ROWS)) {
        refuse_all(j, method, cells);
        return ALD_OK;
    }
    return method->capabilities & ALD_IS_NESTED ? judge_nested(run, j, cells) : judge_each(run, j, 0, cells);
}

/* The same settings with the predictor that none stands for; a copy, as settings are the caller's. */
static ald_status with_predictor(ald_run *run, const ald_cell_plan *plan, const ald_target *y,
                                 ald_settings **settings)
{
    ALD_TRY(ald_settings_clone(run, plan->settings, settings, run->error));
    return ald_need_predictor(*settings, y, run->error);
}

static ald_status judge_baseline(ald_run *run, const ald_judging *j, ald_cell *cell)
{
    *cell = ald_cell_blank(j, 0);
    return j->plan->kind == ALD_CANDIDATE_CONSTANT ? ald_judge_constant(run, j, cell)
                                                   : ald_judge_features(run, j, cell);
}

static ald_status judge(ald_run *run, const ald_judging *j, ald_cell *cells)
{
    if (j->plan->kind == ALD_CANDIDATE_METHOD) return judge_method(run, j, cells);
    return judge_baseline(run, j, cells);
}

ald_status ald_cells_judge(ald_run *run, const ald_cell_plan *plan, const ald_subset *train,
                           const ald_subset *test, ald_cell *cells)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ald_settings *settings = NULL;
    ald_judging j = {.plan = plan, .train = train, .test = test};
    ald_status status = with_predictor(run, plan, &test->y, &settings);
    j.settings = settings;
    if (status >= 0) status = judge(run, &j, cells);
    ald_settings_free(settings);
    ald_arena_release(&run->scratch, mark);
    return status;
}
