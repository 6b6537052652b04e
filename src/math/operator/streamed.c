/* Streamed storage: products by one pass over the blocks of a source. Each block is an operator of its own,
 * dense or sparse, with its stretch of the row weights. Dense ones have the columns' mean and scale as well
 * and are multiplied as such. For sparse ones these enter once a pass, not once a block, whose rows name few
 * of the columns: with B = F rows as the blocks are and f = F 1,
 *
 *   Z v = B (D v) - f (m'D v),    Z'u = D (B'u - m (f'u)).
 *
 * Rows of results belong to blocks and are written in place; sums over rows are made a part, d x k each, and
 * added in the order of the parts, then over all rows where they are divided. What would need rows or their
 * products in memory is refused. A product that the logbook has is not formed again. */
#include "math/operator/all_rows.h"
#include "math/operator/logbook.h"
#include "math/operator/source.h"
#include "math/operator/sparse.h"
#include "math/operator/storage.h"
#include "math/operator/vector_panels.h"

#include <string.h>

typedef struct task {
    const ald_operator *z;
    const double *in; /* u (n x k) or v (d x k) */
    int64_t k;
    const double *alpha;
    double *u;     /* n x k; NULL: the product is not kept */
    double *sums;  /* parts x d x k, or a number per part */
    int apart;     /* mean and scale enter once a pass */
    double *right; /* d x k: v as it is settled (all_rows.h), or D v */
    double *means; /* k: m'D v */
    double *along; /* parts x k: f'u */
} task;

/* The rows of a block as they are in Z, or without what is left to the end of the pass. */
static ald_operator block_of(const task *t, int64_t first, const ald_operator *rows)
{
    ald_operator block = ald_source_block(t->z, first, rows);
    if (t->apart) block.mean = block.inverse_scale = NULL;
    return block;
}

static void add(int64_t count, const double *from, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] += from[i];
}

/* All the memory of a product, before the pass: `count` numbers per part to sum in. */
static ald_status prepare(ald_run *run, task *t, int64_t count, int reads_v)
{
    const int parts = t->z->source->parts;
    t->apart = t->k > 0 && t->z->x.storage != ALD_DENSE;
    if (reads_v) ALD_TRY(ald_scratch_reals(run, t->z->x.cols, t->k, &t->right));
    ALD_TRY(ald_scratch_zeros(run, t->k, 1, &t->means));
    ALD_TRY(ald_scratch_zeros(run, parts, t->k, &t->along));
    return ald_scratch_zeros(run, parts, count, &t->sums);
}

/* v (d x k), settled, times D where that is not left to the blocks. */
static ald_status set_right(ald_run *run, task *t)
{
    const int64_t d = t->z->x.cols, k = t->k;
    const double *scale = t->z->inverse_scale, *mean = t->z->mean;
    memcpy(t->right, t->in, (size_t)(d * k) * sizeof *t->right);
    t->in = t->right;
    ALD_TRY(ald_rows_settle(run, t->z, t->right, d * k * (int64_t)sizeof *t->right));
    for (int64_t j = 0; t->apart && scale && j < d; j++)
        for (int64_t c = 0; c < k; c++) t->right[j * k + c] *= scale[j];
    for (int64_t j = 0; t->apart && mean && j < d; j++)
        for (int64_t c = 0; c < k; c++) t->means[c] += mean[j] * t->right[j * k + c];
    return ALD_OK;
}

/* A sum over v, and over alpha if it is read; of use only where it is the same for all parts of the rows. */
static uint64_t input_of(const ald_operator *z, const double *v, int64_t k, const double *alpha)
{
    if (!ald_logbook_of(z)) return 0;
    return ald_hash_reals(ald_hash_reals((uint64_t)k, v, z->x.cols * k), alpha, k);
}

/* The rows as they are visited: what the parts sum, and rows of u. */
static ald_status pass_over(ald_run *run, const task *t, ald_source_fn visit, int64_t count, uint64_t input)
{
    const ald_source *source = t->z->source;
    const int64_t n = t->z->x.rows, k = t->k, real = (int64_t)sizeof(double);
    const ald_piece pieces[] = {
        {t->sums, source->parts * count * real, ALD_OWN},
        {t->along, source->parts * k * real, ALD_OWN},
        {t->u, t->u ? n * k * real : 0, ALD_OWN},
    };
    const ald_partial partial = {.pieces = pieces, .n_pieces = 3, .input = input};
    return source->pass(run, source, visit, (void *)(uintptr_t)t, &partial);
}

