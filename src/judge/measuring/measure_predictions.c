/* ald_evaluate: predictions of the model beside the truth. Several responses: the mean over them first, then
 * each. */
#include "judge/measuring/measure_predictions.h"
#include "base/core/error.h"
#include "base/core/known_rows.h"
#include "base/core/run.h"
#include "base/settings/options.h"
#include "fit/prepare/check.h"
#include "math/operator/entry.h"

#include <alidade/evaluate.h>
#include <math.h>
#include <string.h>

/* Every row has a target to compare with. */
static ald_status check_truth(ald_run *run, const ald_target *y, int64_t rows)
{
    if (!y || y->kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA, "the data have no target to compare with");
    ALD_TRY(ald_check_truth(run, y, rows));
    for (int64_t i = 0; y->labelled && i < y->rows; i++)
        if (!y->labelled[i])
            return ald_fail(run->error, ALD_ERROR_DATA,
                            "row %lld has no target: leave out such rows (`unlabelled_rows=drop`)",
                            (long long)ald_target_row_number(run, y, i));
    return ALD_OK;
}

static ald_status check_model(ald_run *run, const ald_model *model, const ald_matrix *x, const ald_target *y)
{
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(model, &shape);
    if (shape.columns == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "the model has no predictor: fit it again with one, such as `predictor=linear`");
    ALD_TRY(ald_check_matrix(run, x, "X"));
    ALD_TRY(check_truth(run, y, x->rows));
    if (y->kind != shape.kind || (y->kind != ALD_TARGET_CLASSES && y->values.cols != shape.columns))
        return ald_fail(run->error, ALD_ERROR_DATA, "the target is not of the kind the model was fitted on");
    return ALD_OK;
}

/* Predicted classes are codes, other predictions finite; `classes` is the number of codes in truth and
 * prediction. */
static ald_status check_prediction(ald_run *run, const ald_target *y, const double *prediction,
                                   int64_t columns, int64_t *classes)
{
    const int codes = y->kind == ALD_TARGET_CLASSES;
    *classes = y->n_classes;
    if (columns != (codes ? 1 : y->values.cols))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the prediction has %lld columns, the target %lld",
                        (long long)columns, (long long)(codes ? 1 : y->values.cols));
    for (int64_t i = 0; i < y->rows * columns; i++) {
        if (!isfinite(prediction[i]) || (codes && !(prediction[i] >= 0.0 && prediction[i] < 1e6 &&
                                                    prediction[i] == floor(prediction[i]))))
            return ald_fail(run->error, ALD_ERROR_DATA, "the prediction of row %lld is %g, expected %s",
                            (long long)(i / columns) + 1, prediction[i],
                            codes ? "a class code" : "a finite number");
        if (codes && prediction[i] >= (double)*classes) *classes = (int64_t)prediction[i] + 1;
    }
    return ALD_OK;
}

/* One finite number per row and class; probabilities from 0 to 1. */
static ald_status check_scores(ald_run *run, const ald_target *y, const ald_score_options *o)
{
    if (!o->scores || y->kind != ALD_TARGET_CLASSES) return ALD_OK;
    if (o->n_scores < 1 || o->n_scores > 1000000)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`n_scores` is %lld, but it must be the number of classes", (long long)o->n_scores);
    for (int64_t i = 0; i < y->rows * o->n_scores; i++) {
        const double value = o->scores[i];
        const int in_range = !o->probabilities || (value >= -1e-9 && value <= 1.0 + 1e-9);
        if (!isfinite(value) || !in_range)
            return ald_fail(run->error, ALD_ERROR_DATA, "a score of row %lld is %g, expected %s",
                            (long long)(i / o->n_scores) + 1, value,
                            o->probabilities ? "a probability from 0 to 1" : "a finite number");
    }
    return ALD_OK;
}

