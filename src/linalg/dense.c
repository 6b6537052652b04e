/* Dense storage. A block of rows and columns of Z is prepared in a buffer that fits into the second-level cache and is
 * multiplied there: X is read once and Z is never stored. f32 input is widened in the same step.
 *
 * Work is cut over rows for Z v and over columns for Z'u, so that threads write disjoint results; only the fused
 * product Z'(Z v) has a sum a thread. How it is cut depends on the number of threads and nothing else. */
#include "backend/backend.h"
#include "backend/threads.h"
#include "linalg/storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { block_entries = 64 * 1024, widest_block = 16 * 1024, thinnest_part = 64 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows i0 .. i0 + m, columns j0 .. j0 + c of X, widened, to `out` (m x c). */
static void copy_raw(const ald_matrix *x, int64_t i0, int64_t m, int64_t j0, int64_t c, double *out)
{
    const int64_t rs = x->row_stride, cs = x->col_stride;
    const int by_column = cs != 1 && llabs(rs) < llabs(cs);
#define COPY(type)                                                                                                     \
    do {                                                                                                               \
        const type *from = (const type *)x->values + i0 * rs + j0 * cs;                                                \
        if (cs == 1)                                                                                                   \
            for (int64_t i = 0; i < m; i++)                                                                            \
                for (int64_t j = 0; j < c; j++) out[i * c + j] = (double)from[i * rs + j];                             \
        else if (by_column)                                                                                            \
            for (int64_t j = 0; j < c; j++)                                                                            \
                for (int64_t i = 0; i < m; i++) out[i * c + j] = (double)from[i * rs + j * cs];                        \
        else                                                                                                           \
            for (int64_t i = 0; i < m; i++)                                                                            \
                for (int64_t j = 0; j < c; j++) out[i * c + j] = (double)from[i * rs + j * cs];                        \
    } while (0)
    if (x->type == ALD_F64)
        COPY(double);
    else
        COPY(float);
#undef COPY
}

static void prepare_row(const ald_operator *z, int64_t i, int64_t j0, int64_t c, double *row)
{
    if (z->row_shift)
        for (int64_t j = 0; j < c; j++) row[j] -= z->row_shift[i];
    if (z->row_factor)
        for (int64_t j = 0; j < c; j++) row[j] *= z->row_factor[i];
    if (z->mean)
        for (int64_t j = 0; j < c; j++) row[j] -= z->mean[j0 + j];
    if (z->inverse_scale)
        for (int64_t j = 0; j < c; j++) row[j] *= z->inverse_scale[j0 + j];
    if (z->row_weight)
        for (int64_t j = 0; j < c; j++) row[j] *= z->row_weight[i];
}

static int is_plain(const ald_operator *z)
{
    return z->x.type == ALD_F64 && z->x.col_stride == 1 && z->x.row_stride >= z->x.cols && !z->row_shift &&
           !z->row_factor && !z->mean && !z->inverse_scale && !z->row_weight;
}

/* The commonest case in one sweep: f64 rows that only lose their mean. */
static int copy_centred(const ald_operator *z, int64_t i0, int64_t m, int64_t j0, int64_t c, double *out)
{
    if (z->x.type != ALD_F64 || z->x.col_stride != 1 || z->row_shift || z->row_factor || !z->mean || z->inverse_scale ||
        z->row_weight)
        return 0;
    const double *from = (const double *)z->x.values + i0 * z->x.row_stride + j0, *mean = z->mean + j0;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < c; j++) out[i * c + j] = from[i * z->x.row_stride + j] - mean[j];
    return 1;
}

/* A block of Z: in `buffer`, or where it stands when nothing has to be done to it. */
static const double *block_of(const ald_operator *z, int64_t i0, int64_t m, int64_t j0, int64_t c, double *buffer,
                              int64_t *stride)
{
    if (is_plain(z)) {
        *stride = z->x.row_stride;
        return (const double *)z->x.values + i0 * z->x.row_stride + j0;
    }
    *stride = c;
    if (copy_centred(z, i0, m, j0, c, buffer)) return buffer;
    copy_raw(&z->x, i0, m, j0, c, buffer);
    for (int64_t i = 0; i < m; i++) prepare_row(z, i0 + i, j0, c, buffer + i * c);
    return buffer;
}

