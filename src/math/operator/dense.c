/* Dense storage: products, block by block (dense.h); those of one vector are in dense_single.c.
 *
 * Work is cut over rows for Z v and over columns for Z'u, so that threads write disjoint results; only the
 * fused product Z'(Z v) has a sum per thread. How it is cut depends on the number of threads and nothing
 * else. */
#include "math/operator/dense.h"

#include "base/numbers/ordering.h"
#include "base/threads/threads.h"
#include "math/linalg/few_columns.h"
#include "math/linalg/linalg.h"
#include "math/operator/operator.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What preparing an entry costs, in products with it. */
enum { overhead = 4 };

typedef struct product {
    ald_run *run;
    const ald_operator *z;
    const double *in;
    int64_t k;
    double *out;
    const double *alpha; /* k, with u */
    double *u;           /* n x k, or NULL */
    const double *v;     /* single: d, with the scales of the columns; NULL: Z'in */
    const ald_few *few;  /* `in`, where it has few columns */
    double *sums;        /* parts - 1 copies of out, where parts add to the same result */
    double *buffers;     /* one of block_size per part */
    int64_t block_size;
    int parts;
    atomic_int stopped; /* because the caller wanted it */
    ald_status status[ALD_MOST_PARTS];
} product;

/* Whether a part continues with its next block, of that many entries. Part 0 is on the caller's thread and
 * asks. */
static int goes_on(product *p, int part, int64_t entries)
{
    if (part == 0 && p->status[0] >= 0) {
        p->status[0] = ald_ask_after(p->run, (double)entries * (double)(p->k + overhead));
        if (p->status[0] < 0) atomic_store(&p->stopped, 1);
    }
    return p->status[part] >= 0 && !atomic_load(&p->stopped);
}

/* Work on `cut` rows or columns. */
static void begin_product(ald_run *run, const ald_operator *z, int64_t cut, product *p)
{
    p->run = run;
    p->z = z;
    p->parts = ald_parts(run, cut, ald_dense_thinnest_part);
    if ((double)z->x.rows * (double)z->x.cols < 1 << 16) p->parts = 1;
    memset(p->status, 0, sizeof p->status);
}

/* The same; a part has a buffer for a block and `more` doubles. */
static ald_status new_product(ald_run *run, const ald_operator *z, int64_t cut, int64_t more, product *p)
{
    begin_product(run, z, cut, p);
    p->block_size = ald_dense_block_entries + ald_dense_widest_block + more;
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
    int64_t m, c;
    ald_dense_block_shape(end - begin, z->x.cols, &m, &c);
    for (int64_t i = begin; i < end && goes_on(p, part, 0); i += m)
        for (int64_t j = 0; j < z->x.cols && goes_on(p, part, m * c); j += c) {
            const int64_t rows = ald_least(m, end - i), cols = ald_least(c, z->x.cols - j);
            const ald_view block = ald_dense_block(z, i, rows, j, cols, buffer);
            p->status[part] = ald_product_add(p->run, 1.0, block, ald_of(p->in + j * p->k, cols, p->k),
                                              j ? 1.0 : 0.0, ald_at(p->out + i * p->k, rows, p->k));
        }
}

static int64_t few_step(int64_t d)
{
    return 1 + ald_dense_block_entries / (d + 1);
}

/* Rows that stand side by side, and few columns. */
static void apply_few_columns_part(void *work, int part)
{
    product *p = work;
    const int64_t n = p->z->x.rows, d = p->z->x.cols, step = ald_few_tile_rows,
                  end = ald_part_begin(n, p->parts, part + 1);
    for (int64_t i = ald_part_begin(n, p->parts, part); i < end && goes_on(p, part, step * d); i += step)
        ald_few_multiply_columns(p->few, &p->z->x, i, ald_least(step, end - i),
                                 p->buffers + part * p->block_size, p->out + i * p->k);
}