static ald_status score(ald_run *run, const ald_target *y, const double *prediction, int64_t columns,
                        const ald_score_options *options, ald_score_list *list)
{
    double *truth = NULL;
    ald_judged judged = {
        .y = y,
        .prediction = prediction,
        .scores = options->scores,
        .n_scores = options->n_scores,
        .probabilities = options->probabilities,
        .means = options->means,
    };
    ALD_TRY(check_prediction(run, y, prediction, columns, &judged.q));
    ALD_TRY(check_scores(run, y, options));
    if (y->kind != ALD_TARGET_CLASSES) ALD_TRY(ald_target_numbers(run, y, &truth, &judged.q));
    judged.truth = truth;
    return ald_score_all(run, &judged, list);
}

static ald_status evaluate(ald_run *run, ald_context *context, const ald_model *model, const ald_matrix *x,
                           const ald_target *y, ald_score_list *list)
{
    ald_score_options options = ALD_SCORE_OPTIONS_INIT;
    double *prediction, *scores;
    ALD_TRY(check_model(run, model, x, y));
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    ald_model_prediction_shape(model, &shape);
    ALD_TRY(ALD_SCRATCH(run, {&prediction, x->rows, shape.columns}, {&scores, x->rows, shape.scores}));
    ALD_TRY(ald_predict(context, model, x, prediction, run->error));
    if (y->kind == ALD_TARGET_CLASSES) {
        ALD_TRY(ald_predict_scores(context, model, x, scores, run->error));
        options.scores = scores;
        options.n_scores = shape.scores;
        options.probabilities = shape.probabilities;
    }
    return score(run, y, prediction, shape.columns, &options, list);
}

/* Room for as many scores as the caller has. */
static ald_status make_room(ald_run *run, const ald_score *scores, int capacity, ald_score_list *list)
{
    *list = (ald_score_list){.capacity = scores && capacity > 0 ? capacity : 0, .one_part = 1};
    return ald_scratch(run, list->capacity, 1, sizeof *list->scores, &list->scores);
}

static void hand_over(const ald_score_list *list, ald_score *scores, int *count)
{
    for (int i = 0; i < list->count && i < list->capacity; i++)
        ALD_OPTIONS_WRITE_AT(ald_score, &list->scores[i], scores, i);
    *count = list->count;
}

ald_status ald_evaluate(ald_context *context, const ald_model *model, const ald_matrix *x,
                        const ald_target *y, ald_score *scores, int capacity, int *count, ald_error *error)
{
    ald_run run;
    ald_score_list list;
    if (count) *count = 0;
    ALD_GIVEN(error, context, model, x, y, count);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_score, scores));
    ald_run_begin(&run, context, error);
    ald_status status = make_room(&run, scores, capacity, &list);
    if (status >= 0) status = evaluate(&run, context, model, x, y, &list);
    if (status >= 0) hand_over(&list, scores, count);
    return ald_run_end(&run, status);
}

ald_status ald_score_predictions(ald_context *context, const ald_target *y, const double *prediction,
                                 int64_t columns, ald_score *scores, int capacity, int *count,
                                 ald_error *error)
{
    return ald_score_predictions_with(context, y, prediction, columns, NULL, scores, capacity, count, error);
}

ald_status ald_score_run(ald_run *run, const ald_target *y, const double *prediction, int64_t columns,
                         const ald_score_options *options, ald_score_list *list)
{
    ALD_TRY(check_truth(run, y, y->rows));
    return score(run, y, prediction, columns, options, list);
}

ald_status ald_score_predictions_with(ald_context *context, const ald_target *y, const double *prediction,
                                      int64_t columns, const ald_score_options *options, ald_score *scores,
                                      int capacity, int *count, ald_error *error)
{
    ald_run run;
    ald_score_list list;
    ald_score_options whole;
    if (count) *count = 0;
    ALD_GIVEN(error, context, y, prediction, count);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_score, scores));
    ALD_TRY(ALD_OPTIONS_READ(error, ald_score_options, options, &whole));
    ald_run_begin(&run, context, error);
    ald_status status = make_room(&run, scores, capacity, &list);
    if (status >= 0) status = ald_score_run(&run, y, prediction, columns, &whole, &list);
    if (status >= 0) hand_over(&list, scores, count);
    return ald_run_end(&run, status);
}