/* Rows and columns of a block for a stretch of `cols` columns. */
static void block_shape(int64_t rows, int64_t cols, int64_t *m, int64_t *c)
{
    *c = least(cols, widest_block);
    *m = least(rows, *c ? (block_entries + *c - 1) / *c : 1);
    if (*m < 1) *m = 1;
}

typedef struct product {
    ald_run *run;
    const ald_operator *z;
    const double *in;
    int64_t k;
    double *out;
    const double *alpha; /* k, with u */
    double *u;           /* n x k, or NULL */
    double *sums;        /* parts - 1 copies of out, where parts add to the same result */
    double *buffers;     /* one of block_size a part */
    int64_t block_size;
    int parts;
    ald_status status[ALD_MOST_PARTS];
} product;

/* Work on `cut` rows or columns; a part has a buffer for a block and `more` doubles. */
static ald_status new_product(ald_run *run, const ald_operator *z, int64_t cut, int64_t more, product *p)
{
    p->run = run;
    p->z = z;
    p->parts = ald_parts(run->context, cut, thinnest_part);
    if ((double)z->x.rows * (double)z->x.cols < 1 << 16) p->parts = 1;
    p->block_size = block_entries + widest_block + more;
    memset(p->status, 0, sizeof p->status);
    return ald_scratch_reals(run, p->parts, p->block_size, &p->buffers);
}

static ald_status run_product(product *p, ald_part_fn part)
{
    ald_parallel(p->parts, part, p);
    for (int i = 0; i < p->parts; i++) ALD_TRY(p->status[i]);
    return ALD_OK;
}

static void apply_part(void *work, int part)
{
    product *p = work;
    const ald_operator *z = p->z;
    const int64_t begin = ald_part_begin(z->x.rows, p->parts, part),
                  end = ald_part_begin(z->x.rows, p->parts, part + 1);
    double *buffer = p->buffers + part * p->block_size;
    int64_t m, c, stride;
    block_shape(end - begin, z->x.cols, &m, &c);
    for (int64_t i = begin; i < end && p->status[part] >= 0; i += m)
        for (int64_t j = 0; j < z->x.cols && p->status[part] >= 0; j += c) {
            const int64_t rows = least(m, end - i), cols = least(c, z->x.cols - j);
            const double *block = block_of(z, i, rows, j, cols, buffer, &stride);
            p->status[part] =
                ald_backend_of(p->run)->gemm(p->run, 0, 0, rows, p->k, cols, 1.0, block, stride, p->in + j * p->k, p->k,
                                             j ? 1.0 : 0.0, p->out + i * p->k, p->k);
        }
}

static ald_status apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    product p = {.in = v, .k = k, .out = u};
    ALD_TRY(new_product(run, z, z->x.rows, 0, &p));
    return run_product(&p, apply_part);
}

static void apply_transposed_part(void *work, int part)
{
    product *p = work;
    const ald_operator *z = p->z;
    const int64_t begin = ald_part_begin(z->x.cols, p->parts, part),
                  end = ald_part_begin(z->x.cols, p->parts, part + 1);
    double *buffer = p->buffers + part * p->block_size;
    int64_t m, c, stride;
    block_shape(z->x.rows, end - begin, &m, &c);
    memset(p->out + begin * p->k, 0, (size_t)((end - begin) * p->k) * sizeof *p->out);
    for (int64_t i = 0; i < z->x.rows && p->status[part] >= 0; i += m)
        for (int64_t j = begin; j < end && p->status[part] >= 0; j += c) {
            const int64_t rows = least(m, z->x.rows - i), cols = least(c, end - j);
            const double *block = block_of(z, i, rows, j, cols, buffer, &stride);
            p->status[part] = ald_backend_of(p->run)->gemm(p->run, 1, 0, cols, p->k, rows, 1.0, block, stride,
                                                           p->in + i * p->k, p->k, 1.0, p->out + j * p->k, p->k);
        }
}

