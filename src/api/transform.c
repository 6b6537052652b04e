/* ald_transform and ald_predict: a model's map, then its predictor. */
#include "api/check.h"
#include "api/map_rows.h"
#include "api/prepare_x.h"
#include "kernel/model_map.h"
#include "linalg/entry.h"
#include "predict/predictor.h"
#include "threads/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ald_status check_rows(ald_run *run, const ald_model *model, const ald_matrix *x)
{
    ALD_TRY(ald_check_matrix(run, x, "X"));
    if (x->cols != ald_model_feature_count(model))
        return ald_fail(run->error, ALD_ERROR_DATA, "the data have %lld columns, but the model was fitted on %lld",
                        (long long)x->cols, (long long)ald_model_feature_count(model));
    return ALD_OK;
}

/* A projection that is not finite tells of a bad entry: X is looked through only then. */
static ald_status check_projection(ald_run *run, const ald_matrix *x, int64_t count, const double *z)
{
    int64_t bad = 0;
    while (bad < count && isfinite(z[bad])) bad++;
    if (bad == count) return ALD_OK;
    ALD_TRY(ald_check_finite(run, x, "X"));
    return ald_fail(run->error, ALD_ERROR_DATA, "X: the values are too large to be projected");
}

static ald_status transform(ald_run *run, const ald_model *model, const ald_matrix *x, double *z)
{
    ALD_TRY(check_rows(run, model, x));
    ALD_TRY(ald_map_rows(run, model, x, z));
    return check_projection(run, x, x->rows * ald_model_component_count(model), z);
}

static ald_target_kind target_of(const ald_model *model)
{
    const char *target = ald_model_text(model, "alidade.target");
    if (target && strcmp(target, "classes") == 0) return ALD_TARGET_CLASSES;
    if (target && strcmp(target, "labels") == 0) return ALD_TARGET_LABELS;
    return target && strcmp(target, "real") == 0 ? ALD_TARGET_REAL : ALD_TARGET_NONE;
}

ald_prediction_shape ald_model_prediction_shape(const ald_model *model)
{
    const ald_predictor *predictor = ald_predictor_of(model);
    ald_prediction_shape shape = {.kind = target_of(model)};
    if (!predictor) return shape;
    shape.scores = predictor->outputs(model, ald_model_component_count(model));
    shape.columns = shape.kind == ALD_TARGET_CLASSES && shape.scores > 0 ? 1 : shape.scores;
    shape.probabilities = (predictor->probabilities & 1U << shape.kind) != 0;
    return shape;
}

/* scores: x->rows x q. */
static ald_status predict_scores(ald_run *run, const ald_model *model, const ald_matrix *x, double *scores)
{
    const ald_predictor *predictor = ald_predictor_of(model);
    const int64_t r = ald_model_component_count(model);
    double *z;
    if (!predictor)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model has no predictor: fit it again with one, such as `predictor=linear`");
    const int64_t q = predictor->outputs(model, r);
    if (q == 0)
        return ald_fail(run->error, ALD_ERROR_FORMAT, "the arrays of the model's predictor are missing or do not fit");
    ALD_TRY(check_rows(run, model, x));
    ALD_TRY(ald_scratch_reals(run, x->rows, r, &z));
    ALD_TRY(transform(run, model, x, z));
    return predictor->apply(run, model, x->rows, r, q, z, scores);
}

static ald_status predict(ald_run *run, const ald_model *model, const ald_matrix *x, double *prediction)
{
    const ald_prediction_shape shape = ald_model_prediction_shape(model);
    double *scores;
    if (shape.kind != ALD_TARGET_CLASSES || shape.scores == 0) return predict_scores(run, model, x, prediction);
    ALD_TRY(check_rows(run, model, x));
    ALD_TRY(ald_scratch_reals(run, x->rows, shape.scores, &scores));
    ALD_TRY(predict_scores(run, model, x, scores));
    ald_predictor_decide(x->rows, shape.scores, scores, prediction);
    return ALD_OK;
}

typedef ald_status (*row_function)(ald_run *run, const ald_model *model, const ald_matrix *x, double *out);

static ald_status on_rows(ald_context *context, row_function function, const ald_model *model, const ald_matrix *x,
                          double *out, ald_error *error)
{
    ald_run run;
    ald_run_begin(&run, context, error);
    ald_threads_begin(context->threads);
    const ald_status status = function(&run, model, x, out);
    ald_threads_end();
    return ald_run_end(&run, status);
}

ald_status ald_transform(ald_context *context, const ald_model *model, const ald_matrix *x, double *z, ald_error *error)
{
    return on_rows(context, transform, model, x, z, error);
}

ald_status ald_predict(ald_context *context, const ald_model *model, const ald_matrix *x, double *prediction,
                       ald_error *error)
{
    return on_rows(context, predict, model, x, prediction, error);
}

ald_status ald_predict_scores(ald_context *context, const ald_model *model, const ald_matrix *x, double *scores,
                              ald_error *error)
{
    return on_rows(context, predict_scores, model, x, scores, error);
}