/* A pass that reads v. */
static ald_status right_pass(ald_run *run, task *t, ald_source_fn visit, int64_t count)
{
    ALD_TRY(ald_rows_agree(run, t->z, prepare(run, t, count, 1)));
    ALD_TRY(set_right(run, t));
    uint64_t input = input_of(t->z, t->in, t->k, t->alpha);
    if (input && t->u && t->alpha) input = ald_hash_reals(input, t->u, t->z->x.rows * t->k);
    return pass_over(run, t, visit, count, input);
}

/* A pass that reads rows of u, or nothing. */
static ald_status left_pass(ald_run *run, task *t, ald_source_fn visit, int64_t count)
{
    ALD_TRY(ald_rows_agree(run, t->z, prepare(run, t, count, 0)));
    const uint64_t left = (uint64_t)1 << 32; /* no v has this sum */
    const int64_t values = t->in ? t->z->x.rows * t->k : 0;
    const uint64_t input = ald_logbook_of(t->z) ? ald_hash_reals(left + (uint64_t)t->k, t->in, values) : 0;
    return pass_over(run, t, visit, count, input);
}

/* total (d x k) <- D (total - m (f'u)), where that was left to the end. */
static void finish_columns(const task *t, double *total)
{
    const double *scale = t->z->inverse_scale, *mean = t->z->mean;
    const int64_t k = t->k;
    for (int part = 1; part < t->z->source->parts; part++) add(k, t->along + part * k, t->along);
    for (int64_t j = 0; t->apart && j < t->z->x.cols; j++)
        for (int64_t c = 0; c < k; c++) {
            const double centred = total[j * k + c] - (mean ? mean[j] * t->along[c] : 0.0);
            total[j * k + c] = scale ? scale[j] * centred : centred;
        }
}

/* The sums of the parts, `count` numbers each, over all rows. */
static ald_status total_of(ald_run *run, const task *t, int64_t count, double *total)
{
    memcpy(total, t->sums, (size_t)count * sizeof *total);
    for (int part = 1; part < t->z->source->parts; part++) add(count, t->sums + part * count, total);
    finish_columns(t, total);
    return ald_rows_sum(run, t->z, total, count);
}

/* u (rows of the block x k) = Z v. */
static ald_status apply_rows(ald_run *run, const task *t, const ald_operator *block, double *u)
{
    const int64_t n = block->x.rows, k = t->k;
    ALD_TRY(ald_operator_apply(run, block, ald_of(t->in, t->z->x.cols, k), ald_at(u, n, k)));
    for (int64_t i = 0; t->apart && i < n; i++)
        for (int64_t c = 0; c < k; c++) u[i * k + c] -= ald_row_weight(block, i) * t->means[c];
    return ALD_OK;
}

/* The sums of the part += Z'u, u of the rows of the block. */
static ald_status add_rows(ald_run *run, const task *t, int part, const ald_operator *block, const double *u)
{
    const int64_t n = block->x.rows, d = t->z->x.cols, k = t->k;
    double *sums = t->sums + part * d * k, *own;
    for (int64_t i = 0; t->apart && i < n; i++)
        for (int64_t c = 0; c < k; c++) t->along[part * k + c] += ald_row_weight(block, i) * u[i * k + c];
    if (t->apart && block->x.storage == ALD_CSR && !block->row_shift && !ald_panels_with(run, block).z)
        return ald_sparse_add_transposed(run, block, u, k, sums);
    ALD_TRY(ald_scratch_reals(run, d, k, &own));
    ALD_TRY(ald_operator_apply_transposed(run, block, ald_of(u, n, k), ald_at(own, d, k)));
    add(d * k, own, sums);
    return ALD_OK;
}

static ald_status apply_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = block_of(t, first, rows);
    (void)part;
    return apply_rows(run, t, &block, t->u + first * t->k);
}

static int64_t bytes_of(int64_t rows, int64_t k)
{
    return rows * k * (int64_t)sizeof(double);
}

static ald_status streamed_apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    const ald_piece result = {u, bytes_of(z->x.rows, k), ALD_OWN};
    const ald_step step = {
        .name = "Z v",
        .input = input_of(z, v, k, NULL),
        .pieces = &result,
        .n_pieces = 1,
    };
    task t = {.z = z, .in = v, .k = k, .u = u};
    int found;
    ALD_TRY(ald_recall(run, ald_logbook_of(z), &step, &found));
    if (found) return ALD_OK;
    ALD_TRY(right_pass(run, &t, apply_block, 0));
    return ald_log_step(run, ald_logbook_of(z), &step);
}