/* The same cut over rows, each part with a sum of its own: memory is read in one stretch. */
static void apply_transposed_rows_part(void *work, int part)
{
    product *p = work;
    const ald_operator *z = p->z;
    const int64_t d = z->x.cols, begin = ald_part_begin(z->x.rows, p->parts, part);
    const int64_t end = ald_part_begin(z->x.rows, p->parts, part + 1), step = least(end - begin, block_entries / d);
    double *buffer = p->buffers + part * p->block_size, *sums = part ? p->sums + (part - 1) * d * p->k : p->out;
    int64_t stride;
    memset(sums, 0, (size_t)(d * p->k) * sizeof *sums);
    for (int64_t i = begin; i < end && p->status[part] >= 0; i += step) {
        const int64_t rows = least(step, end - i);
        const double *block = block_of(z, i, rows, 0, d, buffer, &stride);
        p->status[part] = ald_backend_of(p->run)->gemm(p->run, 1, 0, d, p->k, rows, 1.0, block, stride,
                                                       p->in + i * p->k, p->k, 1.0, sums, p->k);
    }
}

/* Adds what the parts have summed. */
static void add_sums(const product *p, int64_t count)
{
    for (int part = 1; part < p->parts; part++)
        for (int64_t i = 0; i < count; i++) p->out[i] += p->sums[(part - 1) * count + i];
}

enum { small_sum = 1 << 16 }; /* entries of a result that each part may have a copy of */

static ald_status apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k, double *v)
{
    product p = {.in = u, .k = k, .out = v};
    const int64_t d = z->x.cols;
    const int by_rows = d <= block_entries / 8 && d * k <= small_sum;
    ALD_TRY(new_product(run, z, by_rows ? z->x.rows : d, 0, &p));
    if (!by_rows) return run_product(&p, apply_transposed_part);
    ALD_TRY(ald_scratch_reals(run, (p.parts - 1) * d, k, &p.sums));
    ALD_TRY(run_product(&p, apply_transposed_rows_part));
    add_sums(&p, d * k);
    return ALD_OK;
}

/* u_rows <- block v - u_rows diag(alpha); without u the product stays in the buffer. */
static ald_status advance_block(const product *p, const double *block, int64_t stride, int64_t rows, double *between,
                                double *u)
{
    ALD_TRY(ald_backend_of(p->run)->gemm(p->run, 0, 0, rows, p->k, p->z->x.cols, 1.0, block, stride, p->in, p->k, 0.0,
                                         between, p->k));
    for (int64_t i = 0; u && i < rows; i++)
        for (int64_t c = 0; c < p->k; c++) u[i * p->k + c] = between[i * p->k + c] -= p->alpha[c] * u[i * p->k + c];
    return ALD_OK;
}

/* Z'(Z v - u diag(alpha)): each block is multiplied twice while it is in cache. Parts are over rows, with a sum each.
 */
static void advance_part(void *work, int part)
{
    product *p = work;
    const ald_operator *z = p->z;
    const int64_t d = z->x.cols, begin = ald_part_begin(z->x.rows, p->parts, part);
    const int64_t end = ald_part_begin(z->x.rows, p->parts, part + 1), step = least(end - begin, block_entries / d);
    double *buffer = p->buffers + part * p->block_size, *sums = part ? p->sums + (part - 1) * d * p->k : p->out;
    double *between = buffer + step * d;
    int64_t stride;
    memset(sums, 0, (size_t)(d * p->k) * sizeof *sums);
    for (int64_t i = begin; i < end && p->status[part] >= 0; i += step) {
        const int64_t rows = least(step, end - i);
        const double *block = block_of(z, i, rows, 0, d, buffer, &stride);
        p->status[part] = advance_block(p, block, stride, rows, between, p->u ? p->u + i * p->k : NULL);
        if (p->status[part] >= 0)
            p->status[part] = ald_backend_of(p->run)->gemm(p->run, 1, 0, d, p->k, rows, 1.0, block, stride, between,
                                                           p->k, 1.0, sums, p->k);
    }
}

