/* A candidate that chooses among its settings and dims inside the training part. */
#include "judge/compare/comparing.h"

#include "base/settings/common_params.h"
#include "judge/compare/comparison.h"

#include <math.h>

/* All pairs, on splits of the training rows. */
static ald_status try_all(ald_run *run, const ald_choosing *c, ald_comparison **comparison)
{
    ald_candidate all = *c->candidate;
    ald_compare_plan plan = {
        .candidates = &all,
        .count = 1,
        .splits = *c->candidate->inner,
        .metric = c->metric->name,
        .fill_missing = c->gappy != NULL,
        .race = c->race,
        .trial = c->trial,
        .only_metric = 1,
    };
    all.choose = 0;
    plan.splits.groups = c->groups;
    plan.splits.parts = NULL;
    return ald_compare_inside(run, c->gappy ? c->gappy : c->train, &plan, comparison);
}

/* Rows without a target go to the methods that can use them. */
static ald_status rows_for(ald_run *run, const ald_settings *settings, const ald_subset *from,
                           ald_subset *train)
{
    int64_t *rows;
    int64_t count = 0;
    *train = *from;
    if (!from->y.labelled || (ald_method_capabilities(ald_settings_method(settings)) & ALD_CAN_UNLABELLED))
        return ALD_OK;
    ALD_TRY(ald_scratch(run, from->x.rows, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < from->x.rows; i++)
        if (from->y.labelled[i]) rows[count++] = i;
    ALD_TRY(ald_subset_take(run, from, rows, count, train));
    train->y.labelled = NULL;
    return ALD_OK;
}

static ald_status judge_choice(ald_run *run, const ald_choosing *c, int setting, int64_t dims,
                               const ald_subset *test, ald_cell *cell)
{
    const ald_cell_plan plan = {
        .kind = ALD_CANDIDATE_METHOD,
        .settings = c->candidate->settings[setting],
        .dims = &dims,
        .n_dims = 1,
        .metric = c->metric,
        .clock = c->clock,
        .scores = c->scores,
    };
    const int gaps = c->gappy && ald_gaps_in(plan.settings);
    ald_subset train;
    ald_run single;
    ALD_TRY(rows_for(run, plan.settings, gaps ? c->gappy : c->train, &train));
    ald_run_fork(run, &single);
    single.call.threads = 1; /* the same bytes for any number */
    const ald_status status = ald_cells_judge(&single, &plan, &train, gaps ? c->gappy_test : test, cell);
    cell->setting = setting;
    return ald_run_join(run, &single, status);
}

/* If the inner comparison cannot be run at all (too few rows for its folds), the cell gives the reason. */
ald_status ald_choose(ald_run *run, const ald_choosing *c, const ald_subset *test, ald_cell *cell)
{
    ald_comparison *inner = NULL;
    ald_error error;
    ald_run own;
    ald_choice choice;
    ald_run_inside(&own, run, &error);
    ald_status status = try_all(&own, c, &inner);
    if (status >= 0) status = ald_rule_apply(&own, inner, c->candidate, &choice);
    ald_comparison_free(inner);
    ald_run_end(&own, ALD_OK);
    if (status == ALD_ERROR_CANCELLED || status == ALD_ERROR_MEMORY)
        return ald_fail(run->error, status, "%s", error.message);
    if (status >= 0) return judge_choice(run, c, choice.setting, choice.dims, test, cell);
    *cell = (ald_cell){.setting = -1, .dims = -1, .fit_seconds = (double)NAN, .apply_seconds = (double)NAN};
    ald_cell_fail(cell, status, error.message);
    return ALD_OK;
}