/* Rows where they stand, and few columns. */
static void apply_few_part(void *work, int part)
{
    product *p = work;
    const int64_t n = p->z->x.rows, d = p->z->x.cols, step = few_step(d),
                  end = ald_part_begin(n, p->parts, part + 1);
    double *buffer = p->buffers + part * p->block_size;
    for (int64_t i = ald_part_begin(n, p->parts, part); i < end && goes_on(p, part, step * d); i += step) {
        const ald_matrix rows = ald_dense_standing(&p->z->x, i, ald_least(step, end - i), buffer);
        ald_few_multiply(p->few, &rows, 0, rows.rows, p->out + i * p->k);
    }
}

static ald_status dense_apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    product p = {.in = v, .k = k, .out = u};
    ald_few few;
    if (!ald_few_serve(run) || k > ald_few_most || z->row_shift || z->row_factor || z->row_weight) {
        ALD_TRY(new_product(run, z, z->x.rows, 0, &p));
        return run_product(&p, apply_part);
    }
    begin_product(run, z, z->x.rows, &p);
    const int by_columns = z->x.row_stride == 1 && z->x.col_stride != 1;
    if (z->x.col_stride != 1) p.block_size = ald_least(z->x.rows, few_step(z->x.cols)) * z->x.cols;
    if (by_columns) p.block_size = ald_few_tile_room;
    ALD_TRY(ald_scratch_reals(run, p.parts, p.block_size, &p.buffers));
    ALD_TRY(ald_few_pack(run, ald_of(v, z->x.cols, k), z->inverse_scale, z->mean, NULL, &few));
    p.few = &few;
    return run_product(&p, by_columns ? apply_few_columns_part : apply_few_part);
}

static void apply_transposed_part(void *work, int part)
{
    product *p = work;
    const ald_operator *z = p->z;
    const int64_t begin = ald_part_begin(z->x.cols, p->parts, part),
                  end = ald_part_begin(z->x.cols, p->parts, part + 1);
    double *buffer = p->buffers + part * p->block_size;
    int64_t m, c;
    ald_dense_block_shape(z->x.rows, end - begin, &m, &c);
    memset(p->out + begin * p->k, 0, (size_t)((end - begin) * p->k) * sizeof *p->out);
    for (int64_t i = 0; i < z->x.rows && goes_on(p, part, 0); i += m)
        for (int64_t j = begin; j < end && goes_on(p, part, m * c); j += c) {
            const int64_t rows = ald_least(m, z->x.rows - i), cols = ald_least(c, end - j);
            const ald_view block = ald_dense_block(z, i, rows, j, cols, buffer);
            p->status[part] = ald_product_add(p->run, 1.0, ald_t(block), ald_of(p->in + i * p->k, rows, p->k),
                                              1.0, ald_at(p->out + j * p->k, cols, p->k));
        }
}

/* What a part has to do when rows are cut: its rows, how many of them at once, room for them, and a sum of
 * its own. */
typedef struct stretch {
    int64_t begin, end, step;
    double *buffer, *sums;
} stretch;

static stretch begin_stretch(const product *p, int part)
{
    const int64_t d = p->z->x.cols, begin = ald_part_begin(p->z->x.rows, p->parts, part),
                  end = ald_part_begin(p->z->x.rows, p->parts, part + 1);
    double *sums = part ? p->sums + (part - 1) * d * p->k : p->out;
    memset(sums, 0, (size_t)(d * p->k) * sizeof *sums);
    return (stretch){
        begin, end, ald_least(end - begin, ald_dense_block_entries / d), p->buffers + part * p->block_size,
        sums,
    };
}

/* The same cut over rows: memory is read in one stretch. */
static void apply_transposed_rows_part(void *work, int part)
{
    product *p = work;
    const int64_t d = p->z->x.cols;
    const stretch s = begin_stretch(p, part);
    for (int64_t i = s.begin; i < s.end && goes_on(p, part, s.step * d); i += s.step) {
        const int64_t rows = ald_least(s.step, s.end - i);
        const ald_view block = ald_dense_block(p->z, i, rows, 0, d, s.buffer);
        p->status[part] = ald_product_add(p->run, 1.0, ald_t(block), ald_of(p->in + i * p->k, rows, p->k),
                                          1.0, ald_at(s.sums, d, p->k));
    }
}

