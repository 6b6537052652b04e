/* Fits judged on rows they did not see: cross-validation folds, or the test rows. */
#include "show/report/trials.h"

#include "base/numbers/ordering.h"
#include "judge/dimension/dimension.h"
#include "math/operator/entry.h"

#include <math.h>

enum { usual_folds = 10, quick_folds = 5, most_candidates = 3, few_twins = 20 };

/* The candidates, the method with its settings first. */
static int list_candidates(const ald_trial_plan *plan, const ald_settings *const *settings,
                           ald_candidate list[most_candidates])
{
    int count = 0;
    if (plan->with_method)
        list[count++] = (ald_candidate){
            .size = sizeof *list,
            .settings = settings,
            .n_settings = 1,
            .dims = plan->dims,
            .n_dims = plan->n_dims,
        };
    list[count++] = (ald_candidate){.size = sizeof *list, .kind = ALD_CANDIDATE_CONSTANT};
    if (plan->with_features)
        list[count++] = (ald_candidate){
            .size = sizeof *list,
            .kind = ALD_CANDIDATE_FEATURES,
            .settings = settings,
            .n_settings = 1,
        };
    return count;
}

static int64_t count_labelled(const ald_report_job *job)
{
    int64_t count = 0;
    for (int64_t i = 0; i < job->n_data; i++) count += isfinite(job->measured[i * job->outputs]) != 0;
    return count;
}

static ald_status compare(ald_run *run, const ald_report_job *job, const ald_trial_plan *plan,
                          const ald_matrix *x, const ald_target *y, const ald_splits_options *splits,
                          ald_comparison **comparison)
{
    ald_candidate list[most_candidates];
    ald_settings *settings;
    ALD_TRY(ald_settings_of_model(job->context, job->model, &settings, run->error));
    const ald_settings *const only = settings;
    const ald_compare_options options = {
        .size = sizeof options,
        .candidates = list,
        .count = list_candidates(plan, &only, list),
        .splits = splits,
        .metric = job->judged.metric.name,
        .keep_predictions = 1,
    };
    ald_context *silent; /* the page has its own warnings */
    ald_status status = ald_context_with_log(job->context, NULL, NULL, &silent, run->error);
    if (status >= 0) status = ald_compare(silent, x, y, &options, comparison, run->error);
    ald_context_free(silent);
    ald_settings_free(settings);
    return status;
}

/* Equal rows stay together, so that none is predicted by its twin. A few among classes do not: then their
 * proportions could not be kept, which matters more. Where there are too many of them parts cannot be made.
 */
static ald_status keep_twins(ald_run *run, const ald_report_job *job, ald_splits_options *options)
{
    ald_splits *splits = NULL;
    int have;
    ald_status status =
        ald_splits_new(job->context, &job->data->x, &job->data->target, options, &splits, run->error);
    ALD_TRY(ald_report_optional(run, NULL, NULL, status, &have));
    const int64_t twins = have ? ald_splits_duplicates(splits) : 0;
    ald_splits_free(splits);
    if (twins == 0 || (job->kind == ALD_TARGET_CLASSES && twins * few_twins < job->n_data)) return ALD_OK;
    options->keep_duplicates = 1;
    status = ald_splits_new(job->context, &job->data->x, &job->data->target, options, &splits, run->error);
    ALD_TRY(ald_report_optional(run, NULL, NULL, status, &options->keep_duplicates));
    ald_splits_free(splits);
    return ALD_OK;
}

ald_status ald_report_fold(ald_run *run, const ald_report_job *job, const ald_trial_plan *plan,
                           ald_comparison **comparison)
{
    const ald_report_options *o = &job->options;
    const int64_t usual = o->quick ? quick_folds : usual_folds, asked = o->folds ? o->folds : usual;
    ald_splits_options splits = {
        .size = sizeof splits,
        .folds = ald_least(asked, count_labelled(job)),
        .groups = job->options.groups,
        .seed = o->seed,
    };
    if (splits.folds < 2)
        return ald_fail(run->error, ALD_ERROR_DATA, "there are fewer than two rows with a target");
    ALD_TRY(keep_twins(run, job, &splits));
    return compare(run, job, plan, &job->data->x, &job->data->target, &splits, comparison);
}

/* X of all rows, one below the other. */
static ald_status stack_rows(ald_run *run, const ald_report_job *job, ald_matrix *x)
{
    double *values;
    ALD_TRY(ald_scratch_reals(run, job->total, job->d, &values));
    for (int64_t i = 0; i < job->total; i++) {
        int64_t row;
        const ald_dataset *rows = ald_report_place(job, i, &row);
        for (int64_t j = 0; j < job->d; j++) values[i * job->d + j] = ald_matrix_at(&rows->x, row, j);
    }
    *x = ald_matrix_row_major(values, job->total, job->d, job->d);
    return ALD_OK;
}

static ald_status stack_target(ald_run *run, const ald_report_job *job, ald_target *y)
{
    unsigned char *labelled;
    int32_t *classes;
    ALD_TRY(ald_scratch(run, job->total, 1, sizeof *labelled, &labelled));
    ALD_TRY(ald_scratch(run, job->total, 1, sizeof *classes, &classes));
    for (int64_t i = 0; i < job->total; i++) {
        const double first = job->measured[i * job->outputs];
        labelled[i] = isfinite(first) != 0;
        classes[i] = job->kind == ALD_TARGET_CLASSES && labelled[i] ? (int32_t)first : 0;
    }
    *y = (ald_target){
        .kind = job->kind,
        .rows = job->total,
        .classes = classes,
        .n_classes = job->n_classes,
        .labelled = labelled,
    };
    if (job->kind != ALD_TARGET_CLASSES)
        y->values = ald_matrix_row_major(job->measured, job->total, job->outputs, job->outputs);
    return ALD_OK;
}

ald_status ald_report_hold_out(ald_run *run, const ald_report_job *job, const ald_trial_plan *plan,
                               ald_comparison **comparison)
{
    ald_matrix x;
    ald_target y;
    int64_t *parts;
    if ((double)job->total * (double)job->d > 1e8)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "the rows are too many to be put together");
    ALD_TRY(stack_rows(run, job, &x));
    ALD_TRY(stack_target(run, job, &y));
    ALD_TRY(ald_scratch(run, job->total, 1, sizeof *parts, &parts));
    for (int64_t i = 0; i < job->total; i++) parts[i] = i >= job->n_data;
    const ald_splits_options splits = {.size = sizeof splits, .parts = parts, .n_parts = 2, .test_part = 2};
    return compare(run, job, plan, &x, &y, &splits, comparison);
}
