/* A row is summed up over the splits that have a value. Only rows that have one in every split are compared:
 * the best of them by its mean, the others by the paired test against it. */
#include "base/core/text.h"
#include "base/numbers/distributions.h"
#include "judge/compare/comparison.h"
#include "math/operator/entry.h"

#include <math.h>
#include <string.h>

/* Figures of all test rows together. With e = prediction - truth of the n_s rows of split s, q responses,
 * v_s = rmsecv and b_s = bias of the split, N = sum n_s q, everything follows from sums over the splits:
 *
 *   missed = sum e^2 = sum_s n_s q v_s^2          off = sum e = sum_s n_s q b_s
 *   spread = sum over the responses of (y - mean y)^2, from sums of y and y^2 (y about a middle of its own)
 *
 *   rmsecv = sqrt(missed / N)    bias = off / N    sep = sqrt((missed - off^2 / N) / (N - 1))
 *   rpd = sqrt(spread / (N - 1)) / sep             q2 = 1 - missed / sum_s n_s q v_s^2 / (1 - u_s)
 *
 * u_s the q2 of the split, which knows its training mean; where u_s is not defined y does not vary about it,
 * and the split adds nothing to that sum. So a split of one row counts too, whose own sep is not defined.
 * Several responses are taken together, as rmsecv takes them. */

enum { root_metric = 3, bias_metric = 4, share_metric = 7 }; /* in the list of the responses */

typedef struct sums {
    double cells, missed, off, about_training, spread;
    int64_t splits;
} sums;

static double response(const ald_subset *data, int64_t i, int64_t j)
{
    return ald_matrix_at(&data->y.values, i, j);
}

ald_status ald_pooled_truth(ald_run *run, const ald_subset *data, ald_comparison *c)
{
    const int64_t splits = ald_splits_count(c->splits), q = data->y.values.cols;
    if (c->metrics != ALD_METRICS_REAL) return ALD_OK;
    c->responses = q;
    ALD_TRY(ald_get_clear(run, &c->memory, splits, 2 * q, sizeof *c->truth, &c->truth));
    for (int64_t s = 0; s < splits; s++) {
        const uint64_t mark = ald_arena_mark(&run->scratch);
        double *sum = c->truth + s * 2 * q;
        ald_split_parts p;
        ALD_TRY(ald_splits_list(run, c->splits, s, &p));
        for (int64_t i = 0; i < p.n_test * q; i++) {
            const int64_t j = i % q;
            const double y = response(data, p.test[i / q], j) - response(data, 0, j);
            sum[j] += y;
            sum[q + j] += y * y;
        }
        ald_arena_release(&run->scratch, mark);
    }
    return ALD_OK;
}

/* Test rows of a split: those that have a target. */
static double rows_of(const ald_comparison *c, int64_t split)
{
    int64_t n_train, n_test;
    ald_splits_rows(c->splits, split, NULL, &n_train, NULL, &n_test);
    return (double)n_test;
}

static void add_split(const ald_comparison *c, const ald_cell *cell, int64_t split, sums *a)
{
    const double v = cell->metrics[root_metric], u = cell->metrics[share_metric],
                 cells = rows_of(c, split) * (double)c->responses;
    a->cells += cells;
    a->missed += cells * v * v;
    a->off += cells * cell->metrics[bias_metric];
    a->about_training += u < 1.0 ? cells * v * v / (1.0 - u) : 0.0;
    a->splits++;
}

/* sum (y - mean y)^2 over the splits that were fitted, each response about its own mean. */
static double spread_of(const ald_comparison *c, const ald_cell *cells, double rows)
{
    const int64_t q = c->responses;
    double spread = 0.0;
    for (int64_t j = 0; j < q; j++) {
        double sum = 0.0, square = 0.0;
        for (int64_t s = 0; s < ald_splits_count(c->splits); s++) {
            if (isnan(cells[s].metrics[root_metric])) continue;
            sum += c->truth[s * 2 * q + j];
            square += c->truth[s * 2 * q + q + j];
        }
        spread += fmax(square - sum * sum / rows, 0.0);
    }
    return spread;
}

static double sep_of(const sums *a)
{
    return a->cells > 1.0 ? sqrt(fmax(a->missed - a->off * a->off / a->cells, 0.0) / (a->cells - 1.0))
                          : (double)NAN;
}

static double rpd_of(const sums *a)
{
    const double sep = sep_of(a);
    return sep > 0.0 && a->spread > 0.0 ? sqrt(a->spread / (a->cells - 1.0)) / sep : (double)NAN;
}

