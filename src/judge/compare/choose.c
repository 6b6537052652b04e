/* A candidate that chooses among its settings and dims inside the training part: which rows leave the race
 * early, and the choice itself. */
#include "judge/compare/comparing.h"

#include "base/numbers/distributions.h"
#include "judge/compare/comparison.h"

#include <math.h>

/* Which rows of a comparison leave the race before all splits are done, because they would not be taken
 * (rule.c).
 *
 * After b of B splits, with d_1 .. d_b the differences of row c to another row s (above 0: c is better), m
 * their mean and v their variance, the difference of the two means over all B splits is
 *
 *   m + e,   e about sqrt((1/b - 1/B) v) t,   t of b - 1 degrees of freedom,
 *
 * as the other B - b splits are yet to come; it stays below u = m + q sqrt((1/b - 1/B) v) with a chance of
 * 95 %, q the 95 % point of t. Row c leaves where for some s still in the race
 *
 *   s simpler than c:  u < z / 10: c is not better than a simpler one by a tenth of a standard error;
 *   any s:             u < -z:     c is worse by more than a standard error (rule one-se), by 0 (rule best),
 *
 * z the standard error of the best mean so far, its standard deviation / sqrt(B), or, where s has that mean,
 * sqrt(v / B) if that is less. With the rule best z is 0 in both. So each of these decisions is wrong,
 * measured by the full search, in at most some 5 of 100 cases; there are several of them, and what a wrong
 * one costs is little, as c is about as good as another row then. Differences that are all 0 say nothing
 * before the fifth split.
 *
 * Rows without a value in a split in which others have one are not taken, so they leave too.
 *
 * Looks are taken after 3/10, 5/10 and 7/10 of the splits, and not before the third. Where the candidate says
 * how many settings `stay`, these are parts of one division into folds, with a look after each division that
 * is repeated; the first look may be after two splits, and it also halves (successive halving: Karnin,
 * Koren and Somekh 2013; Jamieson and Talwalkar 2016): of the units that cost something, only that many stay
 * after the first look, those whose best row has the best mean, half of them after the second, and so on; but
 * the best of each method is not halved away. */

enum { fewest_splits = 3, fewest_halved = 2, splits_for_ties = 5, looks = 3 };
static const double look_at[looks] = {0.3, 0.5, 0.7}, chance = 0.05, ahead_by = 0.1;

int64_t ald_race_next(const ald_candidate *candidate, int64_t splits, int64_t done)
{
    const int64_t fewest = candidate->stay > 0 ? fewest_halved : fewest_splits,
                  repeats = candidate->stay > 0 && candidate->inner && candidate->inner->folds > 1
                                ? candidate->inner->repeats
                                : 0,
                  part = repeats > 1 && splits % repeats == 0 ? splits / repeats : splits;
    for (int k = 0; k < looks; k++) {
        int64_t next = (int64_t)ceil(look_at[k] * (double)part - 1e-9);
        if (next < fewest) next = fewest;
        if (next > done && next < part) return next;
    }
    return part - done % part + done;
}

typedef struct race {
    const ald_comparison *c;
    const ald_candidate *candidate;
    int64_t done, splits;
    double *values; /* n_rows x done: larger is better */
    double *means;
    double error, quantile;
    const int64_t *left;
    int best; /* of the rows in the race */
} race;

static ald_status gather(ald_run *run, race *r)
{
    const ald_metric *metric = r->c->metric;
    ALD_TRY(ALD_SCRATCH(run, {&r->values, r->c->n_rows, r->done}, {&r->means, r->c->n_rows, 1}));
    for (int64_t i = 0; i < r->c->n_rows; i++) {
        r->means[i] = 0.0;
        for (int64_t s = 0; s < r->done; s++) {
            double value = r->c->cells[i * r->splits + s].metrics[metric->number];
            if (metric->by_size) value = fabs(value);
            r->values[i * r->done + s] = metric->larger_is_better ? value : -value;
            r->means[i] += r->values[i * r->done + s] / (double)r->done;
        }
    }
    return ALD_OK;
}

static double variance(int64_t n, const double *a, const double *b, double mean)
{
    double sum = 0.0;
    for (int64_t s = 0; s < n; s++) sum += pow(a[s] - (b ? b[s] : 0.0) - mean, 2);
    return sum / (double)(n - 1);
}

/* The row with the best mean of those in the race, -1 where none has one. */
static int leader(const race *r)
{
    int best = -1;
    for (int i = 0; i < r->c->n_rows; i++)
        if (!r->left[i] && !isnan(r->means[i]) && (best < 0 || r->means[i] > r->means[best])) best = i;
    return best;
}

/* Whether row s shows that c would not be taken. */
static int is_behind(const race *r, int c, int s)
{
    const double *a = r->values + c * r->done, *b = r->values + s * r->done;
    const double mean = r->means[c] - r->means[s], spread = variance(r->done, a, b, mean);
    const int simpler = ald_rule_simpler(r->candidate, &r->c->rows[s], &r->c->rows[c]);
    if (!(spread > 0.0) && !(mean < 0.0) && r->done < splits_for_ties) return 0;
    const double most = mean + r->quantile * sqrt((1.0 / (double)r->done - 1.0 / (double)r->splits) * spread);
    const double apart = sqrt(spread / (double)r->splits);
    if (most < -(s == r->best && apart < r->error ? apart : r->error)) return 1;
    return simpler && (most < ahead_by * r->error || most <= 0.0);
}

static int leaves(const race *r, int c)
{
    if (isnan(r->means[c]))
        return r->c->metric->pool == ALD_POOL_MEAN; /* else it may be defined of all rows */
    for (int s = 0; s < r->c->n_rows; s++)
        if (s != c && !r->left[s] && !isnan(r->means[s]) && is_behind(r, c, s)) return 1;
    return 0;
}

/* All are compared with those that were in the race before this check, whichever drop out. */
ald_status ald_race_look(ald_run *run, const ald_comparison *c, const ald_candidate *candidate, int64_t done,
                         int64_t *left)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    race r = {
        .c = c,
        .candidate = candidate,
        .done = done,
        .splits = ald_splits_count(c->splits),
        .quantile = sqrt(ald_f_quantile(2.0 * chance, 1.0, (double)(done - 1))),
        .left = left,
    };
    unsigned char *out;
    ALD_TRY(gather(run, &r));
    r.best = leader(&r);
    if (r.best < 0) return ALD_OK;
    if (candidate->rule != ALD_RULE_BEST)
        r.error = sqrt(variance(done, r.values + r.best * done, NULL, r.means[r.best]) / (double)r.splits);
    ALD_TRY(ald_scratch(run, c->n_rows, 1, 1, &out));
    for (int i = 0; i < c->n_rows; i++) out[i] = !left[i] && leaves(&r, i);
    for (int i = 0; i < c->n_rows; i++)
        if (out[i]) left[i] = done;
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

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
