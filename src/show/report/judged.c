/* What the model is worth on rows that it has not seen: test rows, folds, or the predictions that tuning
 * kept. */
#include "show/report/report_job.h"

#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "judge/dimension/dimension.h"
#include "methods/predict/predictor.h"
#include "show/report/figures.h"
#include "show/report/trials.h"

#include <math.h>
#include <string.h>

enum { usual_dims = 10, few_dims = 3 };
#define MOST_CELLS 5e7 /* predictions that are kept for the curve */

static ald_predictions own_rows(const ald_report_job *job, int of_test)
{
    const ald_judged_rows *j = &job->judged;
    return (ald_predictions){
        .from = of_test ? job->n_data : 0,
        .count = of_test ? job->n_test : job->n_data,
        .predicted = j->predicted,
        .class_scores = j->class_scores,
    };
}

static ald_status make_room(ald_run *run, ald_report_job *job)
{
    ald_judged_rows *j = &job->judged;
    ALD_TRY(ald_scratch_reals(run, job->total, job->outputs, &j->predicted));
    for (int64_t i = 0; i < job->total * job->outputs; i++) j->predicted[i] = NAN;
    if (job->kind != ALD_TARGET_CLASSES) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, job->total, job->n_classes, &j->class_scores));
    for (int64_t i = 0; i < job->total * job->n_classes; i++) j->class_scores[i] = NAN;
    return ALD_OK;
}

/* By the predictor of the model, from row `start` of the job on. */
static ald_status predict(ald_run *run, ald_report_job *job, const ald_dataset *rows, int64_t start)
{
    ald_judged_rows *j = &job->judged;
    ALD_TRY(ald_predict(job->context, job->model, &rows->x, j->predicted + start * job->outputs, run->error));
    if (!j->class_scores) return ALD_OK;
    return ald_predict_scores(job->context, job->model, &rows->x, j->class_scores + start * job->n_classes,
                              run->error);
}

static int has_predictor(const ald_report_job *job, ald_prediction_shape *shape)
{
    const int64_t scores = job->kind == ALD_TARGET_CLASSES ? job->n_classes : job->outputs;
    return ald_model_prediction_shape(job->model, shape) && shape->kind == job->kind &&
           shape->columns == job->outputs && shape->scores == scores;
}

static ald_status predict_all(ald_run *run, ald_report_job *job)
{
    ald_judged_rows *j = &job->judged;
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    int have;
    j->probabilities = job->kind == ALD_TARGET_CLASSES; /* of the usual predictor */
    if (!has_predictor(job, &shape)) return ALD_OK;
    j->probabilities = shape.probabilities;
    ALD_TRY(ald_report_optional(run, job, "The rows of the fit are not predicted",
                                predict(run, job, job->data, 0), &have));
    if (have) {
        const ald_predictions own = own_rows(job, 0);
        j->of_data = "training";
        ALD_TRY(ald_report_figure(run, job, &own, 0, &j->training));
    }
    if (!job->test) return ALD_OK;
    ALD_TRY(ald_report_optional(run, job, "The test rows are not predicted",
                                predict(run, job, job->test, job->n_data), &have));
    if (have) j->of_test = "test";
    return ALD_OK;
}

/* The predictions of one row of a comparison: views, as ald_predictions wants them for `rows` rows. */
static ald_status take_predictions(ald_run *run, const ald_comparison *comparison, int row, int64_t rows,
                                   ald_predictions *p)
{
    ald_out_of_fold found = ALD_OUT_OF_FOLD_INIT;
    ALD_TRY(ald_comparison_predictions(comparison, row, &found, run->error));
    p->predicted = found.classes ? found.classes : found.mean;
    p->class_scores = found.classes ? found.mean : NULL;
    return found.rows == rows ? ALD_OK : ald_fail(run->error, ALD_ERROR_DATA, "these are other rows");
}

/* They become those of rows from .. from + count - 1 of the job. */
static void keep_predictions(ald_report_job *job, const ald_predictions *p)
{
    ald_judged_rows *j = &job->judged;
    const int64_t q = job->outputs, k = job->n_classes;
    memcpy(j->predicted + p->from * q, p->predicted + p->from * q, (size_t)(p->count * q) * sizeof(double));
    if (j->class_scores && p->class_scores)
        memcpy(j->class_scores + p->from * k, p->class_scores + p->from * k,
               (size_t)(p->count * k) * sizeof(double));
}