static ald_status confusion(ald_run *run, const ald_target *y, const double *prediction, int64_t n_classes,
                            int64_t *counts)
{
    int64_t classes;
    ALD_TRY(check_truth(run, y, y ? y->rows : 0));
    if (y->kind != ALD_TARGET_CLASSES)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "a confusion matrix needs classes, but the target is not classes");
    ALD_TRY(check_prediction(run, y, prediction, 1, &classes));
    if (classes > n_classes)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "buffer too small: %lld classes, capacity %lld",
                        (long long)classes, (long long)n_classes);
    memset(counts, 0, (size_t)(n_classes * n_classes) * sizeof *counts);
    for (int64_t i = 0; i < y->rows; i++) counts[y->classes[i] * n_classes + (int64_t)prediction[i]]++;
    return ALD_OK;
}

ald_status ald_confusion(ald_context *context, const ald_target *y, const double *prediction,
                         int64_t n_classes, int64_t *counts, ald_error *error)
{
    ald_run run;
    ALD_GIVEN(error, context, y, prediction, counts);
    ald_run_begin(&run, context, error);
    return ald_run_end(&run, confusion(&run, y, prediction, n_classes, counts));
}

/* ald_baseline_accuracy: what always predicting the most frequent is worth on the rows it is taken from. */

static ald_status count_classes(ald_run *run, const ald_target *y, double *accuracy, int64_t *class_code)
{
    int64_t *counts;
    int64_t best = 0;
    ALD_TRY(ald_scratch_clear(run, y->n_classes, 1, sizeof *counts, &counts));
    for (int64_t i = 0; i < y->rows; i++) counts[y->classes[i]]++;
    for (int64_t c = 1; c < y->n_classes; c++)
        if (counts[c] > counts[best]) best = c;
    *accuracy = (double)counts[best] / (double)y->rows;
    *class_code = best;
    return ALD_OK;
}

static void count_ones(const ald_matrix *labels, int64_t *ones)
{
    const int64_t n = labels->rows, q = labels->cols;
    if (labels->storage == ALD_CSR) {
        const int64_t entries = ald_matrix_index(labels, labels->pointers, n);
        for (int64_t e = 0; e < entries; e++)
            ones[ald_matrix_index(labels, labels->indices, e)] += ald_matrix_value(labels, e) > 0.5;
        return;
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < q; j++) ones[j] += ald_matrix_at(labels, i, j) > 0.5;
}

/* The more frequent value of each label. */
static ald_status count_labels(ald_run *run, const ald_matrix *labels, double *accuracy)
{
    const int64_t n = labels->rows, q = labels->cols;
    double right = 0.0;
    int64_t *ones;
    ALD_TRY(ald_scratch_clear(run, q, 1, sizeof *ones, &ones));
    count_ones(labels, ones);
    for (int64_t j = 0; j < q; j++) right += (double)(2 * ones[j] > n ? ones[j] : n - ones[j]);
    *accuracy = right / ((double)n * (double)q);
    return ALD_OK;
}

static ald_status measure(ald_run *run, const ald_target *y, double *accuracy, int64_t *class_code)
{
    if (y->rows < 1 || y->kind == ALD_TARGET_NONE || y->kind == ALD_TARGET_REAL) return ALD_OK;
    ALD_TRY(ald_check_truth(run, y, y->rows));
    if (y->kind == ALD_TARGET_CLASSES) return count_classes(run, y, accuracy, class_code);
    return y->values.cols > 0 ? count_labels(run, &y->values, accuracy) : ALD_OK;
}

ald_status ald_baseline_accuracy(ald_context *context, const ald_target *y, double *accuracy,
                                 int64_t *class_code, ald_error *error)
{
    ald_run run;
    int64_t code = -1;
    ALD_GIVEN(error, context, y, accuracy);
    *accuracy = (double)NAN;
    ald_run_begin(&run, context, error);
    const ald_status status = ald_run_end(&run, measure(&run, y, accuracy, &code));
    if (class_code) *class_code = code;
    return status;
}
