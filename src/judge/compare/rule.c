/* Which row of a comparison is taken.
 *
 *   best     the best mean of the metric
 *   one-se   the simplest of all rows whose mean is no more than a standard error worse (Breiman et al.
 *            1984): neither than that of the best mean, standard deviation / sqrt(splits), nor than that of
 *            the difference of the two, from the differences in the same splits. What all splits say alike
 *            is a loss, however much the splits themselves differ.
 *
 * Simpler is, in this order:
 *
 *   1. what keeps no rows, before a kernel or a predictor that compares with those of the fit;
 *   2. fewer dims;
 *   3. the earlier method, where there are several;
 *   4. the earlier predictor in the list of them;
 *   5. where all else is the same (scaling, row steps, kernel): by the parameters in the order of the table
 *      below, a larger ridge or width, fewer neighbours, slices.
 *
 * This is a partial order: two scalings, say, are not compared by 5. The rows than which none is simpler
 * compete by their means, and the earlier setting wins between equal means. So the order of the settings
 * decides only between methods and between equal means: to compare row by row, and to take the better mean
 * where neither is simpler, would be no order at all. Among rows with equal means `best` takes the simplest
 * too. Rows that lack a value in a split in which others have one are not taken: their means are of other
 * rows of the data. */
#include "base/numbers/number.h"
#include "base/settings/common_params.h"
#include "base/settings/settings.h"
#include "judge/compare/comparison.h"
#include "methods/predict/predictor.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Which of two values is simpler, 1 for the first, -1 for the second, 0 for neither. A value of 0 that stands
 * for one that the method finds is compared as it is. */
static int simpler_value(const ald_param *param, double a, double b)
{
    if (a == b) return 0;
    return (a > b) == (param->simpler == ALD_SIMPLER_LARGER) ? 1 : -1;
}

/* A list has a number for each component: what counts is their sum over the first `dims`, for which the last
 * stands where there are fewer. */
static double value_at(const ald_settings *settings, int index, int64_t dims)
{
    const char *at = ald_settings_text_at(settings, index);
    const int is_list = ald_settings_param_at(settings, index)->type == ALD_PARAM_INTS;
    double value = 0.0, sum = 0.0;
    for (int64_t k = 0; k < (is_list ? dims : 1); k++) {
        const size_t length = is_list ? strcspn(at, "+") : strlen(at);
        if (!ald_parse_real(at, length, &value)) return 0.0;
        sum += value;
        if (at[length]) at += length + 1;
    }
    return sum;
}

/* The earlier trait decides, and what has none of them comes last. */
static unsigned rank_of(const ald_param *param)
{
    const unsigned ranked = ALD_PARAM_IS_SLICES | (ALD_PARAM_IS_SLICES - 1), traits = param->traits & ranked;
    return traits ? traits & (~traits + 1) : ranked + 1;
}

/* Whether the settings differ at most in values that have an order of simplicity: a width, say, is in the
 * units of X as it is scaled. */
static int differ_by_values(const ald_settings *a, const ald_settings *b)
{
    const ald_param *param;
    for (int i = 0; (param = ald_settings_param_at(a, i)) != NULL; i++)
        if (param->simpler == ALD_SIMPLER_UNKNOWN && !(param->traits & ALD_PARAM_IS_COMPONENTS) &&
            strcmp(ald_settings_text_at(a, i), ald_settings_text_at(b, i)) != 0)
            return 0;
    return 1;
}

/* Whether settings a are simpler than b, with `dims` components: 1 yes, -1 the other way, 0 neither. */
static int simpler_settings(const ald_settings *a, const ald_settings *b, int64_t dims)
{
    const ald_param *param;
    unsigned best_rank = UINT_MAX;
    int found = 0;
    if (ald_settings_method(a) != ald_settings_method(b)) return 0;
    const int first = ald_predictor_place(a), second = ald_predictor_place(b);
    if (first != second) return first < second ? 1 : -1;
    if (!differ_by_values(a, b)) return 0;
    for (int i = 0; (param = ald_settings_param_at(a, i)) != NULL; i++) {
        if (param->simpler == ALD_SIMPLER_UNKNOWN) continue;
        const int here = simpler_value(param, value_at(a, i, dims), value_at(b, i, dims));
        if (here == 0 || rank_of(param) >= best_rank) continue;
        best_rank = rank_of(param);
        found = here;
    }
    return found;
}

/* Whether the model consists of directions and coefficients alone. */
static int keeps_no_rows(const ald_settings *settings)
{
    const ald_predictor *predictor = ald_predictor_asked(settings);
    return (ald_method_capabilities(ald_settings_method(settings)) & ALD_IS_LINEAR) &&
           !(predictor && predictor->is_lazy);
}

/* The first setting of the method of setting `at`: which methods come earlier. */
static int method_place(const ald_candidate *candidate, int at)
{
    int first = 0;
    while (ald_settings_method(candidate->settings[first]) != ald_settings_method(candidate->settings[at]))
        first++;
    return first;
}

