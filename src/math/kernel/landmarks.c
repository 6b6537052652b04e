/* Landmarks as rows, dense or sparse, and blocks of kernel values with them (landmarks.h). */
#include "math/kernel/landmarks.h"

#include "base/core/tryout.h"
#include "base/numbers/hash.h"
#include "base/numbers/ordering.h"
#include "base/threads/threads.h"
#include "math/kernel/gram.h"
#include "math/kernel/rows.h"
#include "math/kernel/tiles.h"
#include "math/linalg/linalg.h"
#include "math/operator/all_rows.h"
#include "math/operator/dense.h"

#include <string.h>

ald_status ald_kernel_rows(ald_run *run, const ald_kernel *kernel, const double *shift, ald_operator *z)
{
    z->mean = shift;
    z->row_weight = NULL;
    if (z->x.storage == ALD_DENSE) return ALD_OK;
    if (ald_kernel_is_city(kernel) || kernel->kind == ALD_KERNEL_PRECOMPUTED)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "`kernel=%s` needs dense rows, and X is sparse: use `kernel=rbf`, or make X dense",
                        kernel->kind == ALD_KERNEL_PRECOMPUTED ? "precomputed" : "laplacian");
    if (ald_kernel_is_shift_invariant(kernel)) z->mean = NULL;
    return ald_rows_as_csr(run, &z->x, &z->x);
}

/* Whether the mean is so near that differences of square lengths lose no more than two bits by it: it is at
 * most twice as far from 0 as rows are from it. */
static int is_near(const ald_landmarks *l)
{
    double mean = 0.0, all = 0.0;
    for (int64_t j = 0; j < l->d; j++) mean += l->centre[j] * l->centre[j];
    for (int64_t i = 0; i < l->m; i++) all += l->squares[i] / (double)l->m;
    return 5.0 * mean <= 4.0 * all;
}

/* The mean is taken off where the kernel allows it and it is worth a copy of the rows. */
static ald_status centre_rows(ald_run *run, const ald_kernel *kernel, ald_landmarks *l)
{
    const ald_operator plain = {.x = ald_matrix_row_major(l->prepared, l->m, l->d, l->d)};
    ald_operator centred = plain;
    double *rows;
    l->rows = l->prepared;
    ALD_TRY(ald_tiles_rows(run, &plain, 0, l->m, NULL, l->squares));
    if (!ald_kernel_is_shift_invariant(kernel)) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, l->d, 1, &l->centre));
    ALD_TRY(ald_tiles_mean(run, ald_of(l->prepared, l->m, l->d), l->centre));
    if (is_near(l)) {
        l->centre = NULL;
        return ALD_OK;
    }
    ALD_TRY(ald_scratch_reals(run, l->m, l->d, &rows));
    centred.mean = l->centre;
    l->rows = rows;
    return ald_tiles_rows(run, &centred, 0, l->m, rows, l->squares);
}

ald_status ald_landmarks_of_rows(ald_run *run, const ald_kernel *kernel, int64_t m, int64_t d,
                                 const double *prepared, ald_landmarks *l)
{
    *l = (ald_landmarks){.m = m, .d = d, .prepared = prepared};
    ALD_TRY(ald_scratch_reals(run, m, 1, &l->squares));
    return centre_rows(run, kernel, l);
}

ald_status ald_landmarks_of_csr(ald_run *run, const ald_matrix *csr, ald_landmarks *l)
{
    const ald_operator z = {.x = *csr};
    *l = (ald_landmarks){.m = csr->rows, .d = csr->cols, .sparse = *csr};
    ALD_TRY(ald_scratch_reals(run, l->m, 1, &l->squares));
    ald_rows_squares_csr(&z, 0, l->m, l->squares);
    return ALD_OK;
}

