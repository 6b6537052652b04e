/* The rows of a split, copied once for all jobs that a lane does on it: with and without a target, before
 * and after cells without a value are filled, or by their sums. */
#include "judge/compare/comparing.h"

int64_t ald_keep_labelled(const ald_target *y, int64_t *rows, int64_t n)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < n; k++)
        if (!y->labelled || y->labelled[rows[k]]) rows[kept++] = rows[k];
    return kept;
}

static ald_status take_groups(ald_run *run, const int64_t *groups, const int64_t *rows, int64_t n,
                              int64_t **taken)
{
    *taken = NULL;
    if (!groups) return ALD_OK;
    ALD_TRY(ald_scratch(run, n, 1, sizeof **taken, taken));
    for (int64_t k = 0; k < n; k++) (*taken)[k] = groups[rows[k]];
    return ALD_OK;
}

/* With sums the training rows are copied only where something asks for them. */
static ald_status begin_fold(const ald_comparing *c, ald_lane *l, int64_t split, const ald_split_parts *p)
{
    const ald_splits *s = c->result->splits;
    l->has_fold = 1;
    ALD_TRY(ald_fold_begin(&l->run, &c->sums.of[split / s->tests], s->first_test + split % s->tests, c->data,
                           p->train, p->n_train, &l->fold));
    return take_groups(&l->run, c->plan->splits.groups, p->train, p->n_train, &l->groups);
}

void ald_lane_end(ald_lane *l)
{
    if (l->has_fold) ald_fold_end(&l->fold);
    l->has_fold = 0;
    if (l->run.context) ald_run_end(&l->run, ALD_OK);
    l->run.context = NULL;
    ald_tryout_clear(&l->tryout);
}

static ald_status take_split(const ald_comparing *c, ald_lane *l, int64_t split)
{
    const ald_target *y = &c->data->y;
    ald_run *run = &l->run;
    ald_split_parts p;
    ALD_TRY(ald_splits_list(run, c->result->splits, split, &p));
    ALD_TRY(ald_subset_take(run, c->data, p.test, p.n_test, &l->test));
    l->test.y.labelled = NULL;
    if (c->sums.divisions > 0) return begin_fold(c, l, split, &p);
    if (y->labelled) ALD_TRY(ald_subset_take(run, c->data, p.train, p.n_train, &l->train[1]));
    p.n_train = ald_keep_labelled(y, p.train, p.n_train);
    ALD_TRY(ald_subset_take(run, c->data, p.train, p.n_train, &l->train[0]));
    ALD_TRY(take_groups(run, c->plan->splits.groups, p.train, p.n_train, &l->groups));
    if (!y->labelled) l->train[1] = l->train[0];
    l->train[0].y.labelled = NULL;
    return ALD_OK;
}

/* A copy that is not filled. */
static ald_status copy_subset(ald_run *run, const ald_subset *from, ald_subset *copy)
{
    const int64_t n = from->x.rows;
    int64_t *rows;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *rows, &rows));
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    return ald_subset_take(run, from, rows, n, copy);
}

/* Whether some candidate wants rows that are not filled. */
static int any_wants_gaps(const ald_comparing *c)
{
    for (int64_t i = 0; i < c->n_units; i++)
        if (c->units[i].candidate->choose || ald_unit_wants_gaps(&c->units[i])) return 1;
    return 0;
}

/* Fills by the means of the rows that have a target: also the others, as means stay what they are when they
 * are filled in. */
static ald_status fill(const ald_comparing *c, ald_lane *l)
{
    if (!c->plan->fill_missing || l->has_fold) return ALD_OK; /* sums are of rows without any */
    if (any_wants_gaps(c)) {
        for (int k = 0; k < 2; k++) ALD_TRY(copy_subset(&l->run, &l->train[k], &l->gappy[k]));
        ALD_TRY(copy_subset(&l->run, &l->test, &l->gappy_test));
    }
    ALD_TRY(ald_subset_fill(&l->run, &l->train[0], &l->test));
    return c->data->y.labelled ? ald_subset_fill(&l->run, &l->train[0], &l->train[1]) : ALD_OK;
}

ald_status ald_lane_prepare(const ald_comparing *c, ald_lane *l, const ald_run *outer, int64_t split)
{
    if (l->split == split && l->run.context) return ALD_OK;
    ald_lane_end(l);
    ald_tryout_begin(&l->tryout, outer->call.allocator);
    ald_run_inside(&l->run, outer, &l->error);
    l->run.call.tryout = c->plan->trial ? &l->tryout : NULL;
    l->split = split;
    ALD_TRY(take_split(c, l, split));
    l->status = fill(c, l);
    return l->status == ALD_ERROR_MEMORY ? l->status : ALD_OK;
}