int ald_rule_simpler(const ald_candidate *candidate, const ald_comparison_row *a, const ald_comparison_row *b)
{
    const ald_settings *const *all = candidate->settings;
    const int lean = keeps_no_rows(all[a->setting]);
    if (lean != keeps_no_rows(all[b->setting])) return lean;
    if (a->dims != b->dims) return a->dims < b->dims;
    if (ald_settings_method(all[a->setting]) != ald_settings_method(all[b->setting]))
        return method_place(candidate, a->setting) < method_place(candidate, b->setting);
    return simpler_settings(all[a->setting], all[b->setting], a->dims) > 0;
}

static int64_t most_values(const ald_comparison *c)
{
    int64_t most = 0;
    for (int i = 0; i < c->n_rows; i++)
        if (c->rows[i].count > most) most = c->rows[i].count;
    return most;
}

/* Whether a row has a value in all splits in which some row has one. */
static int is_whole(const ald_comparison *c, int64_t count, int i)
{
    return c->rows[i].count >= count && !isnan(c->rows[i].mean);
}

static int is_simplest(const ald_comparison *c, const ald_candidate *candidate, const unsigned char *counts,
                       int row)
{
    for (int i = 0; i < c->n_rows; i++)
        if (counts[i] && ald_rule_simpler(candidate, &c->rows[i], &c->rows[row])) return 0;
    return 1;
}

/* The row with the best mean among those that count and have none simpler beside them; -1: none counts. */
static int take_simplest(const ald_comparison *c, const ald_candidate *candidate, const unsigned char *counts)
{
    int taken = -1;
    for (int i = 0; i < c->n_rows; i++)
        if (counts[i] && (taken < 0 || ald_metric_better(c->metric, c->rank[i], c->rank[taken])) &&
            is_simplest(c, candidate, counts, i))
            taken = i;
    return taken;
}

static int find_best(const ald_comparison *c, const ald_candidate *candidate, int64_t count,
                     unsigned char *counts)
{
    double best = (double)NAN;
    for (int i = 0; i < c->n_rows; i++)
        if (is_whole(c, count, i) && (isnan(best) || ald_metric_better(c->metric, c->rank[i], best)))
            best = c->rank[i];
    for (int i = 0; i < c->n_rows; i++)
        counts[i] = is_whole(c, count, i) && !ald_metric_better(c->metric, best, c->rank[i]);
    return take_simplest(c, candidate, counts);
}

static double value_in(const ald_comparison *c, int row, int64_t split)
{
    const double value = c->cells[row * ald_splits_count(c->splits) + split].metrics[c->metric->number];
    return c->metric->by_size ? fabs(value) : value;
}

/* Whether what row i loses to the best is no more than the standard error of that difference. Figures that
 * are of all rows together have no such differences, and none is said to be a loss. */
static int is_as_good(const ald_comparison *c, int best, int i)
{
    const int64_t splits = ald_splits_count(c->splits);
    double sum = 0.0, square = 0.0, n = 0.0;
    for (int64_t s = 0; s < splits; s++) {
        const double d = value_in(c, i, s) - value_in(c, best, s);
        if (isnan(d)) continue;
        sum += d;
        square += d * d;
        n += 1.0;
    }
    if (c->metric->pool != ALD_POOL_MEAN || n < 2.0) return 1;
    return fabs(sum) / n <= sqrt(fmax(square - sum * sum / n, 0.0) / (n - 1.0) / n);
}

/* `within` becomes the worst mean that counts. */
static int find_simplest(const ald_comparison *c, const ald_candidate *candidate, int64_t count, int best,
                         unsigned char *counts, double *within)
{
    const double bound = *within;
    *within = c->rank[best];
    for (int i = 0; i < c->n_rows; i++) {
        counts[i] = is_whole(c, count, i) && !ald_metric_better(c->metric, bound, c->rank[i]) &&
                    is_as_good(c, best, i);
        if (counts[i] && ald_metric_better(c->metric, *within, c->rank[i])) *within = c->rank[i];
    }
    return take_simplest(c, candidate, counts);
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
    unsigned char *counts;
    ALD_TRY(ald_comparison_check_memory(run, c));
    ALD_TRY(ald_scratch(run, c->n_rows, 1, 1, &counts));
    const int best = count > 0 ? find_best(c, candidate, count, counts) : -1;
    if (best < 0) return nothing_fits(run, c);
    const ald_comparison_row *row = &c->rows[best];
    const double error = row->count > 1 && !isnan(row->std) ? row->std / sqrt((double)row->count) : 0.0;
    const double slack = candidate->rule == ALD_RULE_BEST ? 0.0 : error;
    choice->best = best;
    choice->within = ald_metric_worse_by(c->metric, c->rank[best], slack);
    choice->row = slack > 0.0 ? find_simplest(c, candidate, count, best, counts, &choice->within) : best;
    choice->setting = c->rows[choice->row].setting;
    choice->dims = c->rows[choice->row].dims;
    return ALD_OK;
}
