/* Column statistics of sparse A (X - s 1'), without writing out a zero.
 *
 * Let v be a stored entry after the row's scaling and o_i = -A_i s_i what a zero of row i becomes (0 without
 * a row shift). In column j
 *
 * - the mean is b_j + (sum_stored w (v - o_i - b_j)) / n + (sum_i w o_i) / n, n the sum of w, with b_j its
 * first value where every row has an entry and none is shifted, so that a constant column is one exactly;
 * else b_j = 0;
 * - the deviation without a row shift is from sum_stored w (v - mean)^2 + (n - sum_stored w) mean^2, which
 * cancels nothing; with one, from what a column of zeros would have and the difference that each entry makes;
 * - the range is that of the stored values and of the smallest and largest o_i of the rows without an entry:
 * the rows are ranked by o, and the first rank that the column lacks is found in a bit map of count_j + 1
 * places, nnz / 8 bytes for all columns. */
#include "base/numbers/ordering.h"
#include "math/operator/on_card.h"
#include "math/operator/sparse.h"

#include <math.h>
#include <string.h>

typedef struct work {
    const ald_operator *z;
    const double *weights;
    ald_column_moments moments;
    int64_t *counts;
    double *stored; /* weight of the rows with an entry */
    double *base;
    /* Range of what zeros become. */
    int64_t *rank, *offset; /* of each row; of each column in the map */
    unsigned char *map;
} work;

static double weight(const work *w, int64_t i)
{
    return w->weights ? w->weights[i] : 1.0;
}

static double factor(const work *w, int64_t i)
{
    return w->z->row_factor ? w->z->row_factor[i] : 1.0;
}

/* What a zero of the row becomes. */
static double zero_of(const work *w, int64_t i)
{
    return w->z->row_shift ? -factor(w, i) * w->z->row_shift[i] : 0.0;
}

static void count_entry(void *self, int64_t i, int64_t j, double value)
{
    work *w = self;
    if (w->counts[j]++ == 0) w->base[j] = factor(w, i) * value;
    w->stored[j] += weight(w, i);
}

static void add_entry(void *self, int64_t i, int64_t j, double value)
{
    const work *w = self;
    const double scaled = factor(w, i) * value, entry = scaled + zero_of(w, i);
    w->moments.mean[j] += weight(w, i) * (scaled - w->base[j]);
    if (w->moments.peak && fabs(entry) > w->moments.peak[j]) w->moments.peak[j] = fabs(entry);
    if (w->moments.low && entry < w->moments.low[j]) w->moments.low[j] = entry;
    if (w->moments.high && entry > w->moments.high[j]) w->moments.high[j] = entry;
}

static void add_spread(void *self, int64_t i, int64_t j, double value)
{
    const work *w = self;
    const double without = zero_of(w, i) - w->moments.mean[j], with = factor(w, i) * value + without;
    w->moments.deviation[j] += weight(w, i) * (with * with - (w->z->row_shift ? without * without : 0.0));
}

/* Entries of each column, their weight and the first of them. */
static ald_status count_entries(ald_run *run, work *w)
{
    const int64_t d = w->z->x.cols;
    double *counts = NULL;
    int done;
    if (run->call.held) ALD_TRY(ald_scratch_reals(run, d, 1, &counts));
    const ald_card_entries entries = {
        .weights = w->weights,
        .counts = counts,
        .stored = w->stored,
        .first = w->base,
    };
    ALD_TRY(ald_card_entry_sums(run, w->z, &entries, &done));
    for (int64_t j = 0; done && j < d; j++) w->counts[j] = (int64_t)counts[j];
    if (done) return ALD_OK;
    memset(w->stored, 0, (size_t)d * sizeof *w->stored); /* a card that fails may have written there */
    memset(w->base, 0, (size_t)d * sizeof *w->base);
    return ald_sparse_visit(run, &w->z->x, count_entry, w);
}

static void begin_sums(const work *w)
{
    for (int64_t j = 0; j < w->z->x.cols; j++) {
        w->moments.mean[j] = 0.0;
        if (w->moments.peak) w->moments.peak[j] = 0.0;
        if (w->moments.low) w->moments.low[j] = INFINITY;
        if (w->moments.high) w->moments.high[j] = -INFINITY;
    }
}

static ald_status add_entries(ald_run *run, work *w)
{
    const ald_card_entries entries = {
        .weights = w->weights,
        .base = w->base,
        .sums = w->moments.mean,
        .peak = w->moments.peak,
        .low = w->moments.low,
        .high = w->moments.high,
    };
    int done;
    ALD_TRY(ald_card_entry_sums(run, w->z, &entries, &done));
    if (done) return ALD_OK;
    begin_sums(w);
    return ald_sparse_visit(run, &w->z->x, add_entry, w);
}

static ald_status add_spreads(ald_run *run, work *w)
{
    const int64_t d = w->z->x.cols;
    double *squares = NULL;
    int done;
    if (run->call.held) ALD_TRY(ald_scratch_reals(run, d, 1, &squares));
    const ald_card_entries entries = {
        .weights = w->weights,
        .mean = w->moments.mean,
        .squares = squares,
        .differences = w->z->row_shift != NULL,
    };
    ALD_TRY(ald_card_entry_sums(run, w->z, &entries, &done));
    for (int64_t j = 0; done && j < d; j++) w->moments.deviation[j] += squares[j];
    return done ? ALD_OK : ald_sparse_visit(run, &w->z->x, add_spread, w);
}