static double figure(const sums *a, ald_metric_pool pool)
{
    switch (pool) {
    case ALD_POOL_ROOT:
        return sqrt(a->missed / a->cells);
    case ALD_POOL_BIAS:
        return a->off / a->cells;
    case ALD_POOL_SEP:
        return sep_of(a);
    case ALD_POOL_RPD:
        return rpd_of(a);
    case ALD_POOL_SHARE:
        return a->about_training > 0.0 ? 1.0 - a->missed / a->about_training : (double)NAN;
    case ALD_POOL_MEAN:
        break;
    }
    return (double)NAN;
}

double ald_pooled_figure(const ald_comparison *c, const ald_metric *metric, int row, int64_t *count)
{
    const int64_t splits = ald_splits_count(c->splits);
    const ald_cell *cells = c->cells + row * splits;
    sums a = {0};
    *count = 0;
    if (metric->pool == ALD_POOL_MEAN || !c->truth) return (double)NAN;
    for (int64_t s = 0; s < splits; s++)
        if (!isnan(cells[s].metrics[root_metric])) add_split(c, &cells[s], s, &a);
    *count = a.splits;
    if (a.splits == 0) return (double)NAN;
    if (metric->pool == ALD_POOL_RPD) a.spread = spread_of(c, cells, a.cells / (double)c->responses);
    return figure(&a, metric->pool);
}

/* The corrected resampled t-test (Nadeau and Bengio, Inference for the generalization error, Machine Learning
 * 52, 2003).
 *
 * d_s = a_s - b_s over splits s = 1 .. J, with mean m and variance v (divisor J - 1). Training parts overlap,
 * so the d_s are not independent and v/J is too small for the variance of m; in its place
 *
 *     t = m / sqrt((1/J + n_test/n_train) v),   J - 1 degrees of freedom.
 *
 * The interval of m at the level p is m -+ q sqrt((1/J + n_test/n_train) v), q^2 the value that F with 1 and
 * J - 1 degrees of freedom exceeds with the chance p.
 *
 * The two-sided p-value is I_x(f/2, 1/2) with f = J - 1 and x = f/(f + t^2), I the regularized incomplete
 * beta function (numbers/beta.h). */

static void mean_and_variance(int64_t J, const double *a, const double *b, double *mean, double *variance)
{
    *mean = *variance = 0.0;
    for (int64_t s = 0; s < J; s++) *mean += (a[s] - b[s]) / (double)J;
    for (int64_t s = 0; s < J; s++) *variance += pow(a[s] - b[s] - *mean, 2) / (double)(J - 1);
}

double ald_paired_p_value(int64_t J, const double *a, const double *b, double ratio)
{
    double mean, variance;
    if (J < 2) return NAN;
    const double f = (double)(J - 1);
    mean_and_variance(J, a, b, &mean, &variance);
    if (isnan(mean)) return NAN;
    if (!(mean != 0.0)) return 1.0;
    if (!(variance > 0.0)) return 0.0;
    const double t2 = mean * mean / ((1.0 / (double)J + ratio) * variance);
    return ald_regularized_beta(f / 2.0, 0.5, f / (f + t2));
}

ald_paired_difference ald_paired_interval(int64_t J, const double *a, const double *b, double ratio,
                                          double level)
{
    double mean, variance;
    if (J < 2) return (ald_paired_difference){NAN, NAN, NAN};
    mean_and_variance(J, a, b, &mean, &variance);
    const double half =
        sqrt(ald_f_quantile(level, 1.0, (double)(J - 1)) * (1.0 / (double)J + ratio) * variance);
    return (ald_paired_difference){mean, mean - half, mean + half};
}

static const double level = 0.05; /* of the test */

/* Splits that count: all of them, or those that were done when the time was up; of the first whatever is
 * there. */
static int64_t judged(const ald_comparison *c)
{
    return c->judged > 0 ? c->judged : 1;
}

/* The same for one row, which may have left the race. */
static int64_t judged_of(const ald_comparison *c, const ald_comparison_row *row)
{
    return row->left_after > 0 ? row->left_after : judged(c);
}

static ald_status copy_values(ald_run *run, ald_comparison *c)
{
    const int64_t J = ald_splits_count(c->splits);
    int metrics;
    ald_metric_list(c->metrics, &metrics);
    ALD_TRY(ald_get(run, &c->memory, (int64_t)metrics * c->n_rows, J, sizeof *c->values, &c->values));
    for (int k = 0; k < metrics; k++)
        for (int64_t i = 0; i < c->n_rows * J; i++) c->values[k * c->n_rows * J + i] = c->cells[i].metrics[k];
    return ALD_OK;
}