/* Rows without a shift, prepared, as CSR. */
static ald_status take_csr(ald_run *run, const ald_operator *z, int64_t m, const int64_t *which,
                           ald_landmarks *l)
{
    const int64_t *from = z->x.pointers, *columns = z->x.indices;
    const double *entries = z->x.values;
    int64_t *pointers, *indices;
    int64_t count = 0;
    double *values;
    for (int64_t i = 0; i < m; i++) count += from[(which ? which[i] : i) + 1] - from[which ? which[i] : i];
    ALD_TRY(ald_scratch(run, m + 1, 1, sizeof *pointers, &pointers));
    ALD_TRY(ald_scratch(run, count, 1, sizeof *indices, &indices));
    ALD_TRY(ald_scratch_reals(run, count, 1, &values));
    pointers[0] = count = 0;
    for (int64_t i = 0; i < m; i++) {
        const int64_t row = which ? which[i] : i;
        for (int64_t e = from[row]; e < from[row + 1]; e++, count++) {
            indices[count] = columns[e];
            values[count] = entries[e] * (z->row_factor ? z->row_factor[row] : 1.0) *
                            (z->inverse_scale ? z->inverse_scale[columns[e]] : 1.0);
        }
        pointers[i + 1] = count;
    }
    const ald_matrix csr = ald_matrix_csr(m, z->x.cols, pointers, indices, values);
    return ald_landmarks_of_csr(run, &csr, l);
}

/* Whether all rows serve where they are. What a comparison keeps outlives them. */
static int stand_ready(const ald_run *run, const ald_operator *z, const int64_t *which)
{
    return !which && !ald_tryout_shares(run) && z->x.storage == ALD_DENSE && !z->source &&
           ald_dense_is_plain(z) && z->x.row_stride == z->x.cols;
}

ald_status ald_landmarks_take(ald_run *run, const ald_kernel *kernel, const ald_operator *z, int64_t m,
                              const int64_t *which, ald_landmarks *l)
{
    const int64_t d = z->x.cols;
    ald_operator taken;
    double *rows;
    if (kernel->kind == ALD_KERNEL_PRECOMPUTED) {
        *l = (ald_landmarks){.m = m, .d = d};
        return ALD_OK;
    }
    if (z->remote) {
        ALD_TRY(z->remote->take(run, z->remote, z, m, which, &taken));
        return ald_landmarks_take(run, kernel, &taken, m, NULL, l);
    }
    const int dense = z->x.storage == ALD_DENSE;
    if (!dense && !z->mean && !z->row_shift) return take_csr(run, z, m, which, l);
    if (stand_ready(run, z, which)) return ald_landmarks_of_rows(run, kernel, m, d, z->x.values, l);
    ALD_TRY(ald_scratch_reals(run, m, d, &rows));
    if (dense && !which && !z->source) {
        ALD_TRY(ald_tiles_rows(run, z, 0, m, rows, NULL));
        return ald_landmarks_of_rows(run, kernel, m, d, rows, l);
    }
    for (int64_t i = 0; i < m; i++) {
        const int64_t row = which ? which[i] : i;
        if (dense)
            ALD_TRY(ald_operator_rows(run, z, row, ald_at(rows + i * d, 1, d)));
        else
            ald_rows_write_csr(z, row, 1, rows + i * d);
    }
    return ald_landmarks_of_rows(run, kernel, m, d, rows, l);
}

ald_operator ald_landmarks_operator(const ald_landmarks *l)
{
    ald_operator z = {.x = l->sparse};
    if (l->prepared) z.x = ald_matrix_row_major(l->prepared, l->m, l->d, l->d);
    return z;
}

/* A block at work: rows of z, written out where z is dense, and their square lengths. */
typedef struct comparison {
    const ald_kernel_block *b;
    ald_operator z; /* the rows of the block, less the centre of the landmarks */
    double *rows;   /* count x d, or NULL */
    double *squares;
    int parts;
} comparison;

/* The centre is in scaled units: (x - mean) / scale - centre = (x - (mean + centre scale)) / scale. */
ald_status ald_landmarks_shift(ald_run *run, const ald_landmarks *l, ald_operator *z)
{
    double *mean;
    if (!l->centre) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, l->d, 1, &mean));
    for (int64_t j = 0; j < l->d; j++)
        mean[j] =
            (z->mean ? z->mean[j] : 0.0) + l->centre[j] / (z->inverse_scale ? z->inverse_scale[j] : 1.0);
    z->mean = mean;
    return ALD_OK;
}

static ald_status begin(ald_run *run, comparison *c)
{
    const ald_kernel_block *b = c->b;
    const int64_t d = b->l->d;
    c->z = ald_operator_slice(b->z, b->i0, b->count);
    c->parts = ald_parts(run, b->count * b->columns, 1 << 14);
    ALD_TRY(ald_landmarks_shift(run, b->l, &c->z));
    ALD_TRY(ald_scratch_reals(run, b->count, 1, &c->squares));
    if (c->z.x.storage != ALD_DENSE) {
        ald_rows_squares_csr(&c->z, 0, b->count, c->squares);
        return ALD_OK;
    }
    ALD_TRY(ald_scratch_reals(run, b->count, d, &c->rows));
    return ald_tiles_rows(run, &c->z, 0, b->count, c->rows, c->squares);
}

