#include "judge/compare_inside.h"
#include "threads/threads.h"

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
    ald_key_splits(&key, &plan->splits, data->x.rows);
    ald_key_int(&key, plan->count);
    for (int i = 0; i < plan->count; i++) ald_key_candidate(&key, &plan->candidates[i], -1);
    return ald_journal_open(run, path, key, &plan->journal);
}

static ald_status compare(ald_run *run, const ald_subset *data, const ald_compare_options *options,
                          ald_comparison **comparison)
{
    ald_compare_plan plan = {.candidates = options->candidates,
                             .count = options->count,
                             .splits = options->splits,
                             .metric = options->metric,
                             .fill_missing = options->fill_missing,
                             .clock = options->clock};
    if (options->resume) ALD_TRY(open_journal(run, data, options->resume, &plan));
    const ald_status status = ald_compare_inside(run, data, &plan, comparison);
    ald_journal_close(plan.journal);
    return status;
}

ald_status ald_compare(ald_context *context, const ald_matrix *x, const ald_target *y,
                       const ald_compare_options *options, ald_comparison **comparison, ald_error *error)
{
    ald_run run;
    ald_subset data = {.x = *x};
    if (y) data.y = *y;
    *comparison = NULL;
    ald_run_begin(&run, context, error);
    ald_threads_begin(1);
    const ald_status status = compare(&run, &data, options, comparison);
    ald_threads_end();
    return ald_run_end(&run, status);
}
