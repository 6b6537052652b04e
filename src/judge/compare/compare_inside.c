/* A comparison from a whole plan: checks, splits, sums where they pay, rounds of cells, and the summary. */
#include "fit/prepare/check.h"
#include "judge/compare/comparing.h"
#include "judge/compare/comparison.h"
#include "math/linalg/linalg.h"

#include <math.h>
#include <string.h>

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
    if (count > 0)
        ald_log(c->run, ALD_LOG_WARNING,
                "the figures are optimistic: over the %lld splits, %lld test row%s an equal row (in X and "
                "target) in the training part. Keep equal rows together (`groups=duplicates`), or rows of "
                "one sample by a column that names it (`groups`)",
                (long long)splits, (long long)count, count == 1 ? " has" : "s have");
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

/* Sums make fits shorter than those of the rows would be: where times are asked for there are none. Fits that
 * choose have their own, inside. */
static ald_status make_sums(ald_comparing *c)
{
    ald_sums_fit *fits;
    int64_t count = 0;
    if (c->plan->clock) return ALD_OK;
    ALD_TRY(ald_scratch(c->run, c->n_units, 1, sizeof *fits, &fits));
    for (int64_t i = 0; i < c->n_units; i++) {
        const ald_candidate *candidate = c->units[i].candidate;
        if (candidate->choose) return ALD_OK;
        if (candidate->kind != ALD_CANDIDATE_METHOD) continue;
        fits[count++] =
            (ald_sums_fit){candidate->settings[c->units[i].setting], candidate->dims[candidate->n_dims - 1]};
    }
    return ald_sums_make(c->run, c->data, c->result->splits, fits, count, &c->sums);
}

/* Everything that the rows of a unit depend on, but the split. */
static void make_keys(ald_comparing *c)
{
    if (!c->plan->journal) return;
    ald_key_data(&c->key, c->data);
    ald_key_text(&c->key, c->result->metric->name);
    for (int64_t i = 0; i < c->n_units; i++) {
        c->units[i].key = c->key;
        ald_key_candidate(&c->units[i].key, c->units[i].candidate, c->units[i].setting);
    }
}

static ald_status make_cells(ald_comparing *c)
{
    const double summing = 0.05;
    ald_span before = ald_span_enter(c->run, 0.0, summing);
    ald_status status = make_sums(c);
    const double share = c->sums.divisions > 0 ? summing : 0.0;
    ald_span_leave(c->run, before);
    make_keys(c);
    before = ald_span_enter(c->run, share, 1.0 - share);
    if (status >= 0) status = ald_rounds_run(c);
    ald_span_leave(c->run, before);
    ald_sums_free(&c->sums);
    return status;
}

static ald_status compare(ald_comparing *c)
{
    ald_comparison *r = c->result;
    ALD_TRY(ald_compare_check(c->run, c->data, c->plan));
    r->kind = c->data->y.kind;
    ALD_TRY(ald_metric_find(c->run, r->kind, c->plan->metric, &r->metric));
    ALD_TRY(ald_splits_make(c->run, c->data, &c->plan->splits, &r->splits));
    ALD_TRY(ald_pooled_truth(c->run, c->data, r));
    warn_of_duplicates(c);
    ALD_TRY(look_at_splits(c));
    ALD_TRY(ald_comparing_list(c));
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
    if (status >= 0) status = compare(&c);
    if (status < 0) {
        ald_comparison_free(*comparison);
        *comparison = NULL;
    }
    return status;
}