/* Landmarks j .. j + columns as the columns of `out` (d x columns). */
static void landmark_columns(const ald_landmarks *l, int64_t j, int64_t columns, double *out)
{
    const ald_operator sparse = {.x = l->sparse};
    for (int64_t c = 0; c < columns; c++) {
        if (!l->rows) ald_rows_write_csr(&sparse, j + c, columns, out + c);
        for (int64_t i = 0; l->rows && i < l->d; i++) out[i * columns + c] = l->rows[(j + c) * l->d + i];
    }
}

/* Both sides sparse, without a shift: a landmark is spread over a row of d numbers, and every row of the
 * block picks what it has entries for. With e entries in the rows of the block that makes e operations for
 * each landmark, whatever d is. */
static ald_status spread_products(ald_run *run, const comparison *c)
{
    const ald_kernel_block *b = c->b;
    const ald_matrix *x = &c->z.x, *l = &b->l->sparse;
    const int64_t *rows = x->pointers, *columns = x->indices, *marks = l->pointers, *places = l->indices;
    const double *values = x->values, *entries = l->values, *scale = c->z.inverse_scale;
    double *spread;
    ALD_TRY(ald_scratch_zeros(run, b->l->d, 1, &spread));
    for (int64_t j = 0; j < b->columns; j++) {
        const int64_t from = marks[b->j0 + j], end = marks[b->j0 + j + 1];
        ALD_TRY(ald_ask_after(run, 2.0 * ALD_VALUE_WORK * (double)(rows[b->count] - rows[0])));
        for (int64_t e = from; e < end; e++)
            spread[places[e]] += entries[e] * (scale ? scale[places[e]] : 1.0);
        for (int64_t i = 0; i < b->count; i++) {
            double sum = 0.0;
            for (int64_t e = rows[i]; e < rows[i + 1]; e++) sum += values[e] * spread[columns[e]];
            b->k[i * b->stride + j] = sum * (c->z.row_factor ? c->z.row_factor[i] : 1.0);
        }
        for (int64_t e = from; e < end; e++) spread[places[e]] = 0.0;
    }
    return ALD_OK;
}

/* Inner products where one side at least is sparse: some landmarks at a time are written out as columns. */
static ald_status sparse_products(ald_run *run, const comparison *c)
{
    const ald_kernel_block *b = c->b;
    const int64_t d = b->l->d, most = d > 1 << 16 ? 1 : (1 << 22) / d;
    const int64_t width = ald_least(ald_least(b->columns, 64), most < 1 ? 1 : most);
    double *columns, *products;
    if (!c->rows && !b->l->rows && !c->z.mean && !c->z.row_shift) return spread_products(run, c);
    ALD_TRY(ALD_SCRATCH(run, {&columns, d, width}, {&products, b->count, width}));
    for (int64_t j = 0; j < b->columns; j += width) {
        const int64_t w = ald_least(width, b->columns - j);
        landmark_columns(b->l, b->j0 + j, w, columns);
        if (c->rows)
            ALD_TRY(ald_product(run, ald_of(c->rows, b->count, d), ald_of(columns, d, w),
                                ald_at(products, b->count, w)));
        else
            ALD_TRY(ald_operator_apply(run, &c->z, ald_of(columns, d, w), ald_at(products, b->count, w)));
        for (int64_t i = 0; i < b->count; i++)
            memcpy(b->k + i * b->stride + j, products + i * w, (size_t)w * sizeof *products);
    }
    return ALD_OK;
}

static void distances_part(void *work, int part)
{
    const comparison *c = work;
    const ald_kernel_block *b = c->b;
    const int64_t d = b->l->d, end = ald_part_begin(b->count, c->parts, part + 1);
    for (int64_t i = ald_part_begin(b->count, c->parts, part); i < end; i++)
        ald_city_distances(d, c->rows + i * d, b->columns, b->l->rows + b->j0 * d, b->k + i * b->stride);
}

