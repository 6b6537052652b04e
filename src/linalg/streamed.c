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

/* All the memory of a product, before ranks wait for each other: `count` numbers per part to sum in, and a
 * copy of what is multiplied. */
static ald_status prepare(ald_run *run, task *t, int64_t count, double **copy)
{
    const int parts = t->z->source->parts;
    *copy = NULL;
    if (ald_is_shared(t->z)) ALD_TRY(ald_scratch_reals(run, t->z->x.cols, t->k, copy));
    return ald_scratch_zeros(run, parts, count, &t->sums);
}

/* v (d x k) becomes that of rank 0. */
static ald_status hear_first(ald_run *run, task *t, double *copy)
{
    const size_t bytes = (size_t)(t->z->x.cols * t->k) * sizeof *copy;
    if (!copy) return ALD_OK;
    memcpy(copy, t->in, bytes);
    t->in = copy;
    return ald_shared_hear(run, t->z, copy, (int64_t)bytes);
}

/* A pass that reads v. */
static ald_status right_pass(ald_run *run, task *t, ald_source_fn visit, int64_t count)
{
    double *copy;
    ALD_TRY(ald_shared_agree(run, t->z, prepare(run, t, count, &copy)));
    ALD_TRY(hear_first(run, t, copy));
    return t->z->source->pass(run, t->z->source, visit, t);
}

/* A pass that reads rows of u, or nothing. */
static ald_status left_pass(ald_run *run, task *t, ald_source_fn visit, int64_t count)
{
    const ald_source *source = t->z->source;
    ALD_TRY(ald_shared_agree(run, t->z, ald_scratch_zeros(run, source->parts, count, &t->sums)));
    return source->pass(run, source, visit, t);
}

/* The sums of the parts, `count` numbers each, and of all ranks. */
static ald_status total_of(ald_run *run, const task *t, int64_t count, double *total)
{
    memset(total, 0, (size_t)count * sizeof *total);
    for (int part = 0; part < t->z->source->parts; part++) add(count, t->sums + part * count, total);
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
    task t = {.z = z, .in = v, .k = k, .u = u};
    return right_pass(run, &t, apply_block, 0);
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
    ALD_TRY(left_pass(run, &t, transposed_block, z->x.cols * k));
    return total_of(run, &t, z->x.cols * k, v);
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
    task t = {.z = z, .in = v, .k = k, .alpha = alpha, .u = u};
    ALD_TRY(right_pass(run, &t, advance_block, z->x.cols * k));
    return total_of(run, &t, z->x.cols * k, w);
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
    ALD_TRY(left_pass(run, &t, norm_block, 1));
    return total_of(run, &t, 1, sum);
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