static ald_status advance(ald_run *run, const ald_operator *z, const double *v, int64_t k, const double *alpha,
                          double *u, double *w)
{
    product p = {.in = v, .k = k, .out = w, .alpha = alpha, .u = u};
    const int64_t d = z->x.cols;
    if (d > block_entries / 8)
        return ald_advance_in_two(run, z, v, k, alpha, u, w); /* too wide for several rows in cache */
    ALD_TRY(new_product(run, z, z->x.rows, block_entries / d * k, &p));
    ALD_TRY(ald_scratch_reals(run, (p.parts - 1) * d, k, &p.sums));
    ALD_TRY(run_product(&p, advance_part));
    add_sums(&p, d * k);
    return ALD_OK;
}

/* For the d^2 products the library's own threads do the work; blocks are prepared by ours. */
typedef struct preparation {
    const ald_operator *z;
    int64_t i0, m, j0, c;
    double *buffer;
    int parts;
} preparation;

static void prepare_part(void *work, int part)
{
    const preparation *p = work;
    const int64_t begin = ald_part_begin(p->m, p->parts, part), end = ald_part_begin(p->m, p->parts, part + 1);
    int64_t stride;
    if (end > begin) block_of(p->z, p->i0 + begin, end - begin, p->j0, p->c, p->buffer + begin * p->c, &stride);
}

static const double *prepare_block(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, int64_t j0, int64_t c,
                                   double *buffer, int64_t *stride)
{
    if (is_plain(z)) return block_of(z, i0, m, j0, c, buffer, stride);
    preparation p = {z, i0, m, j0, c, buffer, ald_parts(run->context, m * c, block_entries)};
    ald_parallel(p.parts, prepare_part, &p);
    *stride = c;
    return buffer;
}

enum { square_block_entries = 256 * 1024 };

/* Upper triangle of Z'Z (by blocks of whole rows) or Z Z' (by blocks of whole columns). */
static ald_status square(ald_run *run, const ald_operator *z, int transposed, double *c)
{
    const int64_t order = transposed ? z->x.cols : z->x.rows, length = transposed ? z->x.rows : z->x.cols;
    const int64_t step = least(length, order ? square_block_entries / order + 32 : 1);
    double *buffer;
    int64_t stride;
    memset(c, 0, (size_t)order * (size_t)order * sizeof *c);
    ALD_TRY(ald_scratch_reals(run, order, step, &buffer));
    for (int64_t at = 0; at < length; at += step) {
        const int64_t count = least(step, length - at);
        const double *block = transposed ? prepare_block(run, z, at, count, 0, order, buffer, &stride)
                                         : prepare_block(run, z, 0, order, at, count, buffer, &stride);
        ALD_TRY(ald_backend_of(run)->syrk(run, transposed, order, count, 1.0, block, stride, 1.0, c, order));
        ALD_TRY(ald_progress(run, "forming the scatter matrix", (double)(at + count) / (double)length));
    }
    return ALD_OK;
}

static ald_status scatter(ald_run *run, const ald_operator *z, double *c)
{
    return square(run, z, 1, c);
}

static ald_status gram(ald_run *run, const ald_operator *z, double *g)
{
    return square(run, z, 0, g);
}

static ald_status write_rows(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, double *rows)
{
    (void)run;
    if (copy_centred(z, i0, m, 0, z->x.cols, rows)) return ALD_OK;
    copy_raw(&z->x, i0, m, 0, z->x.cols, rows);
    for (int64_t i = 0; i < m; i++) prepare_row(z, i0 + i, 0, z->x.cols, rows + i * z->x.cols);
    return ALD_OK;
}

