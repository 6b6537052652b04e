/* A cell by sums: the map from the moments of the training part, the test rows projected, and for the
 * predictor the scores of the few rows that have those moments; or, where it wants them (knn, logistic, the
 * values behind slices), the scores of the training rows. */
#include "judge/cells/folds.h"
#include "judge/cells/judging.h"

#include "fit/fitting/map_rows.h"
#include "methods/predict/predictor.h"

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

ald_status ald_fold_project(ald_run *run, const ald_judging *j, int64_t dims, ald_projection *p, int *served)
{
    ald_settings *settings = NULL;
    ald_model *model = NULL;
    ald_run inner;
    ald_run_inside(&inner, run, &p->error);
    ald_status status = ald_map_settings(run, j->settings, dims, &settings, &p->error);
    inner.settings = settings;
    *served = status < 0 || ald_fold_serves(&inner, j->plan->fold); /* a failure is the outcome, too */
    if (*served && status >= 0) status = ald_model_new(&inner, &model);
    if (*served && status >= 0) status = fold_project_fit(run, &inner, j, model, p, served);
    ald_model_free(model);
    p->status = ald_run_end(&inner, status);
    ald_settings_free(settings);
    return ALD_OK;
}
