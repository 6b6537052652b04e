/* ald_calibrate: the errors of a model on rows that it has not seen, kept in a copy of it (calibration.c says
 * what they are for). By folds the model is refitted, with the settings that it keeps, without each of K
 * parts of its rows. Cost: K fits of n (1 - 1/K) rows. */
#include "judge/cells/calibrate.h"
#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/options.h"
#include "base/settings/settings.h"
#include "fit/fitting/calibration.h"
#include "fit/fitting/fit.h"
#include "fit/fitting/map_rows.h"
#include "fit/fitting/method_settings.h"
#include "fit/prepare/check.h"
#include "judge/splitting/splits.h"

#include <math.h>

typedef struct calibrating {
    const ald_model *model;
    ald_subset data;
    ald_calibration_options options; /* whole */
    ald_prediction_shape shape;
    const ald_settings *settings; /* of the model */
    double *errors;               /* data.x.rows x columns, the first `measured` rows are known */
    int64_t measured, columns;
} calibrating;

static ald_status check(ald_run *run, calibrating *c)
{
    c->shape = (ald_prediction_shape)ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(c->model, &c->shape);
    if (c->shape.columns == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model has no predictor: fit it again with one, such as `predictor=linear`");
    if (c->options.folds < 0 || c->options.folds == 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`folds` is %lld, but it must be 0, or 2 or more",
                        (long long)c->options.folds);
    ALD_TRY(ald_check_matrix(run, &c->data.x, "X"));
    if (c->data.y.kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA, "the data have no target to compare with");
    ALD_TRY(ald_check_truth(run, &c->data.y, c->data.x.rows));
    if (c->data.y.kind != c->shape.kind)
        return ald_fail(run->error, ALD_ERROR_DATA, "the target is not of the kind the model was fitted on");
    c->columns = c->shape.kind == ALD_TARGET_CLASSES ? 1 : c->shape.scores;
    return ald_scratch_reals(run, c->data.x.rows, c->columns, &c->errors);
}

/* Adds the errors of a model on rows that it has not seen. */
static ald_status measure(ald_run *run, calibrating *c, const ald_model *model, const ald_subset *rows)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    double *scores;
    int64_t added;
    ald_model_prediction_shape(model, &shape);
    ALD_TRY(ald_scratch_reals(run, rows->x.rows, shape.scores, &scores));
    ALD_TRY(ald_predict_scores_inside(run, model, &rows->x, scores));
    ALD_TRY(
        ald_calibration_measure(run, &shape, &rows->y, scores, c->errors + c->measured * c->columns, &added));
    c->measured += added;
    return ALD_OK;
}

static ald_status refit(ald_run *run, calibrating *c, const ald_splits *splits, int64_t split)
{
    ald_subset train, test;
    ald_split_parts parts;
    ald_model *model = NULL;
    ALD_TRY(ald_splits_list(run, splits, split, &parts));
    ALD_TRY(ald_subset_take(run, &c->data, parts.train, parts.n_train, &train));
    ALD_TRY(ald_subset_take(run, &c->data, parts.test, parts.n_test, &test));
    ald_status status = ald_fit_inside(run, c->settings, &train.x, &train.y, &model, run->error);
    if (status >= 0) status = measure(run, c, model, &test);
    ald_model_free(model);
    return status;
}

/* What is wrong with a part of the rows need not be wrong with all. */
static ald_status say_which(ald_run *run, ald_status status, int64_t split, int64_t folds)
{
    const ald_error why = *run->error;
    if (status != ALD_ERROR_DATA && status != ALD_ERROR_NUMERICAL) return status;
    return ald_fail(run->error, status, "without part %lld of %lld of the rows, as intervals need it: %s",
                    (long long)split + 1, (long long)folds, why.message);
}

static ald_status refit_all(ald_run *run, calibrating *c)
{
    const ald_splits_options options = {
        .size = sizeof options,
        .folds = c->options.folds,
        .groups = c->options.groups,
        .seed = c->options.seed,
    };
    ald_splits *splits = NULL;
    ald_status status = ald_splits_make(run, &c->data, &options, &splits);
    for (int64_t k = 0; k < options.folds && status >= 0; k++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        const ald_span before =
            ald_span_enter(run, (double)k / (double)options.folds, 1.0 / (double)options.folds);
        status = refit(run, c, splits, k);
        if (status < 0) status = say_which(run, status, k, options.folds);
        ald_span_leave(run, before);
        ald_arena_release(&run->scratch, mark);
    }
    ald_splits_free(splits);
    return status;
}

/* What only the model itself needs is not made K times. */
static ald_status refit_settings(const ald_run *run, const ald_model *model, ald_settings **settings)
{
    ALD_TRY(ald_settings_as_stored(run->context, model, settings, run->error));
    return ald_set_keep_statistics(*settings, 0, run->error);
}

static ald_status by_folds(ald_run *run, calibrating *c)
{
    ald_settings *settings = NULL;
    ald_status status = refit_settings(run, c->model, &settings);
    c->settings = settings;
    if (status >= 0) status = refit_all(run, c);
    ald_settings_free(settings);
    return status;
}

static ald_status copy_with_errors(ald_run *run, calibrating *c, ald_model **calibrated)
{
    ald_calibration all = {.rows = c->measured, .columns = c->columns};
    ALD_TRY(ald_model_new(run, calibrated));
    ALD_TRY(ald_model_copy(run, c->model, ALD_CALIBRATION, *calibrated));
    ALD_TRY(ald_calibration_store(run, &all, c->errors, *calibrated));
    if (c->options.folds > 0)
        return ald_model_set_printed(run, *calibrated, "alidade.calibration", "%lld rows, %lld folds",
                                     (long long)c->measured, (long long)c->options.folds);
    return ald_model_set_printed(run, *calibrated, "alidade.calibration", "%lld rows not used by the fit",
                                 (long long)c->measured);
}

ald_status ald_calibrate_inside(ald_run *run, const ald_model *model, const ald_matrix *x,
                                const ald_target *y, const ald_calibration_options *options,
                                ald_model **calibrated)
{
    calibrating c = {.model = model, .data = {.x = *x, .y = *y}, .options = *options};
    ALD_TRY(check(run, &c));
    ALD_TRY(c.options.folds > 0 ? by_folds(run, &c) : measure(run, &c, model, &c.data));
    ald_status status = copy_with_errors(run, &c, calibrated);
    if (status >= 0) return status;
    ald_model_free(*calibrated);
    *calibrated = NULL;
    return status;
}

ald_status ald_calibrate_fitted(ald_run *run, const ald_matrix *x, const ald_target *y, const int64_t *groups,
                                ald_model **model)
{
    const ald_calibration_options options = {
        .size = sizeof options,
        .folds = ALD_ERROR_FOLDS,
        .groups = groups,
    };
    ald_model *calibrated = NULL;
    const ald_status status = ald_calibrate_inside(run, *model, x, y, &options, &calibrated);
    if (status == ALD_ERROR_MEMORY || status == ALD_ERROR_CANCELLED) return status;
    if (status < 0) return ALD_OK;
    ald_model_free(*model);
    *model = calibrated;
    return ALD_OK;
}

ald_status ald_calibrate(ald_context *context, const ald_model *model, const ald_matrix *x,
                         const ald_target *y, const ald_calibration_options *options, ald_model **calibrated,
                         ald_error *error)
{
    ald_calibration_options whole;
    ald_run run;
    if (calibrated) *calibrated = NULL;
    ALD_GIVEN(error, context, model, x, y, calibrated);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_calibration_options, options, &whole));
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, ald_calibrate_inside(&run, model, x, y, &whole, calibrated));
}
