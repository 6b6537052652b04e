/* ald_compare and ald_compare_dataset: options to a plan, the journal of finished work, the comparison. */
#include "base/core/error.h"
#include "base/settings/common_params.h"
#include "base/settings/options.h"
#include "base/threads/jobs.h"
#include "base/threads/threads.h"
#include "data/encode/dataset.h"
#include "fit/fitting/fit.h"
#include "fit/prepare/check.h"
#include "judge/cells/journal.h"
#include "judge/choosing/search.h"
#include "judge/compare/comparing.h"
#include "judge/compare/comparison.h"
#include "math/device/held.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

/* A comparison from a whole plan: checks, splits, sums where they pay, rounds of cells, and the summary. */

ald_status ald_time_limit_begin(ald_run *run, double seconds, double (*timer)(void), ald_deadline *deadline)
{
    if (seconds == 0.0) return ALD_OK;
    if (!(seconds > 0.0) || isinf(seconds))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`time_limit` must be a number of seconds above 0 (0: no limit), not %g", seconds);
    if (!timer)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`time_limit` needs a clock: give `timer`, which returns the seconds");
    ald_deadline_begin(deadline, timer, seconds);
    run->call.deadline = deadline;
    return ALD_OK;
}

static void warn_of_duplicates(const ald_comparing *c)
{
    const int64_t count = ald_splits_duplicates(c->result->splits),
                  splits = ald_splits_count(c->result->splits);
    if (count > 0 && !c->plan->again)
        ald_log(c->run, ALD_LOG_WARNING,
                "the figures are optimistic: over the %lld splits, %lld test row%s an equal row (in X and "
                "target) in the training part. Keep equal rows together (`groups=duplicates`), or rows of "
                "one sample by a column that names it (`groups`)",
                (long long)splits, (long long)count, count == 1 ? " has" : "s have");
}

/* A fit of a method that was named refuses such rows, where it cannot use them. */
static void warn_of_unlabelled(const ald_comparing *c)
{
    int64_t rows;
    const int64_t missing = ald_count_unlabelled(&c->data->y, &rows);
    int all_use = 1;
    for (int64_t i = 0; i < c->n_units; i++) all_use &= ald_unit_uses_unlabelled(&c->units[i]);
    if (missing > 0 && !all_use && !c->plan->again)
        ald_log(c->run, ALD_LOG_WARNING,
                "%lld of %lld rows %s no target and are left out for methods that cannot use them",
                (long long)missing, (long long)rows, missing == 1 ? "has" : "have");
}

/* Classes that the training part of a split lacks, and the mean of n_test/n_train. */
static ald_status look_at_splits(ald_comparing *c)
{
    const ald_target *y = &c->data->y;
    const int64_t splits = ald_splits_count(c->result->splits);
    const int classes = y->kind == ALD_TARGET_CLASSES;
    int64_t lacking = 0;
    int64_t *counts;
    ALD_TRY(ald_scratch(c->run, classes ? y->n_classes : 1, 1, sizeof *counts, &counts));
    for (int64_t s = 0; s < splits; s++) {
        const uint64_t mark = ald_arena_mark(&c->run->scratch);
        int64_t lacks = 0;
        ald_split_parts p;
        ALD_TRY(ald_splits_list(c->run, c->result->splits, s, &p));
        p.n_train = ald_keep_labelled(y, p.train, p.n_train);
        c->result->ratio += (double)p.n_test / (double)p.n_train / (double)splits;
        if (classes) memset(counts, 0, (size_t)y->n_classes * sizeof *counts);
        for (int64_t k = 0; classes && k < p.n_train; k++) counts[y->classes[p.train[k]]]++;
        for (int64_t k = 0; classes && k < p.n_test; k++) lacks |= counts[y->classes[p.test[k]]] == 0;
        lacking += lacks;
        ald_arena_release(&c->run->scratch, mark);
    }
    if (lacking > 0)
        ald_log(c->run, ALD_LOG_WARNING,
                "in %lld of %lld splits the training part lacks a class of its test part, whose rows cannot "
                "be predicted correctly: use fewer folds or larger training parts, or leave out rare classes",
                (long long)lacking, (long long)splits);
    return ALD_OK;
}

ald_status ald_compare_check_data(ald_run *run, const ald_subset *data)
{
    ALD_TRY(ald_check_matrix(run, &data->x, "X"));
    if (data->y.kind == ALD_TARGET_NONE)
        return ald_fail(run->error, ALD_ERROR_DATA,
                        "there is no target to judge by: name its columns (`target`)");
    ALD_TRY(ald_check_truth(run, &data->y, data->x.rows));
    return ald_products_possible(run);
}