static ald_status copy_text(ald_run *run, const char *text, const char **copy)
{
    *copy = ald_arena_text(&run->scratch, text, strlen(text));
    return *copy ? ALD_OK : ald_out_of_memory(run, (int64_t)strlen(text), 1, 1);
}

/* What ended one fit and must end all of it. */
static ald_status end_all(ald_run *run, const ald_comparison_row *row)
{
    if (!ald_ends_all(row->status)) return ALD_OK;
    return ald_fail(run->error, row->status, "%s", row->reason ? row->reason : "a fit was stopped");
}

/* On all features a predictor is penalised where it has such a form and no penalty was given for it. */
static ald_status name_features(ald_run *run, const ald_report_job *job, const char **name)
{
    const ald_predictor *own = ald_predictor_of(job->model);
    const char *ridge = ald_model_text(job->model, "alidade.param.predictor_ridge");
    double penalty = 0.0;
    ald_text text;
    *name = "all features, penalised";
    if (ridge && !ald_parse_real(ridge, strlen(ridge), &penalty)) penalty = 0.0;
    if (!own || (own->penalised && !(penalty > 0.0))) return ALD_OK;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "all features, %s", own->name));
    *name = text.data;
    return ALD_OK;
}

static ald_status name_baseline(ald_run *run, const ald_report_job *job, int constant, const char **name)
{
    static const char *const constants[] = {
        [ALD_TARGET_NONE] = "nothing",
        [ALD_TARGET_CLASSES] = "the most frequent class",
        [ALD_TARGET_REAL] = "the mean",
        [ALD_TARGET_LABELS] = "how frequent each label is",
    };
    *name = constants[job->kind];
    return constant ? ALD_OK : name_features(run, job, name);
}

/* Row `row` of a comparison is a baseline: its figure on the rows of the data, or on those of the test. */
static ald_status add_baseline(ald_run *run, ald_report_job *job, const ald_comparison *comparison, int row,
                               int of_test)
{
    ald_judged_rows *j = &job->judged;
    ald_predictions p = own_rows(job, of_test);
    ald_named_figure *baseline = &j->baselines[j->n_baselines];
    if (ald_comparison_at(comparison, row)->status < 0)
        return end_all(run, ald_comparison_at(comparison, row));
    ALD_TRY(take_predictions(run, comparison, row, of_test ? job->total : job->n_data, &p));
    ALD_TRY(ald_report_figure(run, job, &p, 1, &baseline->figure));
    if (!isfinite(baseline->figure.value)) return ALD_OK;
    if (job->kind == ALD_TARGET_LABELS &&
        j->n_baselines == 0) /* constants of several folds rank rows by chance */
        baseline->figure =
            (ald_figure){ald_comparison_at(comparison, row)->mean, NAN, NAN, baseline->figure.n};
    ALD_TRY(name_baseline(run, job, j->n_baselines == 0, &baseline->name));
    j->n_baselines++;
    return ALD_OK;
}

/* All rows without components. */
static ald_status take_baselines(ald_run *run, ald_report_job *job, const ald_comparison *comparison,
                                 int of_test)
{
    job->judged.n_baselines = 0;
    for (int i = 0; i < ald_comparison_count(comparison) && job->judged.n_baselines < 2; i++)
        if (ald_comparison_at(comparison, i)->dims == 0)
            ALD_TRY(add_baseline(run, job, comparison, i, of_test));
    return ALD_OK;
}

/* Numbers of components to look at: where one fit serves all, those around the one that was taken. */
static ald_status choose_dims(ald_run *run, const ald_report_job *job, int64_t **dims, int *count)
{
    const ald_method *method = ald_method_find(ald_model_method(job->model));
    const int nested = method && ald_method_capabilities(method) & ALD_IS_NESTED;
    int64_t least = 1, most = job->r;
    if (nested) most = ald_most(job->r, ald_least(job->d, usual_dims));
    const double cells = (double)job->n_data * (double)ald_most(job->outputs, job->n_classes);
    if (job->options.quick || (!nested && job->r > few_dims) || cells * (double)most > MOST_CELLS)
        least = most = job->r;
    ALD_TRY(ald_scratch(run, most - least + 1, 1, sizeof **dims, dims));
    *count = (int)(most - least + 1);
    for (int i = 0; i < *count; i++) (*dims)[i] = least + i;
    return ALD_OK;
}

