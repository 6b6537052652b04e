/* Which row of a comparison is taken.
 *
 *   best     the best mean of the metric
 *   one-se   with s the standard error of that row's mean, standard deviation / sqrt(splits), the simplest of
 *            all rows whose mean is no more than s worse (Breiman et al. 1984)
 *
 * Simpler is, in this order:
 *
 *   1. fewer dims;
 *   2. the earlier method, where there are several;
 *   3. by the parameters in the order of the table below: a larger ridge or width, fewer neighbours, slices;
 *   4. the earlier settings.
 *
 * Among rows with equal means `best` takes the simplest too. Rows that lack a value in a split in which
 * others have one are not taken: their means are of other rows of the data. */
#include "judge/compare/comparison.h"

#include "base/numbers/number.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Which of two values is simpler, 1 for the first, -1 for the second, 0 for neither. A value of 0 that stands
 * for one that the method finds is compared as it is. */
static int simpler_value(const ald_param *param, double a, double b)
{
    if (param->simpler == ALD_SIMPLER_UNKNOWN || a == b) return 0;
    return (a > b) == (param->simpler == ALD_SIMPLER_LARGER) ? 1 : -1;
}

static double value_of(const ald_settings *settings, const ald_param *param)
{
    const char *text = ald_settings_text(settings, param->name);
    double value;
    return text && ald_parse_real(text, strlen(text), &value) ? value : 0.0;
}

/* The earlier trait decides, and what has none of them comes last. */
static unsigned rank_of(const ald_param *param)
{
    const unsigned ranked = ALD_PARAM_IS_SLICES | (ALD_PARAM_IS_SLICES - 1), traits = param->traits & ranked;
    return traits ? traits & (~traits + 1) : ranked + 1;
}

/* Whether settings a are simpler than b: 1 yes, -1 the other way, 0 neither. */
static int simpler_settings(const ald_settings *a, const ald_settings *b)
{
    const ald_method *method = ald_settings_method(a);
    const ald_param *param;
    unsigned best_rank = UINT_MAX;
    int found = 0;
    if (ald_settings_method(b) != method) return 0;
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++) {
        const int here = simpler_value(param, value_of(a, param), value_of(b, param));
        if (here == 0 || rank_of(param) >= best_rank) continue;
        best_rank = rank_of(param);
        found = here;
    }
    return found;
}

/* Settings come method by method, so that the earlier of two different methods has the lower number. */
int ald_rule_simpler(const ald_candidate *candidate, const ald_comparison_row *a, const ald_comparison_row *b)
{
    if (a->dims != b->dims) return a->dims < b->dims;
    const int by_settings =
        simpler_settings(candidate->settings[a->setting], candidate->settings[b->setting]);
    return by_settings ? by_settings > 0 : a->setting < b->setting;
}

static int64_t most_values(const ald_comparison *c)
{
    int64_t most = 0;
    for (int i = 0; i < c->n_rows; i++)
        if (c->rows[i].count > most) most = c->rows[i].count;
    return most;
}

static int find_best(const ald_comparison *c, const ald_candidate *candidate, int64_t count)
{
    int best = -1;
    for (int i = 0; i < c->n_rows; i++) {
        const ald_comparison_row *row = &c->rows[i];
        if (row->count < count || isnan(row->mean)) continue;
        if (best < 0 || ald_metric_better(c->metric, c->rank[i], c->rank[best]) ||
            (!ald_metric_better(c->metric, c->rank[best], c->rank[i]) &&
             ald_rule_simpler(candidate, row, &c->rows[best])))
            best = i;
    }
    return best;
}

static int find_simplest(const ald_comparison *c, const ald_candidate *candidate, int64_t count, int best,
                         double within)
{
    int taken = best;
    for (int i = 0; i < c->n_rows; i++) {
        const ald_comparison_row *row = &c->rows[i];
        if (row->count < count || isnan(row->mean) || ald_metric_better(c->metric, within, c->rank[i]))
            continue;
        if (ald_rule_simpler(candidate, row, &c->rows[taken])) taken = i;
    }
    return taken;
}

static ald_status nothing_fits(ald_run *run, const ald_comparison *c)
{
    for (int i = 0; i < c->n_rows; i++)
        if (c->rows[i].reason)
            return ald_fail(run->error, c->rows[i].status < 0 ? c->rows[i].status : ALD_ERROR_DATA,
                            "nothing to choose from: %s", c->rows[i].reason);
    return ald_fail(run->error, ALD_ERROR_DATA, "nothing to choose from: no split has a value of %s",
                    c->metric->name);
}

ald_status ald_rule_apply(ald_run *run, const ald_comparison *c, const ald_candidate *candidate,
                          ald_choice *choice)
{
    const int64_t count = most_values(c);
    ALD_TRY(ald_comparison_check_memory(run, c));
    const int best = count > 0 ? find_best(c, candidate, count) : -1;
    if (best < 0) return nothing_fits(run, c);
    const ald_comparison_row *row = &c->rows[best];
    const double error = row->count > 1 && !isnan(row->std) ? row->std / sqrt((double)row->count) : 0.0;
    const double slack = candidate->rule == ALD_RULE_BEST ? 0.0 : error;
    choice->best = best;
    choice->within = ald_metric_worse_by(c->metric, c->rank[best], slack);
    choice->row = slack > 0.0 ? find_simplest(c, candidate, count, best, choice->within) : best;
    choice->setting = c->rows[choice->row].setting;
    choice->dims = c->rows[choice->row].dims;
    return ALD_OK;
}