/* Or distances, where the kernel is of |.|_1. */
static ald_status inner_products(ald_run *run, comparison *c)
{
    const ald_kernel_block *b = c->b;
    if (ald_kernel_is_city(b->kernel)) {
        ald_parallel(c->parts, distances_part, c);
        return ALD_OK;
    }
    if (!c->rows || !b->l->rows) return sparse_products(run, c);
    const int64_t d = b->l->d;
    const ald_view rows = ald_of(c->rows, b->count, d),
                   landmarks = ald_of(b->l->rows + b->j0 * d, b->columns, d);
    const ald_area out = ald_area_block(ald_at(b->k, b->count, b->stride), 0, 0, b->count, b->columns);
    return ald_product(run, rows, ald_t(landmarks), out);
}

static void finish_part(void *work, int part)
{
    const comparison *c = work;
    const ald_kernel_block *b = c->b;
    const int64_t end = ald_part_begin(b->count, c->parts, part + 1);
    for (int64_t i = ald_part_begin(b->count, c->parts, part); i < end; i++)
        ald_kernel_finish(b->kernel, c->squares[i], b->columns, b->l->squares + b->j0, b->k + i * b->stride);
}

/* Columns of X itself. */
static ald_status copy_precomputed(ald_run *run, const ald_kernel_block *b)
{
    double *row;
    ALD_TRY(ald_scratch_reals(run, b->z->x.cols, 1, &row));
    for (int64_t i = 0; i < b->count; i++) {
        ALD_TRY(ald_operator_rows(run, b->z, b->i0 + i, ald_at(row, 1, b->z->x.cols)));
        memcpy(b->k + i * b->stride, row + b->j0, (size_t)b->columns * sizeof *row);
    }
    return ALD_OK;
}

/* What a kernel of any width is made from: inner products, or distances, and square lengths of a block. */
typedef struct known_products {
    double *products; /* count x columns */
    double *squares;  /* count */
} known_products;

/* From so many columns on, products cost more than reading them again. */
enum { columns_worth_keeping = 64 };

static ald_status keep_products(ald_run *keeper, comparison *c, ald_kept *kept)
{
    const ald_kernel_block *b = c->b;
    known_products *known;
    ALD_TRY(ald_scratch(keeper, 1, 1, sizeof *known, &known));
    ALD_TRY(ALD_SCRATCH(keeper, {&known->products, b->count, b->columns}, {&known->squares, b->count, 1}));
    ALD_TRY(inner_products(keeper, c));
    for (int64_t i = 0; i < b->count; i++)
        memcpy(known->products + i * b->columns, b->k + i * b->stride, (size_t)b->columns * sizeof *b->k);
    memcpy(known->squares, c->squares, (size_t)b->count * sizeof *c->squares);
    kept->thing = known;
    return ALD_OK;
}

/* By the numbers of both sides, whatever they were made from. */
static uint64_t products_key(const comparison *c)
{
    const ald_kernel_block *b = c->b;
    const int64_t d = b->l->d, shape[] = {b->count, b->columns, d, ald_kernel_is_city(b->kernel)};
    uint64_t key = ald_hash(ALD_HASH_START, shape, sizeof shape);
    key = ald_hash_many(key, c->rows, b->count * d);
    return ald_hash_many(key, b->l->rows + b->j0 * d, b->columns * d);
}

/* In a comparison those of an earlier fit to the same rows, by another width or another method. */
static ald_status find_products(ald_run *run, comparison *c)
{
    const ald_kernel_block *b = c->b;
    const double bytes = 8.0 * (double)b->count * (double)(b->columns + 1);
    ald_kept *kept = NULL;
    ald_run keeper;
    if (!ald_tryout_shares(run) || !c->rows || !b->l->rows || b->l->d < columns_worth_keeping)
        return inner_products(run, c);
    ALD_TRY(ald_tryout_common(run, products_key(c), bytes, &kept));
    if (!kept) return inner_products(run, c);
    if (!kept->thing) {
        ald_tryout_open(run, kept, &keeper);
        return ald_tryout_close(run, kept, &keeper, keep_products(&keeper, c, kept));
    }
    const known_products *known = kept->thing;
    for (int64_t i = 0; i < b->count; i++)
        memcpy(b->k + i * b->stride, known->products + i * b->columns, (size_t)b->columns * sizeof *b->k);
    memcpy(c->squares, known->squares, (size_t)b->count * sizeof *c->squares);
    return ALD_OK;
}