/* Adds what the parts have summed. */
static void add_sums(const product *p, int64_t count)
{
    for (int part = 1; part < p->parts; part++)
        for (int64_t i = 0; i < count; i++) p->out[i] += p->sums[(part - 1) * count + i];
}

/* out (d) = the scales of the columns times `in`. */
static void scale_columns(const ald_operator *z, const double *in, double *out)
{
    for (int64_t j = 0; j < z->x.cols; j++) out[j] = z->inverse_scale ? z->inverse_scale[j] * in[j] : in[j];
}

/* Products with one vector and rows that stand as they are used. */
static void single_part(void *work, int part)
{
    product *p = work;
    const stretch s = begin_stretch(p, part);
    const ald_single given = {.in = p->in, .v = p->v, .alpha = p->alpha, .u = p->u, .room = s.buffer};
    for (int64_t i = s.begin; i < s.end && goes_on(p, part, s.step * p->z->x.cols); i += s.step)
        ald_single_add(p->z, &given, i, ald_least(s.step, s.end - i), s.sums);
}

/* out (d) = Z't for t = in, or Z'(Z v - alpha u) for v = in where `normal`. */
static ald_status single(ald_run *run, const ald_operator *z, int normal, product *p)
{
    double *scaled;
    ALD_TRY(new_product(run, z, z->x.rows, 0, p));
    ALD_TRY(ALD_SCRATCH(run, {&p->sums, p->parts - 1, z->x.cols}, {&scaled, z->x.cols, 1}));
    if (normal) scale_columns(z, p->in, scaled);
    p->v = normal ? scaled : NULL;
    ALD_TRY(run_product(p, single_part));
    add_sums(p, z->x.cols);
    scale_columns(z, p->out, p->out);
    return ALD_OK;
}

/* u <- between - u diag(alpha), which stands in both; without u nothing. */
static void subtract_known(const product *p, int64_t rows, double *between, double *u)
{
    for (int64_t i = 0; u && i < rows; i++)
        for (int64_t c = 0; c < p->k; c++)
            u[i * p->k + c] = between[i * p->k + c] -= p->alpha[c] * u[i * p->k + c];
}

/* Few columns, with sums that stand as k x d: parts have some of the columns, */
static void few_transposed_part(void *work, int part)
{
    product *p = work;
    const int64_t d = p->z->x.cols, begin = ald_part_begin(d, p->parts, part), step = few_step(d);
    const size_t size = p->z->x.type == ALD_F64 ? sizeof(double) : sizeof(float);
    ald_matrix own = p->z->x;
    own.cols = ald_part_begin(d, p->parts, part + 1) - begin;
    own.values = (const char *)own.values + begin * own.col_stride * (ptrdiff_t)size;
    for (int64_t i = 0; i < own.rows && goes_on(p, part, step * own.cols); i += step) {
        const ald_matrix rows =
            ald_dense_standing(&own, i, ald_least(step, own.rows - i), p->buffers + part * p->block_size);
        ald_dense_few_add(&rows, p->z->mean + begin, p->in + i * p->k, p->k, p->sums + begin, d);
    }
}

/* or some of the rows, with Z v before it where `few` has v. */
static void few_advance_part(void *work, int part)
{
    product *p = work;
    const int64_t d = p->z->x.cols, step = few_step(d), begin = ald_part_begin(p->z->x.rows, p->parts, part),
                  end = ald_part_begin(p->z->x.rows, p->parts, part + 1);
    double *between = p->buffers + part * p->block_size, *room = between + step * p->k;
    for (int64_t i = begin; i < end && goes_on(p, part, step * d); i += step) {
        const ald_matrix rows = ald_dense_standing(&p->z->x, i, ald_least(step, end - i), room);
        const double *t = p->few ? between : p->in + i * p->k;
        if (p->few) ald_few_multiply(p->few, &rows, 0, rows.rows, between);
        if (p->few) subtract_known(p, rows.rows, between, p->u ? p->u + i * p->k : NULL);
        ald_dense_few_add(&rows, p->z->mean, t, p->k, p->sums + part * d * p->k, d);
    }
}

