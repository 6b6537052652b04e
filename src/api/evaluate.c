/* ald_evaluate: predictions of the model beside the truth. Several responses: the mean over them first, then each. */
#include <alidade/evaluate.h>

#include "api/check.h"
#include "core/run.h"
#include "evaluate/metrics.h"
#include "methods/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct score_list {
    ald_score *scores;
    int capacity, count;
} score_list;

static void add_score(score_list *list, const char *name, const char *of, double value, const char *note)
{
    if (list->count < list->capacity) {
        ald_score *score = &list->scores[list->count];
        snprintf(score->name, sizeof score->name, "%s", name);
        snprintf(score->of, sizeof score->of, "%s", of);
        snprintf(score->note, sizeof score->note, "%s", note);
        score->value = value;
    }
    list->count++;
}

typedef double (*column_metric)(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction);

typedef struct response_metric {
    const char *name;
    column_metric of_column;
    const char *undefined; /* why it may be NaN */
} response_metric;

static double mean_metric(const response_metric *m, int64_t n, int64_t q, const double *truth, const double *prediction)
{
    double sum = 0.0;
    for (int64_t j = 0; j < q; j++) sum += m->of_column(n, q, j, truth, prediction);
    return sum / (double)q;
}

static void score_responses(score_list *list, const ald_target *y, int64_t q, const double *truth,
                            const double *prediction)
{
    static const response_metric metrics[] = {
        {"rmse", ald_metric_rmse, ""}, {"r2", ald_metric_r2, "undefined: the response does not vary in these rows"}};
    char number[32];
    for (size_t k = 0; k < 2; k++) {
        const double value = mean_metric(&metrics[k], y->rows, q, truth, prediction);
        add_score(list, metrics[k].name, "", value, isnan(value) ? metrics[k].undefined : "");
    }
    for (int64_t j = 0; q > 1 && j < q; j++)
        for (size_t k = 0; k < 2; k++) {
            const double value = metrics[k].of_column(y->rows, q, j, truth, prediction);
            snprintf(number, sizeof number, "y%lld", (long long)j + 1);
            add_score(list, metrics[k].name, y->names && y->names[j] ? y->names[j] : number, value,
                      isnan(value) ? metrics[k].undefined : "");
        }
}

static void score_classes(score_list *list, const ald_target *y, const double *prediction)
{
    int64_t right = 0;
    for (int64_t i = 0; i < y->rows; i++) right += (int32_t)prediction[i] == y->classes[i];
    add_score(list, "accuracy", "", (double)right / (double)y->rows, "");
}

/* A label is predicted where its score is above one half. */
static void score_labels(score_list *list, const ald_target *y, int64_t q, const double *truth,
                         const double *prediction)
{
    int64_t right = 0;
    for (int64_t i = 0; i < y->rows * q; i++) right += (prediction[i] > 0.5) == (truth[i] > 0.5);
    add_score(list, "accuracy", "", (double)right / (double)(y->rows * q),
              "of single labels, scores above 0.5 taken as yes");
}

static ald_status check(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y)
{
    const ald_prediction_shape shape = ald_model_prediction_shape(model);
    if (shape.columns == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model has no predictor: fit it again with predictor=linear or centroid (--predictor)");
    if (!y || y->kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA, "the data have no target to compare with");
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(ald_check_truth(run, y, x->rows));
    if (y->kind != shape.kind || (y->kind != ALD_TARGET_CLASSES && y->values.cols != shape.columns))
        return ald_fail(run->error, ALD_ERROR_DATA, "the target is not of the kind the model was fitted on");
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        if (!y->labelled[i])
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "row %lld has no target: leave such rows out (--unlabelled-rows drop)", (long long)i + 1);
    return ALD_OK;
}

static ald_status evaluate(ald_run *run, ald_context *context, const ald_model *model, const ald_matrix *x,
                           const ald_target *y, score_list *list)
{
    double *truth, *prediction;
    int64_t q;
    ALD_TRY(check(run, model, x, y));
    ALD_TRY(ald_scratch_reals(run, x->rows, ald_model_prediction_shape(model).columns, &prediction));
    ALD_TRY(ald_predict(context, model, x, prediction, run->error));
    if (y->kind == ALD_TARGET_CLASSES) {
        score_classes(list, y, prediction);
        return ALD_OK;
    }
    ALD_TRY(ald_target_numbers(run, y, &truth, &q));
    if (y->kind == ALD_TARGET_LABELS)
        score_labels(list, y, q, truth, prediction);
    else
        score_responses(list, y, q, truth, prediction);
    return ALD_OK;
}

ald_status ald_evaluate(ald_context *context, const ald_model *model, const ald_matrix *x, const ald_target *y,
                        ald_score *scores, int capacity, int *count, ald_error *error)
{
    ald_run run;
    score_list list = {scores, capacity, 0};
    ald_run_begin(&run, context, error);
    const ald_status status = evaluate(&run, context, model, x, y, &list);
    *count = status < 0 ? 0 : list.count;
    return ald_run_end(&run, status);
}