static void average(int64_t J, const double *values, ald_comparison_row *row)
{
    double sum = 0.0, square = 0.0;
    for (int64_t s = 0; s < J; s++) {
        if (isnan(values[s])) continue;
        row->count++;
        sum += values[s];
    }
    row->mean = row->count ? sum / (double)row->count : (double)NAN;
    for (int64_t s = 0; s < J; s++)
        if (!isnan(values[s])) square += pow(values[s] - row->mean, 2);
    row->std = row->count > 1 ? sqrt(square / (double)(row->count - 1)) : (double)NAN;
}

/* A figure that is of all test rows together, in place of the mean of the splits. It may be there where that
 * of a single split is not defined. */
static void pool(const ald_comparison *c, int number, ald_comparison_row *row)
{
    int64_t count;
    const double value = ald_pooled_figure(c, c->metric, number, &count);
    if (isnan(value)) return;
    row->mean = value;
    row->count = count;
}

/* The mean times of the splits that have a value; NaN where nothing was timed or nothing is there. */
static void average_times(int64_t J, const ald_cell *cells, ald_comparison_row *row)
{
    int64_t count = 0;
    row->fit_seconds = row->apply_seconds = 0.0;
    for (int64_t s = 0; s < J; s++) {
        if (cells[s].status < 0) continue;
        row->fit_seconds += cells[s].fit_seconds;
        row->apply_seconds += cells[s].apply_seconds;
        count++;
    }
    row->fit_seconds = count ? row->fit_seconds / (double)count : (double)NAN;
    row->apply_seconds = count ? row->apply_seconds / (double)count : (double)NAN;
}

/* Want of memory matters more than what is wrong with the data, as it can be helped. Splits that failed
 * matter more than a metric that is undefined, and that more than a warning. What is of all test rows
 * together may be defined all the same: see pool. */
static int gravity(const ald_cell *cell, const ald_metric *metric, const ald_comparison_row *row)
{
    if (cell->status == ALD_ERROR_MEMORY) return 4;
    if (cell->status < 0) return 3;
    if (isnan(cell->metrics[metric->number]) && (metric->pool == ALD_POOL_MEAN || isnan(row->mean))) return 2;
    return cell->status > 0 ? 1 : 0;
}

static ald_status explain(ald_run *run, ald_comparison *c, const ald_cell *cells, ald_comparison_row *row)
{
    const int64_t J = judged_of(c, row);
    int64_t gravest = 0, count = 0;
    for (int64_t s = 1; s < J; s++)
        if (gravity(&cells[s], c->metric, row) > gravity(&cells[gravest], c->metric, row)) gravest = s;
    const int worst = gravity(&cells[gravest], c->metric, row);
    row->status = cells[gravest].status;
    if (worst == 0) return ALD_OK;
    for (int64_t s = 0; s < J; s++) count += gravity(&cells[s], c->metric, row) == worst;
    ald_text text;
    ald_text_init(&text, &c->memory);
    if (count < J)
        ALD_TRY(ald_text_print(run, &text, "in %lld of %lld splits: ", (long long)count, (long long)J));
    ALD_TRY(ald_text_print(run, &text, "%s", cells[gravest].message));
    row->reason = text.data;
    return ALD_OK;
}

static int find_best(const ald_comparison *c)
{
    int best = -1;
    for (int i = 0; i < c->n_rows; i++)
        if (c->rows[i].count == judged(c) &&
            (best < 0 || ald_metric_better(c->metric, c->rank[i], c->rank[best])))
            best = i;
    return best;
}

/* What rows are tested by: the values, or how far they are from 0 where that is what counts. */
static ald_status tested_values(ald_run *run, const ald_comparison *c, const double **values)
{
    const int64_t count = c->n_rows * ald_splits_count(c->splits);
    double *sizes;
    *values = c->values + c->metric->number * count;
    if (!c->metric->by_size) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, count, 1, &sizes));
    for (int64_t i = 0; i < count; i++) sizes[i] = fabs((*values)[i]);
    *values = sizes;
    return ALD_OK;
}