ald_status ald_compare_check(ald_run *run, const ald_subset *data, const ald_compare_plan *plan)
{
    ALD_TRY(ald_compare_check_data(run, data));
    for (int i = 0; i < plan->count; i++) ALD_TRY(ald_candidate_check(run, &plan->candidates[i]));
    return plan->fill_missing ? ALD_OK : ald_check_finite(run, &data->x, "X");
}

/* Fits that choose have their own, inside. */
static ald_status list_fits(ald_comparing *c)
{
    int64_t most = 0;
    for (int64_t i = 0; i < c->n_units; i++) most += c->units[i].n_settings;
    ALD_TRY(ald_scratch(c->run, most, 1, sizeof *c->fits, &c->fits));
    for (int64_t i = 0; i < c->n_units; i++) {
        const ald_unit *u = &c->units[i];
        if (u->candidate->choose || u->candidate->kind != ALD_CANDIDATE_METHOD) continue;
        for (int s = 0; s < u->n_settings; s++) {
            const ald_settings *settings = u->candidate->settings[u->setting + s];
            c->fits[c->n_fits++] = (ald_sums_fit){settings, ald_unit_most(u)};
        }
    }
    return ALD_OK;
}

/* Whether all that is done with test rows is a product: maps are linear, and rows are as they come. */
static int project_by_products(const ald_comparing *c)
{
    int all = 1;
    for (int64_t i = 0; i < c->n_fits; i++) {
        const ald_common_settings asked = ald_common_settings_of(c->fits[i].settings);
        const unsigned can = ald_method_capabilities(ald_settings_method(c->fits[i].settings));
        all &= (can & ALD_IS_LINEAR) && asked.rows.count == 0 && asked.row_scale == ALD_ROWS_PLAIN;
    }
    return all;
}

/* Where training rows are asked for products alone too, X goes to a card once, and every split takes its rows
 * there. */
static ald_status share_card(ald_comparing *c)
{
    const ald_matrix *x = &c->data->x;
    const double n = (double)x->rows, d = (double)x->cols;
    int all =
        c->by_products && n > d && !c->data->y.weights && !c->data->y.labelled && !c->plan->fill_missing;
    int64_t first;
    for (int64_t i = 0; i < c->n_fits; i++) all &= ald_fits_by_products(c->fits[i].settings);
    if (!all || x->storage != ALD_DENSE) return ALD_OK;
    ALD_TRY(ald_card_hold(c->run, x, (double)ald_splits_count(c->result->splits) * n * d * d));
    c->on_card = ald_card_find(c->run, x, &first) != NULL;
    return ALD_OK;
}

/* Sums make fits shorter than those of the rows would be: where times are asked for there are none. */
static ald_status make_sums(ald_comparing *c)
{
    ALD_TRY(list_fits(c));
    for (int64_t i = 0; i < c->n_units; i++)
        if (c->units[i].candidate->choose) return ALD_OK;
    c->by_products = project_by_products(c);
    if (c->plan->clock) return share_card(c);
    return ald_sums_make(c->run, c->data, c->result->splits, c->fits, c->n_fits, &c->sums);
}

/* Everything that the rows of a unit depend on, but the split. */
static void make_keys(ald_comparing *c)
{
    if (!c->plan->journal) return;
    ald_key_data(&c->key, c->data);
    ald_key_text(&c->key, c->result->metric->name);
    for (int64_t i = 0; i < c->n_units; i++) {
        ald_unit *u = &c->units[i];
        u->key = c->key;
        for (int s = 0; s < (u->setting < 0 ? 1 : u->n_settings); s++)
            ald_key_candidate(&u->key, u->candidate, u->setting < 0 ? -1 : u->setting + s);
    }
}

/* X was copied to a card since `held` was all there was. */
static void say_what_is_shared(const ald_comparing *c, const struct ald_held *held)
{
    const int64_t splits = ald_splits_count(c->result->splits);
    int64_t first;
    if (c->run->call.held == held || !ald_card_find(c->run, &c->data->x, &first)) return;
    ald_log(c->run, ALD_LOG_INFO, "X is on %s once for all %lld splits; fits at once: %d",
            c->run->context->device->facts.name, (long long)splits,
            ald_jobs_lanes(c->run, splits * c->n_units));
}

static ald_status make_cells(ald_comparing *c)
{
    const double summing = 0.05;
    const struct ald_held *held = c->run->call.held;
    ald_span before = ald_span_enter(c->run, 0.0, summing);
    ald_status status = make_sums(c);
    if (status >= 0) say_what_is_shared(c, held);
    const double share = c->sums.divisions > 0 ? summing : 0.0;
    ald_span_leave(c->run, before);
    make_keys(c);
    before = ald_span_enter(c->run, share, 1.0 - share);
    if (status >= 0) status = ald_rounds_run(c);
    ald_span_leave(c->run, before);
    ald_sums_free(&c->sums);
    ald_card_release(c->run, held);
    return status;
}