static ald_status new_work(ald_run *run, const ald_operator *z, work *w)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    ALD_TRY(ald_scratch_clear(run, d, 1, sizeof *w->counts, &w->counts));
    ALD_TRY(ald_scratch_zeros(run, d, 1, &w->stored));
    ALD_TRY(ald_scratch_zeros(run, d, 1, &w->base));
    ALD_TRY(count_entries(run, w));
    for (int64_t j = 0; j < d; j++)
        if (w->counts[j] < n || z->row_shift) w->base[j] = 0.0;
    return ALD_OK;
}

static void mark_rank(void *self, int64_t i, int64_t j, double value)
{
    (void)value;
    const work *w = self;
    if (w->rank[i] > w->counts[j]) return;
    const int64_t bit = w->offset[j] + w->rank[i];
    w->map[bit / 8] = (unsigned char)(w->map[bit / 8] | 1 << bit % 8);
}

/* The first rank in no row of the column; n if there is none. */
static int64_t first_absent(const work *w, int64_t j)
{
    for (int64_t rank = 0;; rank++) {
        const int64_t bit = w->offset[j] + rank;
        if (!(w->map[bit / 8] >> bit % 8 & 1)) return rank;
    }
}

/* Widens the range of each column by the smallest (direction 1) or largest (-1) o of the rows it has no entry
 * in. */
static ald_status widen_by_zeros(ald_run *run, work *w, ald_ranked *rows, int direction, double *range)
{
    const int64_t n = w->z->x.rows, d = w->z->x.cols;
    memset(w->map, 0, (size_t)(w->offset[d] / 8 + 1));
    for (int64_t t = 0; t < n; t++) w->rank[rows[t].place] = direction > 0 ? t : n - 1 - t;
    ALD_TRY(ald_sparse_visit(run, &w->z->x, mark_rank, w));
    for (int64_t j = 0; j < d; j++) {
        const int64_t rank = first_absent(w, j);
        if (w->counts[j] == n) continue;
        const double zero = rows[direction > 0 ? rank : n - 1 - rank].value;
        if (direction > 0 ? zero < range[j] : zero > range[j]) range[j] = zero;
    }
    return ALD_OK;
}

static ald_status range_of_zeros(ald_run *run, work *w)
{
    const int64_t n = w->z->x.rows, d = w->z->x.cols;
    ald_ranked *rows;
    for (int64_t j = 0; !w->z->row_shift && j < d; j++) {
        if (w->counts[j] == n) continue;
        w->moments.low[j] = fmin(w->moments.low[j], 0.0);
        w->moments.high[j] = fmax(w->moments.high[j], 0.0);
    }
    if (!w->z->row_shift) return ALD_OK;
    ALD_TRY(ald_scratch(run, n, 1, sizeof *rows, &rows));
    ALD_TRY(ald_scratch(run, n, 1, sizeof *w->rank, &w->rank));
    ALD_TRY(ald_scratch(run, d + 1, 1, sizeof *w->offset, &w->offset));
    w->offset[0] = 0;
    for (int64_t j = 0; j < d; j++) w->offset[j + 1] = w->offset[j] + w->counts[j] + 1;
    ALD_TRY(ald_scratch(run, w->offset[d] / 8 + 1, 1, 1, &w->map));
    for (int64_t i = 0; i < n; i++) rows[i] = (ald_ranked){zero_of(w, i), i};
    ald_rank_rising(n, rows);
    ALD_TRY(widen_by_zeros(run, w, rows, 1, w->moments.low));
    return widen_by_zeros(run, w, rows, -1, w->moments.high);
}

ald_status ald_sparse_column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                        ald_column_moments moments)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    work w = {.z = z, .weights = weights, .moments = moments};
    double total = 0.0, zeros = 0.0, squares = 0.0;
    ALD_TRY(new_work(run, z, &w));
    for (int64_t i = 0; i < n; i++) {
        total += weight(&w, i);
        zeros += weight(&w, i) * zero_of(&w, i);
        squares += weight(&w, i) * zero_of(&w, i) * zero_of(&w, i);
    }
    ALD_TRY(add_entries(run, &w));
    if (moments.low) ALD_TRY(range_of_zeros(run, &w));
    for (int64_t j = 0; j < d; j++) {
        const double mean = moments.mean[j] = w.base[j] + (moments.mean[j] + zeros) / total;
        if (!moments.deviation) continue;
        const double empty = total - w.stored[j] > 0.0 ? total - w.stored[j] : 0.0;
        moments.deviation[j] =
            z->row_shift ? squares - 2.0 * mean * zeros + total * mean * mean : empty * mean * mean;
        if (w.counts[j] == n && !z->row_shift) moments.deviation[j] = 0.0;
    }
    if (!moments.deviation) return ALD_OK;
    ALD_TRY(add_spreads(run, &w));
    for (int64_t j = 0; j < d; j++) moments.deviation[j] = sqrt(fmax(moments.deviation[j], 0.0) / total);
    return ALD_OK;
}
