/* Routines that apply a model to rows: scores, predictions, intervals, and what the rows say of it. */
#include "glue.h"
#include "routines.h"

static ald_status transform(r_call *call)
{
    ald_matrix x;
    const ald_model *model = r_model(call, "model");
    R_TRY(r_take_matrix(call, r_given(call, "x"), "newdata", &x));
    const int64_t count = ald_model_component_count(model);
    const ald_output_view view = {
        .type = ALD_F64,
        .rows = x.rows,
        .cols = count,
        .values = r_put_matrix(call, "scores", x.rows, count),
        .row_stride = 1,
        .col_stride = x.rows,
    };
    return ald_transform_to(call->context, model, &x, &view, &call->error);
}
R_ENTRY(r_transform, transform)

/* Room for rows of numbers; one number a row is a vector of R's. */
static double *put_values(r_call *call, int64_t rows, int64_t columns)
{
    if (columns != 1) return r_put_rows(call, "values", rows, columns);
    return REAL(r_put(call, "values", Rf_allocVector(REALSXP, (R_xlen_t)rows)));
}

static ald_status predict(r_call *call)
{
    ald_matrix x;
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    const ald_model *model = r_model(call, "model");
    R_TRY(r_take_matrix(call, r_given(call, "x"), "newdata", &x));
    if (!ald_model_prediction_shape(model, &shape) || shape.columns == 0)
        return r_refuse(call, "the model has no predictor: it gives scores only");
    if (!r_whole(call->arguments, "scores"))
        return ald_predict(call->context, model, &x, put_values(call, x.rows, shape.columns), &call->error);
    return ald_predict_scores(call->context, model, &x, put_values(call, x.rows, shape.scores), &call->error);
}
R_ENTRY(r_predict, predict)

static ald_status intervals(r_call *call)
{
    ald_matrix x;
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    const ald_model *model = r_model(call, "model");
    const double level = r_number(call->arguments, "level");
    R_TRY(r_take_matrix(call, r_given(call, "x"), "newdata", &x));
    if (!ald_model_prediction_shape(model, &shape) || shape.columns == 0)
        return r_refuse(call, "the model has no predictor: it gives scores only");
    if (shape.kind == ALD_TARGET_REAL) {
        double *low = r_put_rows(call, "low", x.rows, shape.columns);
        double *high = r_put_rows(call, "high", x.rows, shape.columns);
        return ald_predict_intervals(call->context, model, &x, level, low, high, &call->error);
    }
    const R_xlen_t count = (R_xlen_t)(x.rows * shape.scores);
    SEXP sets = r_put(call, "sets", Rf_allocVector(RAWSXP, count));
    return ald_predict_sets(call->context, model, &x, level, RAW(sets), &call->error);
}
R_ENTRY(r_intervals, intervals)

static ald_status outliers(r_call *call)
{
    ald_matrix x;
    ald_outlier_limits limits = ALD_OUTLIER_LIMITS_INIT;
    R_TRY(r_take_matrix(call, r_given(call, "x"), "newdata", &x));
    double *t2 = r_put_rows(call, "t2", x.rows, 1), *q = r_put_rows(call, "q", x.rows, 1);
    R_TRY(ald_outliers(call->context, r_model(call, "model"), &x, t2, q, &limits, &call->error));
    const double found[] = {limits.t2_95, limits.t2_99, limits.q_95, limits.q_99};
    double *kept = REAL(r_put(call, "limits", Rf_allocVector(REALSXP, 4)));
    for (int i = 0; i < 4; i++) kept[i] = found[i];
    return ALD_OK;
}
R_ENTRY(r_outliers, outliers)

static ald_status importance(r_call *call)
{
    r_inputs inputs = {.view = ALD_INPUTS_INIT};
    const ald_model *model = r_model(call, "model");
    const ald_importance_kind kind = (ald_importance_kind)r_whole(call->arguments, "kind");
    if (!ald_importance_in_model(model, kind)) R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    const int64_t rows = kind == ALD_IMPORTANCE_VIP ? 1 : ald_model_component_count(model);
    double *values = r_put_rows(call, "values", rows, ald_model_feature_count(model));
    return ald_importance(call->context, model, kind, inputs.view.x, inputs.view.y, values, &call->error);
}
R_ENTRY(r_importance, importance)

static ald_status explained(r_call *call)
{
    r_inputs inputs;
    const ald_model *model = r_model(call, "model");
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    const int64_t count = ald_model_component_count(model);
    double *x_share = r_put_rows(call, "x", 1, count), *y_share = r_put_rows(call, "y", 1, count);
    for (int64_t i = 0; i < count; i++) y_share[i] = NA_REAL;
    const int with_target = inputs.target.kind != ALD_TARGET_NONE;
    return ald_explained(call->context, model, &inputs.x, with_target ? inputs.view.y : NULL, x_share,
                         y_share, &call->error);
}
R_ENTRY(r_explained, explained)

enum { most_figures = 512 };

static ald_status evaluate(r_call *call)
{
    r_inputs inputs;
    int count = 0;
    ald_score *figures = (ald_score *)R_alloc(most_figures, sizeof *figures);
    figures[0] = (ald_score)ALD_SCORE_INIT;
    R_TRY(r_take_inputs(call, r_given(call, "inputs"), &inputs));
    R_TRY(ald_evaluate(call->context, r_model(call, "model"), &inputs.x, inputs.view.y, figures, most_figures,
                       &count, &call->error));
    if (count > most_figures) count = most_figures;
    SEXP names = r_put(call, "names", Rf_allocVector(STRSXP, count));
    SEXP of = r_put(call, "of", Rf_allocVector(STRSXP, count));
    double *values = r_put_rows(call, "values", count, 1);
    for (int i = 0; i < count; i++) {
        SET_STRING_ELT(names, i, Rf_mkCharCE(figures[i].name, CE_UTF8));
        SET_STRING_ELT(of, i, Rf_mkCharCE(figures[i].of, CE_UTF8));
        values[i] = figures[i].value;
    }
    return ALD_OK;
}
R_ENTRY(r_evaluate, evaluate)