static ald_status compare_all(ald_comparing *c)
{
    ald_comparison *r = c->result;
    ALD_TRY(ald_compare_check(c->run, c->data, c->plan));
    r->kind = c->data->y.kind;
    r->metrics = ald_metrics_of(&c->data->y);
    ALD_TRY(ald_metric_find(c->run, r->metrics, c->plan->metric, &r->metric));
    r->random = c->plan->splits.folds == 0 && !c->plan->splits.parts;
    if (r->random && r->metric->pool == ALD_POOL_ROOT)
        return ald_fail(
            c->run->error, ALD_ERROR_ARGUMENT,
            "`metric=%s` is of cross-validation, where every row is tested: give `folds`, or take "
            "`metric=rmse` for random splits",
            r->metric->name);
    ALD_TRY(ald_splits_make(c->run, c->data, &c->plan->splits, &r->splits));
    ALD_TRY(ald_pooled_truth(c->run, c->data, r));
    warn_of_duplicates(c);
    ALD_TRY(look_at_splits(c));
    ALD_TRY(ald_comparing_list(c));
    warn_of_unlabelled(c);
    if (c->plan->keep_predictions) ALD_TRY(ald_out_of_fold_begin(c->run, c->data, r));
    ALD_TRY(make_cells(c));
    if (c->plan->keep_predictions) ALD_TRY(ald_out_of_fold_finish(c->run, r));
    return ald_comparison_summarize(c->run, r);
}

static ald_status new_comparison(ald_run *run, ald_comparison **comparison)
{
    const ald_allocator *allocator = run->call.allocator;
    ald_comparison *made = allocator->resize(allocator->user, NULL, sizeof *made);
    *comparison = made;
    if (!made) return ald_out_of_memory(run, 1, 1, sizeof *made);
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    ald_arena_init(&made->memory, &made->allocator);
    return ALD_OK;
}

ald_status ald_compare_inside(ald_run *run, const ald_subset *data, const ald_compare_plan *plan,
                              ald_comparison **comparison)
{
    ald_comparing c = {.run = run, .data = data, .plan = plan};
    ald_status status = new_comparison(run, comparison);
    c.result = *comparison;
    if (status >= 0) status = compare_all(&c);
    if (status < 0) {
        ald_comparison_free(*comparison);
        *comparison = NULL;
    }
    return status;
}

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

/* Said, or usual: where methods choose from the usual search. */
static int is_race(const ald_compare_options *options, const ald_candidates *candidates)
{
    int usual = 0;
    for (int i = 0; i < candidates->count; i++) usual |= candidates->list[i].stay > 0;
    return options->race == ALD_RACE_ON || (options->race == ALD_RACE_USUAL && usual);
}

static ald_status compare_listed(ald_run *run, const ald_subset *data, const ald_compare_options *options,
                                 const ald_candidates *candidates, ald_comparison **comparison)
{
    const int race = is_race(options, candidates);
    ald_compare_plan plan = {
        .candidates = candidates->list,
        .count = candidates->count,
        .metric = options->metric,
        .fill_missing = options->fill_missing,
        .keep_predictions = options->keep_predictions,
        .clock = options->clock,
        .race_inside = race,
        .trial_inside = race,
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
    if (status >= 0) status = ald_comparison_check_any(run, *comparison);
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

static ald_status list_candidates(ald_run *run, const ald_subset *data, const char *categorical,
                                  const ald_compare_options *options, ald_candidates **candidates)
{
    ald_search search;
    ALD_TRY(check_ways(run, options));
    ALD_TRY(ald_compare_check_data(run, data));
    if (options->candidates)
        return ald_candidates_take(run, options->candidates, options->count, data->y.kind, candidates);
    ALD_TRY(ALD_OPTIONS_READ(run->error, ald_search, options->search, &search));
    if (options->methods) search.methods = options->methods;
    if (categorical) search.categories = 1;
    return ald_search_candidates(run, &data->x, &data->y, &search, candidates);
}

static ald_status compare(ald_run *run, const ald_subset *data, const char *categorical,
                          const ald_compare_options *options, ald_comparison **comparison)
{
    ald_candidates *candidates = NULL;
    ald_status status = list_candidates(run, data, categorical, options, &candidates);
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
    if (ald_dataset_beside(dataset))
        return ald_fail(error, ALD_ERROR_UNSUPPORTED,
                        "%s for a fit of all rows cannot be split into training and test rows: leave it out",
                        ald_dataset_beside(dataset));
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
