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
#include "judge/compare/comparison.h"

#include "math/operator/entry.h"

#include <math.h>
#include <string.h>

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
    if (c->kind != ALD_TARGET_REAL) return ALD_OK;
    c->responses = q;
    c->truth = ald_arena_get(&c->memory, splits, 2 * q, sizeof *c->truth);
    if (!c->truth) return ald_out_of_memory(run, splits, 2 * q, sizeof *c->truth);
    memset(c->truth, 0, (size_t)(splits * 2 * q) * sizeof *c->truth);
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