/* out (d x k) from sums (k x d) of `count` parts, with the scales of the columns. */
static void turn_sums(const product *p, int count)
{
    const int64_t d = p->z->x.cols, k = p->k;
    for (int part = 1; part < count; part++)
        for (int64_t e = 0; e < d * k; e++) p->sums[e] += p->sums[part * d * k + e];
    for (int64_t j = 0; j < d; j++)
        for (int64_t c = 0; c < k; c++)
            p->out[j * k + c] = p->sums[c * d + j] * (p->z->inverse_scale ? p->z->inverse_scale[j] : 1.0);
}

/* Room of a part for products, and for rows where they do not stand side by side. */
static ald_status begin_few(ald_run *run, const ald_operator *z, int by_rows, product *p)
{
    const int64_t d = z->x.cols, step = few_step(d);
    begin_product(run, z, by_rows ? z->x.rows : d, p);
    p->block_size = step * (p->k + (z->x.col_stride == 1 ? 0 : d));
    ALD_TRY(ald_scratch_reals(run, p->parts, p->block_size, &p->buffers));
    return ald_scratch_zeros(run, (by_rows ? p->parts : 1) * p->k, d, &p->sums);
}

static ald_status few_transposed(ald_run *run, const ald_operator *z, int by_rows, product *p)
{
    ALD_TRY(begin_few(run, z, by_rows, p));
    ALD_TRY(run_product(p, by_rows ? few_advance_part : few_transposed_part));
    turn_sums(p, by_rows ? p->parts : 1);
    return ALD_OK;
}

static ald_status few_advance(ald_run *run, const ald_operator *z, product *p)
{
    ald_few few;
    ALD_TRY(begin_few(run, z, 1, p));
    ALD_TRY(ald_few_pack(run, ald_of(p->in, z->x.cols, p->k), z->inverse_scale, z->mean, NULL, &few));
    p->few = &few;
    ALD_TRY(run_product(p, few_advance_part));
    turn_sums(p, p->parts);
    return ALD_OK;
}

enum { small_sum = 1 << 16 }; /* entries of a result that each part may have a copy of */

static ald_status apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k, double *v)
{
    product p = {.in = u, .k = k, .out = v};
    const int64_t d = z->x.cols;
    const int by_rows = d <= ald_dense_block_entries / 8 && d * k <= small_sum;
    if (by_rows && k == 1 && ald_single_serves(z)) return single(run, z, 0, &p);
    if (ald_dense_few_serves(run, z, k)) return few_transposed(run, z, by_rows, &p);
    ALD_TRY(new_product(run, z, by_rows ? z->x.rows : d, 0, &p));
    if (!by_rows) return run_product(&p, apply_transposed_part);
    ALD_TRY(ald_scratch_reals(run, (p.parts - 1) * d, k, &p.sums));
    ALD_TRY(run_product(&p, apply_transposed_rows_part));
    add_sums(&p, d * k);
    return ALD_OK;
}

/* u_rows <- block v - u_rows diag(alpha); without u the product stays in the buffer. */
static ald_status advance_block(const product *p, ald_view block, double *between, double *u)
{
    ALD_TRY(ald_product(p->run, block, ald_of(p->in, block.cols, p->k), ald_at(between, block.rows, p->k)));
    subtract_known(p, block.rows, between, u);
    return ALD_OK;
}

/* Z'(Z v - u diag(alpha)): each block is multiplied twice while it is in cache. Parts are over rows, with a
 * sum each.
 */
