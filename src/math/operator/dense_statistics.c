/* Statistics of rows and columns of dense X, and the search for what is not finite.
 *
 * Columns take two passes: means as sums of differences from a value of the column, deviations about the
 * means. Cut over rows, each thread with sums of its own, or over columns; how depends on the number of
 * threads and nothing else. */
#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/threads.h"
#include "math/linalg/vector.h"
#include "math/operator/dense.h"

#include <math.h>
#include <string.h>

static void moments_of_row(const double *row, int64_t d, double *mean, double *deviation, double *length)
{
    double sum = 0.0, squares = 0.0, spread = 0.0;
    for (int64_t j = 0; j < d; j++) {
        sum += row[j];
        squares += row[j] * row[j];
    }
    const double centre = sum / (double)d;
    for (int64_t j = 0; j < d; j++) spread += (row[j] - centre) * (row[j] - centre);
    if (mean) *mean = centre;
    if (deviation) *deviation = sqrt(spread / (double)d);
    if (length) *length = sqrt(squares);
}

ald_status ald_dense_row_moments(ald_run *run, const ald_matrix *x, double *mean, double *deviation,
                                 double *length)
{
    double *row;
    ALD_TRY(ald_scratch_reals(run, x->cols, 1, &row));
    for (int64_t i = 0; i < x->rows; i++) {
        ald_dense_copy(x, i, 1, 0, x->cols, row);
        moments_of_row(row, x->cols, mean ? mean + i : NULL, deviation ? deviation + i : NULL,
                       length ? length + i : NULL);
    }
    return ALD_OK;
}

typedef struct statistics {
    const ald_operator *z;
    const double *weights;
    ald_column_moments moments;
    double *base; /* cols: a value of each column (its first row, then its mean) that is subtracted before
                     summing */
    double *buffers, *sums; /* sums: cols, of one block; a set per part when cut over rows */
    double *totals;         /* cut over rows: cols per part */
    double *peaks;          /* the largest difference from the base: cols, a set per part as the sums */
    int64_t block_size;
    int parts;
    int by_rows;
    int squares; /* sum squares into the deviation, not values into the mean */
} statistics;

/* The sum and the largest difference of each column of a stretch of rows, four rows at a time so that the
 * sums stay in registers meanwhile; they are added in the order of the rows. */
enum { together = 4 };

ALD_WIDE static void add_four(int64_t cols, const double *restrict rows, int64_t stride,
                              const double *restrict base, const double *restrict weights,
                              double *restrict sums, double *restrict peaks)
{
    const double *restrict r1 = rows + stride, *restrict r2 = rows + 2 * stride,
                           *restrict r3 = rows + 3 * stride;
    for (int64_t j = 0; j < cols; j++) {
        const double a = rows[j] - base[j], b = r1[j] - base[j], c = r2[j] - base[j], d = r3[j] - base[j];
        double sum = sums[j] + weights[0] * a, peak = peaks[j];
        sum += weights[1] * b;
        sum += weights[2] * c;
        sums[j] = sum + weights[3] * d;
        peak = fabs(a) > peak ? fabs(a) : peak;
        peak = fabs(b) > peak ? fabs(b) : peak;
        peak = fabs(c) > peak ? fabs(c) : peak;
        peaks[j] = fabs(d) > peak ? fabs(d) : peak;
    }
}

ALD_WIDE static void add_one(int64_t cols, const double *restrict row, const double *restrict base,
                             double weight, double *restrict sums, double *restrict peaks)
{
    for (int64_t j = 0; j < cols; j++) {
        const double off = row[j] - base[j], size = fabs(off);
        sums[j] += weight * off;
        peaks[j] = size > peaks[j] ? size : peaks[j];
    }
}

ALD_WIDE static void add_squares(int64_t cols, const double *restrict row, const double *restrict base,
                                 double weight, double *restrict sums)
{
    for (int64_t j = 0; j < cols; j++) sums[j] += weight * (row[j] - base[j]) * (row[j] - base[j]);
}

/* Differences from a value of the column itself: a constant column sums to 0 exactly, and a large mean costs
 * no digits.
 */