/* Figures of many labels take long: then the curve is without intervals. */
static int curve_intervals(const ald_report_job *job)
{
    return job->kind != ALD_TARGET_LABELS || (double)job->n_data * (double)job->outputs <= 2e5;
}

/* What the program prints of the same folds: the mean of their figures, where it is of the same metric. */
static void take_mean(ald_judged_rows *j, const ald_comparison *comparison, int row)
{
    const char *metric = ald_comparison_metric(comparison, NULL);
    j->fold_mean =
        strcmp(metric, j->metric.name) == 0 ? ald_comparison_at(comparison, row)->mean : (double)NAN;
}

static ald_status take_curve(ald_run *run, ald_report_job *job, const ald_comparison *comparison, int count)
{
    ald_judged_rows *j = &job->judged;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *j->curve, &j->curve));
    for (int i = 0; i < count; i++) {
        const ald_comparison_row *row = ald_comparison_at(comparison, i);
        ald_predictions p = own_rows(job, 0);
        ald_curve_point *point = &j->curve[j->n_curve];
        ALD_TRY(end_all(run, row));
        if (row->status < 0) continue;
        ALD_TRY(take_predictions(run, comparison, i, job->n_data, &p));
        point->components = row->dims;
        ALD_TRY(ald_report_figure(run, job, &p, curve_intervals(job) || row->dims == job->r, &point->figure));
        j->n_curve += isfinite(point->figure.value) != 0;
        if (row->dims != job->r) continue;
        keep_predictions(job, &p);
        j->headline = point->figure;
        take_mean(j, comparison, i);
        j->of_data = j->source = "cross-validation";
    }
    return copy_text(run, ald_splits_note(ald_comparison_splits(comparison)), &j->curve_splits);
}

static ald_status tell_duplicates(ald_run *run, ald_report_job *job, const ald_splits *splits)
{
    const int64_t equal = ald_splits_duplicates(splits);
    if (equal == 0) return ALD_OK;
    return ald_report_warn(run, job,
                           "In the cross-validation %lld rows have an equal row in the training part: the "
                           "figure may be optimistic.",
                           (long long)equal);
}

static ald_status tell_start(ald_run *run, ald_report_job *job)
{
    const char *start = ald_model_text(job->model, "alidade.resolved.start");
    if (!start || !strstr(start, "given")) return ALD_OK;
    return ald_report_warn(run, job,
                           "The model began from a start that was given; the fits of the cross-validation "
                           "begin as is usual for the method.");
}

static ald_status read_folds(ald_run *run, ald_report_job *job, const ald_comparison *comparison, int dims)
{
    ALD_TRY(take_curve(run, job, comparison, dims));
    job->judged.splits = job->judged.curve_splits;
    ALD_TRY(take_baselines(run, job, comparison, 0));
    if (job->judged.source) {
        ALD_TRY(tell_start(run, job));
        return tell_duplicates(run, job, ald_comparison_splits(comparison));
    }
    const ald_comparison_row *first = ald_comparison_at(comparison, dims - 1);
    return ald_report_warn(run, job, "The model could not be cross-validated: %s",
                           first->reason ? first->reason : "no figure was found");
}

static ald_status cross_validate(ald_run *run, ald_report_job *job)
{
    ald_trial_plan plan = {.with_method = 1, .with_features = !job->options.quick};
    ald_comparison *comparison = NULL;
    int64_t *dims;
    int have;
    ALD_TRY(choose_dims(run, job, &dims, &plan.n_dims));
    plan.dims = dims;
    const ald_status status = ald_report_fold(run, job, &plan, &comparison);
    ald_status read = ald_report_optional(run, job, "The model could not be cross-validated", status, &have);
    if (read >= 0 && have) read = read_folds(run, job, comparison, plan.n_dims);
    ald_comparison_free(comparison);
    return read;
}