static void advance_part(void *work, int part)
{
    product *p = work;
    const int64_t d = p->z->x.cols;
    const stretch s = begin_stretch(p, part);
    double *between = s.buffer + s.step * d;
    for (int64_t i = s.begin; i < s.end && goes_on(p, part, s.step * d); i += s.step) {
        const int64_t rows = ald_least(s.step, s.end - i);
        const ald_view block = ald_dense_block(p->z, i, rows, 0, d, s.buffer);
        p->status[part] = advance_block(p, block, between, p->u ? p->u + i * p->k : NULL);
        if (p->status[part] >= 0)
            p->status[part] = ald_product_add(p->run, 1.0, ald_t(block), ald_of(between, rows, p->k), 1.0,
                                              ald_at(s.sums, d, p->k));
    }
}

int ald_dense_advances_at_once(const ald_operator *z)
{
    return z->x.cols <= ald_dense_block_entries / 8;
}

static ald_status dense_advance(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                                const double *alpha, double *u, double *w)
{
    product p = {.in = v, .k = k, .out = w, .alpha = alpha, .u = u};
    const int64_t d = z->x.cols;
    if (!ald_dense_advances_at_once(z)) return ald_advance_in_two(run, z, v, k, alpha, u, w);
    if (k == 1 && ald_single_serves(z)) return single(run, z, 1, &p);
    if (ald_dense_few_serves(run, z, k)) return few_advance(run, z, &p);
    ALD_TRY(new_product(run, z, z->x.rows, ald_dense_block_entries / d * k, &p));
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
    const int64_t begin = ald_part_begin(p->m, p->parts, part),
                  end = ald_part_begin(p->m, p->parts, part + 1);
    if (end > begin) ald_dense_block(p->z, p->i0 + begin, end - begin, p->j0, p->c, p->buffer + begin * p->c);
}

static ald_view prepare_block(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, int64_t j0,
                              int64_t c, double *buffer)
{
    if (ald_dense_is_plain(z)) return ald_dense_block(z, i0, m, j0, c, buffer);
    preparation p = {z, i0, m, j0, c, buffer, ald_parts(run, m * c, ald_dense_block_entries)};
    ald_parallel(p.parts, prepare_part, &p);
    return ald_of(buffer, m, c);
}

enum { square_block_entries = 256 * 1024 };

/* Upper triangle of Z'Z (by blocks of whole rows) or Z Z' (by blocks of whole columns). */
static ald_status square(ald_run *run, const ald_operator *z, int transposed, double *c)
{
    const int64_t order = transposed ? z->x.cols : z->x.rows, length = transposed ? z->x.rows : z->x.cols;
    const int64_t step = ald_least(length, order ? square_block_entries / order + 32 : 1);
    double *buffer;
    memset(c, 0, (size_t)order * (size_t)order * sizeof *c);
    ALD_TRY(ald_scratch_reals(run, order, step, &buffer));
    for (int64_t at = 0; at < length; at += step) {
        const int64_t count = ald_least(step, length - at);
        const ald_view block = transposed ? prepare_block(run, z, at, count, 0, order, buffer)
                                          : ald_t(prepare_block(run, z, 0, order, at, count, buffer));
        if (transposed && ald_few_serve(run) && ald_few_gram_serves(order))
            ald_few_gram(count, order, block.data, block.stride, c, order);
        else
            ALD_TRY(ald_gram_add(run, 1.0, block, 1.0, ald_at(c, order, order)));
        ALD_TRY(ald_progress(run, "forming the scatter matrix", (double)(at + count) / (double)length));
    }
    return ALD_OK;
}

static ald_status scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                          double *b)
{
    if (ald_dense_scatters(run, z)) return ald_dense_scatter(run, z, h, k, c, b);
    if (k > 0) ALD_TRY(apply_transposed(run, z, h, k, b));
    return square(run, z, 1, c);
}

static ald_status gram(ald_run *run, const ald_operator *z, double *g)
{
    return square(run, z, 0, g);
}

const ald_storage_ops ald_dense_storage = {
    .apply = dense_apply,
    .apply_transposed = apply_transposed,
    .advance = dense_advance,
    .scatter = scatter,
    .gram = gram,
    .rows = ald_dense_rows,
    .square_norm = ald_dense_square_norm,
    .row_moments = ald_dense_row_moments,
    .column_statistics = ald_dense_column_statistics,
    .find_bad = ald_dense_find_bad,
};