static void add_block(const statistics *s, ald_view block, int64_t i0, int64_t j0, int64_t set, double *out)
{
    const int64_t rows = block.rows, cols = block.cols;
    const double *w = s->weights, *base = s->base + j0;
    double *sums = s->sums + set + j0, *peaks = s->peaks + set + j0;
    memset(sums, 0, (size_t)cols * sizeof *sums);
    for (int64_t i = 0; i < rows; i++) {
        const double *row = block.data + i * block.stride;
        const double weight = w ? w[i0 + i] : 1.0;
        if (s->squares) {
            add_squares(cols, row, base, weight, sums);
        } else if (i + together <= rows) {
            static const double ones[together] = {1.0, 1.0, 1.0, 1.0};
            add_four(cols, row, block.stride, base, w ? w + i0 + i : ones, sums, peaks);
            i += together - 1;
        } else {
            add_one(cols, row, base, weight, sums, peaks);
        }
    }
    for (int64_t j = 0; j < cols; j++) out[j] += sums[j];
}

static void widen_range(const ald_column_moments *m, ald_view block, int64_t j0)
{
    for (int64_t i = 0; i < block.rows; i++)
        for (int64_t j = 0; j < block.cols; j++) {
            const double entry = block.data[i * block.stride + j];
            if (entry < m->low[j0 + j]) m->low[j0 + j] = entry;
            if (entry > m->high[j0 + j]) m->high[j0 + j] = entry;
        }
}

/* What a pass takes from a block. */
static void use_block(const statistics *s, ald_view block, int64_t i0, int64_t j0, int part, double *out)
{
    const int64_t set = s->by_rows ? part * s->z->x.cols : 0;
    add_block(s, block, i0, j0, set, out);
    if (!s->squares && s->moments.low) widen_range(&s->moments, block, j0);
}

/* The cut over columns; for rows that do not fit into a block, and where the range is wanted. */
static void statistics_part(void *work, int part)
{
    const statistics *s = work;
    const ald_operator *z = s->z;
    const int64_t begin = ald_part_begin(z->x.cols, s->parts, part),
                  end = ald_part_begin(z->x.cols, s->parts, part + 1);
    double *out = s->squares ? s->moments.deviation : s->moments.mean;
    int64_t m, c;
    ald_dense_block_shape(z->x.rows, end - begin, &m, &c);
    for (int64_t i = 0; i < z->x.rows; i += m)
        for (int64_t j = begin; j < end; j += c) {
            const int64_t rows = ald_least(m, z->x.rows - i), cols = ald_least(c, end - j);
            const ald_view block = ald_dense_block(z, i, rows, j, cols, s->buffers + part * s->block_size);
            use_block(s, block, i, j, part, out + j);
        }
}

/* The cut over rows: memory is read in one stretch. */
static void statistics_rows_part(void *work, int part)
{
    const statistics *s = work;
    const ald_operator *z = s->z;
    const int64_t d = z->x.cols, begin = ald_part_begin(z->x.rows, s->parts, part);
    const int64_t end = ald_part_begin(z->x.rows, s->parts, part + 1),
                  step = ald_least(end - begin, ald_dense_block_entries / d);
    double *totals = s->totals + part * d;
    memset(totals, 0, (size_t)d * sizeof *totals);
    for (int64_t i = begin; i < end; i += step) {
        const int64_t rows = ald_least(step, end - i);
        const ald_view block = ald_dense_block(z, i, rows, 0, d, s->buffers + part * s->block_size);
        use_block(s, block, i, 0, part, totals);
    }
}

static void sum_columns(statistics *s)
{
    const int64_t d = s->z->x.cols;
    double *out = s->squares ? s->moments.deviation : s->moments.mean;
    ald_parallel(s->parts, s->by_rows ? statistics_rows_part : statistics_part, s);
    for (int part = 0; s->by_rows && part < s->parts; part++)
        for (int64_t j = 0; j < d; j++) out[j] += s->totals[part * d + j];
}

/* Those of all parts. */
static void gather_peaks(const statistics *s)
{
    const int64_t d = s->z->x.cols;
    memcpy(s->moments.peak, s->peaks, (size_t)d * sizeof *s->peaks);
    for (int part = 1; s->by_rows && part < s->parts; part++)
        for (int64_t j = 0; j < d; j++) s->moments.peak[j] = fmax(s->moments.peak[j], s->peaks[part * d + j]);
}