static ald_status transposed_block(ald_run *run, void *work, int part, int64_t first,
                                   const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = block_of(t, first, rows);
    return add_rows(run, t, part, &block, t->in + first * t->k);
}

static ald_status apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k, double *v)
{
    const ald_piece result = {v, bytes_of(z->x.cols, k), ALD_ALIKE};
    const ald_step step = {.name = "Z'u", .pieces = &result, .n_pieces = 1};
    task t = {.z = z, .in = u, .k = k};
    int found;
    ALD_TRY(ald_recall(run, ald_logbook_of(z), &step, &found));
    if (found) return ALD_OK;
    ALD_TRY(left_pass(run, &t, transposed_block, z->x.cols * k));
    ALD_TRY(total_of(run, &t, z->x.cols * k, v));
    return ald_log_step(run, ald_logbook_of(z), &step);
}

/* Dense rows are read once for both products. */
static ald_status advance_dense(ald_run *run, const task *t, int part, const ald_operator *block, ald_area u)
{
    const int64_t d = t->z->x.cols, k = t->k;
    double *sum;
    ALD_TRY(ald_scratch_reals(run, d, k, &sum));
    ALD_TRY(ald_operator_advance(run, block, ald_of(t->in, d, k), t->alpha, u, ald_at(sum, d, k)));
    add(d * k, sum, t->sums + part * d * k);
    return ALD_OK;
}

static ald_status advance_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = block_of(t, first, rows);
    const int64_t n = block.x.rows, k = t->k;
    double *product, *u = t->u ? t->u + first * k : NULL;
    if (!t->apart) return advance_dense(run, t, part, &block, ald_at(u, n, k));
    ALD_TRY(ald_scratch_reals(run, n, k, &product));
    ALD_TRY(apply_rows(run, t, &block, product));
    for (int64_t i = 0; u && i < n; i++)
        for (int64_t c = 0; c < k; c++) u[i * k + c] = product[i * k + c] - t->alpha[c] * u[i * k + c];
    return add_rows(run, t, part, &block, u ? u : product);
}

static ald_status streamed_advance(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                                   const double *alpha, double *u, double *w)
{
    const ald_piece results[] = {
        {w, bytes_of(z->x.cols, k), ALD_ALIKE},
        {u, bytes_of(z->x.rows, k), ALD_OWN},
    };
    const ald_step step = {
        .name = u ? "Z v and Z'u" : "Z'Z v",
        .input = input_of(z, v, k, alpha),
        .pieces = results,
        .n_pieces = u ? 2 : 1,
    };
    task t = {.z = z, .in = v, .k = k, .alpha = alpha, .u = u};
    int found;
    ALD_TRY(ald_recall(run, ald_logbook_of(z), &step, &found));
    if (found) return ALD_OK;
    ALD_TRY(right_pass(run, &t, advance_block, z->x.cols * k));
    ALD_TRY(total_of(run, &t, z->x.cols * k, w));
    return ald_log_step(run, ald_logbook_of(z), &step);
}

static ald_status norm_block(ald_run *run, void *work, int part, int64_t first, const ald_operator *rows)
{
    const task *t = work;
    const ald_operator block = block_of(t, first, rows);
    double sum;
    ALD_TRY(ald_operator_square_norm(run, &block, &sum));
    t->sums[part] += sum;
    return ALD_OK;
}

static ald_status square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    const ald_step step = {.name = "|Z|^2", .head = sum, .head_size = sizeof *sum};
    task t = {.z = z};
    int found;
    ALD_TRY(ald_recall(run, ald_logbook_of(z), &step, &found));
    if (found) return ALD_OK;
    ALD_TRY(left_pass(run, &t, norm_block, 1));
    ALD_TRY(total_of(run, &t, 1, sum));
    return ald_log_step(run, ald_logbook_of(z), &step);
}

const ald_storage_ops ald_streamed_storage = {
    .apply = streamed_apply,
    .apply_transposed = apply_transposed,
    .advance = streamed_advance,
    .square_norm = square_norm,
    .lacks = "the rows are not in memory, and a square matrix of all columns would be too large: use an "
             "iterative solver (two-stage, lanczos), or do not stream",
};