/* Baselines fitted to the data and judged by the test; and the model itself where it has no predictor. */
static ald_status read_hold_out(ald_run *run, ald_report_job *job, const ald_comparison *comparison)
{
    ald_judged_rows *j = &job->judged;
    ALD_TRY(end_all(run, ald_comparison_at(comparison, 0)));
    if (!j->of_test && ald_comparison_at(comparison, 0)->status >= 0) {
        ald_predictions p = own_rows(job, 1);
        ALD_TRY(take_predictions(run, comparison, 0, job->total, &p));
        keep_predictions(job, &p);
        j->of_test = "test";
    }
    return take_baselines(run, job, comparison, 1);
}

static ald_status judge_test(ald_run *run, ald_report_job *job)
{
    ald_judged_rows *j = &job->judged;
    const ald_trial_plan plan = {
        .with_method = !j->of_test,
        .with_features = !job->options.quick,
        .dims = &job->r,
        .n_dims = 1,
    };
    ald_comparison *comparison = NULL;
    int have;
    if (!job->test || job->test->target.kind != job->kind) return ALD_OK;
    const ald_status status = ald_report_hold_out(run, job, &plan, &comparison);
    ald_status read = ald_report_optional(run, job, "Baselines on the test rows are missing", status, &have);
    if (read >= 0 && have) read = read_hold_out(run, job, comparison);
    ald_comparison_free(comparison);
    ALD_TRY(read);
    const ald_predictions p = own_rows(job, 1);
    ald_figure figure;
    ALD_TRY(ald_report_figure(run, job, &p, 1, &figure));
    if (!isfinite(figure.value)) return ALD_OK;
    j->headline = figure;
    j->source = "test";
    return ALD_OK;
}

/* Tuning judged the whole choice on folds of its own: that is the honest figure. */
static ald_status take_nested(ald_run *run, ald_report_job *job)
{
    ald_judged_rows *j = &job->judged;
    const ald_comparison *nested = job->options.tuning ? ald_tuning_nested(job->options.tuning) : NULL;
    ald_predictions p = own_rows(job, 0);
    int have;
    if (!nested) return ALD_OK;
    const ald_status status = take_predictions(run, nested, 0, job->n_data, &p);
    ALD_TRY(ald_report_optional(run, NULL, NULL, status, &have));
    if (!have) return ALD_OK;
    keep_predictions(job, &p);
    ALD_TRY(ald_report_figure(run, job, &p, 1, &j->headline));
    j->of_data = j->source = "cross-validation";
    j->chosen_anew = 1;
    take_mean(j, nested, 0);
    return copy_text(run, ald_splits_note(ald_comparison_splits(nested)), &j->splits);
}

static ald_status tell_chosen(ald_run *run, ald_report_job *job)
{
    const int tuned = ald_model_text(job->model, "alidade.tuning.metric") != NULL;
    const int nested = job->options.tuning && ald_tuning_nested(job->options.tuning);
    if (!tuned || nested || !job->judged.source || strcmp(job->judged.source, "cross-validation") != 0)
        return ALD_OK;
    return ald_report_warn(run, job,
                           "The settings of this model were chosen by cross-validation on these rows, so the "
                           "figure at the top is somewhat optimistic.");
}

ald_status ald_report_judge(ald_run *run, ald_report_job *job)
{
    ald_judged_rows *j = &job->judged;
    j->headline = j->training = (ald_figure){NAN, NAN, NAN, 0};
    j->fold_mean = (double)NAN;
    if (job->kind == ALD_TARGET_NONE) return ALD_OK;
    j->metric = ald_report_metric(job);
    ALD_TRY(make_room(run, job));
    ALD_TRY(predict_all(run, job));
    if (job->data->target.kind == job->kind && !(job->options.quick && job->test))
        ALD_TRY(cross_validate(run, job));
    ALD_TRY(take_nested(run, job));
    ALD_TRY(judge_test(run, job));
    ALD_TRY(tell_chosen(run, job));
    if (!j->source && j->of_data) {
        j->headline = j->training;
        j->source = "training";
        j->n_baselines = 0; /* those are of rows not seen */
    }
    const ald_predictions p = own_rows(job, j->source && strcmp(j->source, "test") == 0);
    return ald_report_figures(run, job, &p, &j->figures, &j->errors, &j->n_figures);
}