ald_status ald_dense_column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                       ald_column_moments moments)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    double total = weights ? 0.0 : (double)n;
    statistics s = {
        .z = z,
        .weights = weights,
        .moments = moments,
        .block_size = ald_dense_block_entries + ald_dense_widest_block,
    };
    for (int64_t i = 0; weights && i < n; i++) total += weights[i];
    s.by_rows = !moments.low && d <= ald_dense_block_entries / 8;
    s.parts = 1;
    if ((double)n * (double)d >= 1 << 16)
        s.parts = ald_parts(run, s.by_rows ? n : d, ald_dense_thinnest_part);
    ALD_TRY(ALD_SCRATCH(run, {&s.buffers, s.parts, s.block_size}, {&s.sums, s.by_rows ? s.parts : 1, d},
                        {&s.totals, s.by_rows ? s.parts : 1, d}, {&s.base, d, 1}));
    ALD_TRY(ald_dense_rows(run, z, 0, 1, s.base));
    for (int64_t j = 0; j < d; j++) {
        moments.mean[j] = 0.0;
        if (moments.deviation) moments.deviation[j] = 0.0;
        if (moments.low) moments.low[j] = INFINITY;
        if (moments.high) moments.high[j] = -INFINITY;
    }
    ALD_TRY(ald_scratch_zeros(run, s.by_rows ? s.parts : 1, d, &s.peaks));
    sum_columns(&s);
    if (moments.peak) gather_peaks(&s);
    for (int64_t j = 0; j < d; j++) moments.mean[j] = s.base[j] + moments.mean[j] / total;
    if (!moments.deviation) return ALD_OK;
    s.squares = 1;
    memcpy(s.base, moments.mean, (size_t)d * sizeof *s.base);
    sum_columns(&s);
    for (int64_t j = 0; j < d; j++) moments.deviation[j] = sqrt(moments.deviation[j] / total);
    return ALD_OK;
}

/* 0 times a number is 0, and NaN otherwise: sums of such products, in lanes, say whether there is anything to
 * look for in a stretch. */
ALD_WIDE static int are_finite(int64_t count, const double *values)
{
    ald_eight sums = {0.0};
    double sum = 0.0;
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) sums += 0.0 * ALD_EIGHT_OF(values + j);
    for (int l = 0; l < 8; l++) sum += sums[l];
    for (; j < count; j++) sum += 0.0 * values[j];
    return sum == 0.0;
}

static int stretch_is_finite(const ald_matrix *x, int64_t i, int64_t j0, int64_t c)
{
    double buffer[256];
    if (x->type == ALD_F64 && x->col_stride == 1)
        return are_finite(c, (const double *)x->values + i * x->row_stride + j0);
    ald_dense_copy(x, i, 1, j0, c, buffer);
    return are_finite(c, buffer);
}

typedef struct search {
    const ald_matrix *x;
    int parts;
    int64_t row[ALD_MOST_PARTS], column[ALD_MOST_PARTS]; /* the first of each part, or -1 */
} search;

static void search_part(void *work, int part)
{
    search *s = work;
    const ald_matrix *x = s->x;
    const int64_t end = ald_part_begin(x->rows, s->parts, part + 1);
    s->row[part] = -1;
    for (int64_t i = ald_part_begin(x->rows, s->parts, part); i < end; i++)
        for (int64_t j0 = 0; j0 < x->cols; j0 += 256) {
            const int64_t c = ald_least(256, x->cols - j0);
            if (stretch_is_finite(x, i, j0, c)) continue;
            for (int64_t j = j0; j < j0 + c; j++) {
                double entry;
                ald_dense_copy(x, i, 1, j, 1, &entry);
                if (isfinite(entry)) continue;
                s->row[part] = i;
                s->column[part] = j;
                return;
            }
        }
}

ald_status ald_dense_find_bad(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column)
{
    search s = {.x = x, .parts = ald_parts(run, x->rows * x->cols, 1 << 17)};
    ald_parallel(s.parts, search_part, &s);
    for (int part = 0; part < s.parts && *row < 0; part++) {
        *row = s.row[part];
        *column = s.column[part];
    }
    return ALD_OK;
}

ALD_WIDE static double block_square(ald_view block)
{
    double sum = 0.0;
    for (int64_t i = 0; i < block.rows; i++)
        sum += ald_square_length(block.cols, block.data + i * block.stride);
    return sum;
}

ald_status ald_dense_square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    int64_t m, c;
    double *buffer;
    ALD_TRY(ald_scratch_reals(run, ald_dense_block_entries + ald_dense_widest_block, 1, &buffer));
    ald_dense_block_shape(z->x.rows, z->x.cols, &m, &c);
    *sum = 0.0;
    for (int64_t i = 0; i < z->x.rows; i += m)
        for (int64_t j = 0; j < z->x.cols; j += c) {
            const int64_t rows = ald_least(m, z->x.rows - i), cols = ald_least(c, z->x.cols - j);
            *sum += block_square(ald_dense_block(z, i, rows, j, cols, buffer));
        }
    return ALD_OK;
}