static ald_status square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    int64_t m, c, stride;
    double *buffer;
    ALD_TRY(ald_scratch_reals(run, block_entries + widest_block, 1, &buffer));
    block_shape(z->x.rows, z->x.cols, &m, &c);
    *sum = 0.0;
    for (int64_t i = 0; i < z->x.rows; i += m)
        for (int64_t j = 0; j < z->x.cols; j += c) {
            const int64_t rows = least(m, z->x.rows - i), cols = least(c, z->x.cols - j);
            const double *block = block_of(z, i, rows, j, cols, buffer, &stride);
            double part = 0.0;
            for (int64_t a = 0; a < rows; a++)
                for (int64_t b = 0; b < cols; b++) part += block[a * stride + b] * block[a * stride + b];
            *sum += part;
        }
    return ALD_OK;
}

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

static ald_status row_moments(ald_run *run, const ald_matrix *x, double *mean, double *deviation, double *length)
{
    double *row;
    ALD_TRY(ald_scratch_reals(run, x->cols, 1, &row));
    for (int64_t i = 0; i < x->rows; i++) {
        copy_raw(x, i, 1, 0, x->cols, row);
        moments_of_row(row, x->cols, mean ? mean + i : NULL, deviation ? deviation + i : NULL,
                       length ? length + i : NULL);
    }
    return ALD_OK;
}

typedef struct statistics {
    const ald_operator *z;
    const double *weights;
    ald_column_moments moments;
    double *base; /* cols: a value of each column (its first row, then its mean) that is subtracted before summing */
    double *buffers, *sums; /* sums: cols, of one block; a set a part when cut over rows */
    double *totals;         /* cut over rows: cols a part */
    int64_t block_size;
    int parts;
    int by_rows;
    int squares; /* sum squares into the deviation, not values into the mean */
} statistics;

/* Differences from a value of the column itself: a constant column sums to 0 exactly, and a large mean costs no digits.
 */
static void add_block(const statistics *s, const double *block, int64_t stride, int64_t i0, int64_t rows, int64_t j0,
                      int64_t cols, double *sums, double *out)
{
    const double *w = s->weights, *base = s->base + j0;
    memset(sums, 0, (size_t)cols * sizeof *sums);
    for (int64_t i = 0; i < rows; i++) {
        const double *row = block + i * stride, weight = w ? w[i0 + i] : 1.0;
        if (s->squares)
            for (int64_t j = 0; j < cols; j++) sums[j] += weight * (row[j] - base[j]) * (row[j] - base[j]);
        else if (w)
            for (int64_t j = 0; j < cols; j++) sums[j] += weight * (row[j] - base[j]);
        else
            for (int64_t j = 0; j < cols; j++) sums[j] += row[j] - base[j];
    }
    for (int64_t j = 0; j < cols; j++) out[j] += sums[j];
}

static void widen_range(const ald_column_moments *m, const double *block, int64_t stride, int64_t rows, int64_t j0,
                        int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const double entry = block[i * stride + j];
            if (entry < m->low[j0 + j]) m->low[j0 + j] = entry;
            if (entry > m->high[j0 + j]) m->high[j0 + j] = entry;
        }
}

/* The cut over columns; for rows that do not fit into a block, and where the range is wanted. */
static void statistics_part(void *work, int part)
{
    const statistics *s = work;
    const ald_operator *z = s->z;
    const int64_t begin = ald_part_begin(z->x.cols, s->parts, part),
                  end = ald_part_begin(z->x.cols, s->parts, part + 1);
    double *out = s->squares ? s->moments.deviation : s->moments.mean;
    int64_t m, c, stride;
    block_shape(z->x.rows, end - begin, &m, &c);
    for (int64_t i = 0; i < z->x.rows; i += m)
        for (int64_t j = begin; j < end; j += c) {
            const int64_t rows = least(m, z->x.rows - i), cols = least(c, end - j);
            const double *block = block_of(z, i, rows, j, cols, s->buffers + part * s->block_size, &stride);
            add_block(s, block, stride, i, rows, j, cols, s->sums + j, out + j);
            if (!s->squares && s->moments.low) widen_range(&s->moments, block, stride, rows, j, cols);
        }
}