static ald_status rank(ald_run *run, ald_comparison *c)
{
    const int64_t J = ald_splits_count(c->splits);
    const double *values;
    ALD_TRY(tested_values(run, c, &values));
    ALD_TRY(ald_get(run, &c->memory, c->n_rows, 1, sizeof *c->rank, &c->rank));
    for (int i = 0; i < c->n_rows; i++) {
        double sum = 0.0;
        c->rank[i] = c->rows[i].mean;
        for (int64_t s = 0; s < J; s++) sum += isnan(values[i * J + s]) ? 0.0 : values[i * J + s];
        if (c->metric->by_size && c->rows[i].count > 0) c->rank[i] = sum / (double)c->rows[i].count;
    }
    return ALD_OK;
}

static int all_defined(int64_t J, const double *values)
{
    int64_t s = 0;
    while (s < J && !isnan(values[s])) s++;
    return s == J;
}

static ald_status mark(ald_run *run, ald_comparison *c)
{
    const int64_t J = judged(c), stride = ald_splits_count(c->splits);
    const double *values;
    const int best = find_best(c);
    ALD_TRY(tested_values(run, c, &values));
    if (best < 0) {
        c->unmarked = "no row has a value in every split, so none is marked";
        return ALD_OK;
    }
    if (J < 2) {
        c->unmarked = "one split says nothing about chance, so no row is marked";
        return ALD_OK;
    }
    if (!all_defined(J, values + best * J)) {
        c->unmarked =
            "the figure is computed from all test rows together, not per split, so no row is marked";
        return ALD_OK;
    }
    for (int i = 0; i < c->n_rows; i++) {
        ald_comparison_row *row = &c->rows[i];
        if (row->count < J || i == best || !all_defined(J, values + i * stride)) continue;
        row->p_value = ald_paired_p_value(J, values + i * stride, values + best * stride, c->ratio);
        const ald_paired_difference d =
            ald_paired_interval(J, values + i * stride, values + best * stride, c->ratio, level);
        row->difference = d.mean;
        row->difference_low = d.low;
        row->difference_high = d.high;
        if (row->p_value > level) row->mark = ALD_MARK_EQUAL;
    }
    c->rows[best].mark = ALD_MARK_BEST;
    c->rows[best].difference = c->rows[best].difference_low = c->rows[best].difference_high = 0.0;
    return ALD_OK;
}

ald_status ald_comparison_check_memory(ald_run *run, const ald_comparison *c)
{
    const int64_t cells = c->cells ? c->n_rows * ald_splits_count(c->splits) : 0;
    for (int64_t i = 0; i < cells; i++)
        if (c->cells[i].status == ALD_ERROR_MEMORY)
            return ald_fail(run->error, ALD_ERROR_MEMORY, "%s", c->cells[i].message);
    return ALD_OK;
}

ald_status ald_comparison_check_begun(ald_run *run, const ald_comparison *c)
{
    int64_t values = 0;
    for (int i = 0; i < c->n_rows; i++) values += c->rows[i].count;
    if (!c->cut || values > 0) return ALD_OK;
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "the time was up before the first fit was finished: raise `time_limit`");
}

ald_status ald_comparison_check_any(ald_run *run, const ald_comparison *c)
{
    ald_text reasons;
    ald_text_init(&reasons, &run->scratch);
    for (int i = 0; i < c->n_rows; i++) {
        const ald_comparison_row *row = &c->rows[i];
        if (row->count > 0 || row->status >= 0) return ALD_OK;
        if (i > 0 && row->candidate == c->rows[i - 1].candidate) continue; /* the first reason of each */
        const int named = strncmp(row->reason, row->label, strlen(row->label)) == 0;
        ALD_TRY(ald_text_print(run, &reasons, "%s%s%s%s", i ? "; " : "", named ? "" : row->label,
                               named ? "" : ": ", row->reason));
    }
    return ald_fail(run->error, c->rows[0].status, "nothing could be fitted: %s", reasons.data);
}

ald_status ald_comparison_summarize(ald_run *run, ald_comparison *c)
{
    const int64_t J = ald_splits_count(c->splits);
    ALD_TRY(copy_values(run, c));
    for (int i = 0; i < c->n_rows; i++) {
        average(J, c->values + (c->metric->number * c->n_rows + i) * J, &c->rows[i]);
        pool(c, i, &c->rows[i]);
        average_times(judged_of(c, &c->rows[i]), c->cells + i * J, &c->rows[i]);
        ALD_TRY(explain(run, c, c->cells + i * J, &c->rows[i]));
    }
    ALD_TRY(rank(run, c));
    return mark(run, c);
}
