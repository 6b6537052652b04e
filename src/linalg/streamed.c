/* Streamed storage: products by one pass over the blocks of a source. Each block is an operator of its own,
 * dense or sparse, with the columns' mean and scale and its stretch of the row weights, and is multiplied as
 * such. Rows of results belong to blocks and are written in place; sums over rows are made a part, d x k
 * each, and added in the order of the parts, then over the ranks that share the rows. What would need rows or
 * their products in memory is refused. */
#include "linalg/shared_rows.h"
#include "linalg/source.h"
#include "linalg/storage.h"

#include <string.h>

typedef struct task {
    const ald_operator *z;
    const double *in; /* u (n x k) or v (d x k) */
    int64_t k;
    const double *alpha;
    double *u;    /* n x k; NULL: the product is not kept */
    double *sums; /* parts x d x k, or a number per part */
} task;

static void add(int64_t count, const double *from, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] += from[i];
}

/* v (d x k) as rank 0 has it, where ranks share the rows: a copy in scratch. */
static ald_status from_first(ald_run *run, task *t, const double *v)
{
    const int64_t count = t->z->x.cols * t->k;
    double *copy = NULL;
    t->in = v;
    if (!ald_is_shared(t->z)) return ALD_OK;
    ALD_TRY(ald_shared_agree(run, t->z, ald_scratch_reals(run, count, 1, &copy)));
    memcpy(copy, v, (size_t)count * sizeof *copy);
    t->in = copy;
    return ald_shared_hear(run, t->z, copy, count * (int64_t)sizeof *copy);
}

/* A pass with a sum of `count` numbers per part, the total in `total`. */
static ald_status sum_pass(ald_run *run, task *t, ald_source_fn visit, int64_t count, double *total)
{
    const ald_source *source = t->z->source;
    ALD_TRY(ald_shared_agree(run, t->z, ald_scratch_zeros(run, source->parts, count, &t->sums)));
    ALD_TRY(source->pass(run, source, visit, t));
    memset(total, 0, (size_t)count * sizeof *total);
    for (int part = 0; part < source->parts; part++) add(count, t->sums + part * count, total);
    return ald_shared_sum(run, t->z, total, count);
}

static ald_status apply_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = ald_source_block(t->z, first, rows);
    (void)part;
    return ald_operator_apply(run, &block, ald_of(t->in, t->z->x.cols, t->k),
                              ald_at(t->u + first * t->k, block.x.rows, t->k));
}

static ald_status streamed_apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    task t = {.z = z, .k = k, .u = u};
    ALD_TRY(from_first(run, &t, v));
    return z->source->pass(run, z->source, apply_block, &t);
}

static ald_status transposed_block(ald_run *run, void *work, int part, int64_t first,
                                   const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = ald_source_block(t->z, first, rows);
    const int64_t d = t->z->x.cols, count = d * t->k;
    double *sum;
    ALD_TRY(ald_scratch_reals(run, count, 1, &sum));
    ALD_TRY(ald_operator_apply_transposed(run, &block, ald_of(t->in + first * t->k, block.x.rows, t->k),
                                          ald_at(sum, d, t->k)));
    add(count, sum, t->sums + part * count);
    return ALD_OK;
}

static ald_status apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k, double *v)
{
    task t = {.z = z, .in = u, .k = k};
    return sum_pass(run, &t, transposed_block, z->x.cols * k, v);
}

static ald_status advance_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = ald_source_block(t->z, first, rows);
    const int64_t d = t->z->x.cols, count = d * t->k;
    double *sum;
    ALD_TRY(ald_scratch_reals(run, count, 1, &sum));
    const ald_area u = ald_at(t->u ? t->u + first * t->k : NULL, block.x.rows, t->k);
    ALD_TRY(ald_operator_advance(run, &block, ald_of(t->in, d, t->k), t->alpha, u, ald_at(sum, d, t->k)));
    add(count, sum, t->sums + part * count);
    return ALD_OK;
}

static ald_status streamed_advance(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                                   const double *alpha, double *u, double *w)
{
    task t = {.z = z, .k = k, .alpha = alpha, .u = u};
    ALD_TRY(from_first(run, &t, v));
    return sum_pass(run, &t, advance_block, z->x.cols * k, w);
}

static ald_status norm_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = ald_source_block(t->z, first, rows);
    double sum;
    ALD_TRY(ald_operator_square_norm(run, &block, &sum));
    t->sums[part] += sum;
    return ALD_OK;
}

static ald_status square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    task t = {.z = z};
    return sum_pass(run, &t, norm_block, 1, sum);
}

static ald_status refuse(ald_run *run, const ald_operator *z)
{
    return ald_fail(
        run->error, ALD_ERROR_UNSUPPORTED,
        "%lld columns are too many for a square of them, and the rows are not in memory: use an iterative "
        "solver (two-stage, lanczos), or do not stream",
        (long long)z->x.cols);
}

static ald_status refuse_square(ald_run *run, const ald_operator *z, double *c)
{
    (void)c;
    return refuse(run, z);
}

static ald_status refuse_scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                                 double *b)
{
    (void)h;
    (void)k;
    (void)c;
    (void)b;
    return refuse(run, z);
}

static ald_status refuse_rows(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, double *rows)
{
    (void)i0;
    (void)m;
    (void)rows;
    return refuse(run, z);
}

static ald_status refuse_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                    ald_column_moments moments)
{
    (void)weights;
    (void)moments;
    return refuse(run, z);
}

const ald_storage_ops ald_streamed_storage = {
    .apply = streamed_apply,
    .apply_transposed = apply_transposed,
    .advance = streamed_advance,
    .scatter = refuse_scatter,
    .gram = refuse_square,
    .rows = refuse_rows,
    .square_norm = square_norm,
    .column_statistics = refuse_statistics,
};