/* The cut over rows: memory is read in one stretch. */
static void statistics_rows_part(void *work, int part)
{
    const statistics *s = work;
    const ald_operator *z = s->z;
    const int64_t d = z->x.cols, begin = ald_part_begin(z->x.rows, s->parts, part);
    const int64_t end = ald_part_begin(z->x.rows, s->parts, part + 1), step = least(end - begin, block_entries / d);
    double *totals = s->totals + part * d;
    int64_t stride;
    memset(totals, 0, (size_t)d * sizeof *totals);
    for (int64_t i = begin; i < end; i += step) {
        const int64_t rows = least(step, end - i);
        const double *block = block_of(z, i, rows, 0, d, s->buffers + part * s->block_size, &stride);
        add_block(s, block, stride, i, rows, 0, d, s->sums + part * d, totals);
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

static ald_status column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                    ald_column_moments moments)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    statistics s = {.z = z, .weights = weights, .moments = moments, .block_size = block_entries + widest_block};
    s.by_rows = !moments.low && d <= block_entries / 8;
    s.parts = (double)n * (double)d < 1 << 16 ? 1 : ald_parts(run->context, s.by_rows ? n : d, thinnest_part);
    ALD_TRY(ald_scratch_reals(run, s.parts, s.block_size, &s.buffers));
    ALD_TRY(ald_scratch_reals(run, s.by_rows ? s.parts : 1, d, &s.sums));
    ALD_TRY(ald_scratch_reals(run, s.by_rows ? s.parts : 1, d, &s.totals));
    ALD_TRY(ald_scratch_reals(run, d, 1, &s.base));
    ALD_TRY(write_rows(run, z, 0, 1, s.base));
    for (int64_t j = 0; j < d; j++) {
        moments.mean[j] = 0.0;
        if (moments.deviation) moments.deviation[j] = 0.0;
        if (moments.low) moments.low[j] = INFINITY;
        if (moments.high) moments.high[j] = -INFINITY;
    }
    sum_columns(&s);
    for (int64_t j = 0; j < d; j++) moments.mean[j] = s.base[j] + moments.mean[j] / (double)n;
    if (!moments.deviation) return ALD_OK;
    s.squares = 1;
    memcpy(s.base, moments.mean, (size_t)d * sizeof *s.base);
    sum_columns(&s);
    for (int64_t j = 0; j < d; j++) moments.deviation[j] = sqrt(moments.deviation[j] / (double)n);
    return ALD_OK;
}

/* 0 times a number is 0, and NaN otherwise: sums of such products tell of a stretch whether there is anything to look
 * for. */
static int stretch_is_finite(const ald_matrix *x, int64_t i, int64_t j0, int64_t c)
{
    double buffer[256], sum = 0.0;
    copy_raw(x, i, 1, j0, c, buffer);
    for (int64_t j = 0; j < c; j++) sum += 0.0 * buffer[j];
    return sum == 0.0;
}

static void find_bad(const ald_matrix *x, int64_t *row, int64_t *column)
{
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j0 = 0; j0 < x->cols; j0 += 256) {
            const int64_t c = least(256, x->cols - j0);
            if (stretch_is_finite(x, i, j0, c)) continue;
            for (int64_t j = j0; j < j0 + c; j++) {
                double entry;
                copy_raw(x, i, 1, j, 1, &entry);
                if (isfinite(entry)) continue;
                *row = i;
                *column = j;
                return;
            }
        }
}

const ald_storage_ops ald_dense_storage = {.apply = apply,
                                           .apply_transposed = apply_transposed,
                                           .advance = advance,
                                           .scatter = scatter,
                                           .gram = gram,
                                           .rows = write_rows,
                                           .square_norm = square_norm,
                                           .row_moments = row_moments,
                                           .column_statistics = column_statistics,
                                           .find_bad = find_bad};
