/* ald_compare and ald_compare_dataset: options to a plan, the journal of finished work, the comparison. */
#include "base/core/error.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"
#include "data/encode/dataset.h"
#include "judge/cells/key.h"
#include "judge/choosing/search.h"
#include "judge/compare/comparing.h"

/* The journal is bound to everything that its figures depend on. */
static ald_status open_journal(ald_run *run, const ald_subset *data, const char *path, ald_compare_plan *plan)
{
    ald_key key = {0};
    ALD_TRY(ald_compare_check(run, data, plan));
    ald_key_text(&key, "compare");
    ald_key_data(&key, data);
    ald_key_text(&key, plan->metric ? plan->metric : "");
    ald_key_int(&key, plan->fill_missing);
    ald_key_int(&key, plan->clock != NULL);
    ald_key_int(&key, plan->race_inside);
    ald_key_splits(&key, &plan->splits, data->x.rows);
    ald_key_int(&key, plan->count);
    for (int i = 0; i < plan->count; i++) ald_key_candidate(&key, &plan->candidates[i], -1);
    return ald_journal_open(run, path, key, &plan->journal);
}

static ald_status compare_listed(ald_run *run, const ald_subset *data, const ald_compare_options *options,
                                 const ald_candidates *candidates, ald_comparison **comparison)
{
    ald_compare_plan plan = {
        .candidates = candidates->list,
        .count = candidates->count,
        .metric = options->metric,
        .fill_missing = options->fill_missing,
        .keep_predictions = options->keep_predictions,
        .clock = options->clock,
        .race_inside = options->race == ALD_RACE_ON,
        .trial_inside = options->race == ALD_RACE_ON,
        .partial = 1,
    };
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_splits_options, options->splits, &plan.splits));
    if (options->resume && options->keep_predictions)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "predictions are not part of the finished work in a file: use either `resume` or "
                        "`keep_predictions`");
    if (options->resume) ALD_TRY(open_journal(run, data, options->resume, &plan));
    ald_status status = ald_compare_inside(run, data, &plan, comparison);
    ald_journal_close(plan.journal);
    if (status >= 0) status = ald_comparison_check_begun(run, *comparison);
    if (status >= 0) return status;
    ald_comparison_free(*comparison);
    *comparison = NULL;
    return status;
}

static ald_status check_ways(ald_run *run, const ald_compare_options *options)
{
    if ((options->candidates != NULL) + (options->search != NULL) + (options->methods != NULL) > 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "give one of `candidates`, `search` and `methods`");
    if (options->candidates && options->count < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "there is nothing to compare: `count` of `candidates` is %d", options->count);
    return ALD_OK;
}

static ald_status list_candidates(ald_run *run, const ald_subset *data, const ald_compare_options *options,
                                  ald_candidates **candidates)
{
    ald_search search;
    ALD_TRY(check_ways(run, options));
    ALD_TRY(ald_compare_check_data(run, data));
    if (options->candidates)
        return ald_candidates_take(run, options->candidates, options->count, data->y.kind, candidates);
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_search, options->search, &search));
    if (options->methods) search.methods = options->methods;
    return ald_search_candidates(run, &data->x, &data->y, &search, candidates);
}

static ald_status compare(ald_run *run, const ald_subset *data, const char *categorical,
                          const ald_compare_options *options, ald_comparison **comparison)
{
    ald_candidates *candidates = NULL;
    ald_status status = list_candidates(run, data, options, &candidates);
    if (status >= 0)
        status = ald_candidates_check_rows(run, candidates->list, candidates->count, categorical);
    if (status >= 0) status = compare_listed(run, data, options, candidates, comparison);
    ald_candidates_free(candidates);
    return status;
}

static ald_status compare_rows(ald_context *context, const ald_subset *data, const char *categorical,
                               const ald_compare_options *options, ald_comparison **comparison,
                               ald_error *error)
{
    ald_run run;
    ald_deadline deadline;
    ald_compare_options whole;
    *comparison = NULL;
    ald_run_begin(&run, context, error);
    ald_threads_begin(1);
    ald_status status = ALD_OPTIONS_READ(run.error, ald_compare_options, options, &whole);
    if (status >= 0) status = ald_time_limit_begin(&run, whole.time_limit, whole.timer, &deadline);
    if (status >= 0 && (whole.race < ALD_RACE_USUAL || whole.race > ALD_RACE_OFF))
        status = ald_fail(run.error, ALD_ERROR_ARGUMENT, "there is no `race` %d", (int)whole.race);
    if (status >= 0) status = compare(&run, data, categorical, &whole, comparison);
    ald_threads_end();
    return ald_run_end(&run, status);
}

ald_status ald_compare(ald_context *context, const ald_matrix *x, const ald_target *y,
                       const ald_compare_options *options, ald_comparison **comparison, ald_error *error)
{
    if (comparison) *comparison = NULL;
    ALD_GIVEN(error, context, x, y, comparison);
    const ald_subset data = {.x = *x, .y = *y};
    return compare_rows(context, &data, NULL, options, comparison, error);
}

/* What the dataset says about its rows, where the options do not. */
static ald_status add_parts(const ald_dataset *dataset, ald_splits_options *splits, ald_error *error)
{
    if (dataset->graph.values || dataset->distances.values)
        return ald_fail(
            error, ALD_ERROR_UNSUPPORTED,
            "a graph or distances of all rows cannot be split into training and test rows: leave it out");
    if (!splits->groups) splits->groups = dataset->groups;
    if (splits->parts) return ALD_OK;
    splits->parts = dataset->parts;
    splits->n_parts = dataset->n_parts;
    splits->test_part = dataset->test_part;
    return ALD_OK;
}

ald_status ald_compare_dataset(ald_context *context, const ald_dataset *dataset,
                               const ald_compare_options *options, ald_comparison **comparison,
                               ald_error *error)
{
    ald_compare_options whole;
    ald_splits_options splits;
    if (comparison) *comparison = NULL;
    ALD_GIVEN(error, context, dataset, comparison);
    ald_clear_error(error);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_compare_options, options, &whole));
    ALD_TRY(ALD_OPTIONS_READ(error, ald_splits_options, whole.splits, &splits));
    ALD_TRY(add_parts(dataset, &splits, error));
    whole.splits = &splits;
    const ald_subset data = {.x = dataset->x, .y = dataset->target};
    return compare_rows(context, &data, dataset->categorical, &whole, comparison, error);
}