static ald_status compare(ald_run *run, const ald_kernel_block *block)
{
    comparison c = {.b = block};
    if (block->kernel->kind == ALD_KERNEL_PRECOMPUTED) return copy_precomputed(run, block);
    ALD_TRY(begin(run, &c));
    if (ald_kernel_is_city(block->kernel) && (!c.rows || !block->l->rows))
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "`kernel=laplacian` needs dense rows, and these are sparse");
    ALD_TRY(find_products(run, &c));
    ald_parallel(c.parts, finish_part, &c);
    return ALD_OK;
}

ald_status ald_kernel_block_make(ald_run *run, const ald_kernel_block *block)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_status status = compare(run, block);
    ald_arena_release(&run->scratch, mark);
    return status;
}

int64_t ald_kernel_block_rows(int64_t d, int64_t m)
{
    const int64_t larger = d > m ? d : m, rows = (1 << 21) / (larger > 0 ? larger : 1);
    return ald_within(rows, 16, 512);
}

/* Dense rows whose products nobody else wants. */
static int go_by_tiles(const ald_run *run, const ald_kernel *kernel, const ald_landmarks *l)
{
    const int kept = ald_tryout_shares(run) && l->d >= columns_worth_keeping;
    return l->rows && kernel->kind != ALD_KERNEL_PRECOMPUTED && !kept;
}

static ald_status square_by_blocks(ald_run *run, const ald_kernel *kernel, const ald_operator *z,
                                   const ald_landmarks *l, double *k)
{
    const int64_t n = l->m, step = ald_kernel_block_rows(l->d, n);
    for (int64_t i = 0; i < n; i += step) {
        const int64_t count = ald_least(step, n - i);
        const ald_kernel_block block = {kernel, z, l, i, count, i, n - i, k + i * n + i, n};
        ALD_TRY(ald_kernel_block_make(run, &block));
        ALD_TRY(ald_progress(run, "comparing rows by the kernel", (double)(i + count) / (double)n));
    }
    return ald_symmetric_mirror(run, n, k);
}

ald_status ald_kernel_square(ald_run *run, const ald_kernel *kernel, const ald_operator *z,
                             const ald_landmarks *l, double *k)
{
    const int64_t n = l->m;
    const ald_kernel_side side = {n, l->rows, l->squares};
    const ald_kernel_pairs pairs = {kernel, l->d, side, side};
    if (go_by_tiles(run, kernel, l))
        ALD_TRY(ald_tiles_square(run, &pairs, k));
    else
        ALD_TRY(square_by_blocks(run, kernel, z, l, k));
    for (int64_t i = 0; i < n && ald_kernel_is_shift_invariant(kernel); i++)
        k[i * n + i] = ald_kernel_diagonal(kernel, 0.0);
    return ALD_OK;
}

int ald_landmarks_apply_serves(const ald_run *run, const ald_kernel *kernel, const ald_landmarks *l,
                               const ald_operator *z, int64_t r)
{
    enum { few = 64 }; /* columns of the result, which stands there once for each cut of the landmarks */
    return go_by_tiles(run, kernel, l) && z->x.storage == ALD_DENSE && !z->source && r <= few;
}

ald_status ald_landmarks_apply(ald_run *run, const ald_kernel *kernel, const ald_landmarks *l,
                               const ald_operator *z, const double *mean, ald_view c, double *out)
{
    const int64_t n = z->x.rows, d = l->d;
    const ald_kernel_side side = {l->m, l->rows, l->squares};
    ald_operator shifted = *z;
    double *buffer = NULL, *squares;
    ALD_TRY(ald_landmarks_shift(run, l, &shifted));
    const int ready = ald_dense_is_plain(&shifted) && z->x.row_stride == d;
    const int64_t step = ready ? 4096 : ald_within((1 << 21) / ald_most(1, d), 64, 4096);
    ALD_TRY(ald_scratch_reals(run, ald_least(n, step), 1, &squares));
    if (!ready) ALD_TRY(ald_scratch_reals(run, ald_least(n, step), d, &buffer));
    for (int64_t i = 0; i < n; i += step) {
        const int64_t count = ald_least(step, n - i);
        const double *rows = ready ? (const double *)z->x.values + i * d : buffer;
        const ald_kernel_pairs pairs = {kernel, d, {count, rows, squares}, side};
        ALD_TRY(ald_tiles_rows(run, &shifted, i, count, buffer, squares));
        ALD_TRY(ald_tiles_apply(run, &pairs, mean, c, out + i * c.cols));
        ALD_TRY(ald_progress(run, "mapping rows by the kernel", (double)(i + count) / (double)n));
    }
    return ALD_OK;
}
