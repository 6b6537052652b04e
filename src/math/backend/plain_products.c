/* Products by plain loops, at the speed that the vectors of the processor allow.
 *
 *   C_ij <- C_ij + alpha sum_l A_il B_lj
 *
 * is computed in tiles of 4 x 4 entries, which stay in registers while l runs: each of 8 numbers that are
 * read is used 4 times. So that they are read one after the other, blocks of op(A) and op(B) are packed
 * first: 4 rows (or columns) side by side for all l of the block. A packed strip of 4 x 256 stays in the
 * first cache, a packed block of B in the second one. Packing costs m k + k n of the 2 m n k operations.
 *
 * Every entry is summed in the order of l, in blocks of 256, whatever the processor: the bytes are the
 * same on all machines. Products with one vector are sums over rows, or of rows, without packing. */
#include "math/backend/plain_products.h"

#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "math/backend/row_sums.h"

enum { tile = 4, deep = 256, block_rows = 128, block_cols = 512 };

/* Rows `first` .. of a matrix whose entry (i, l) is x[i across + l along], 4 at a time and 0 beyond `count`:
 * 4 entries of each l next to each other. */
static void pack(int64_t count, int64_t depth, const double *x, int64_t across, int64_t along, double *packed)
{
    for (int64_t i = 0; i < count; i += tile) {
        const int64_t rows = ald_least(tile, count - i);
        const double *from = x + i * across;
        for (int64_t l = 0; l < depth; l++, from += along, packed += tile)
            for (int64_t r = 0; r < tile; r++) packed[r] = r < rows ? from[r * across] : 0.0;
    }
}

/* sums (4 x 4) of two packed strips. */
ALD_WIDE static void multiply_strips(int64_t depth, const double *restrict a, const double *restrict b,
                                     double *restrict sums)
{
    ald_four s0 = {0.0}, s1 = {0.0}, s2 = {0.0}, s3 = {0.0};
    for (int64_t l = 0; l < depth; l++, a += tile, b += tile) {
        const ald_four column = ALD_FOUR_OF(b);
        s0 += a[0] * column;
        s1 += a[1] * column;
        s2 += a[2] * column;
        s3 += a[3] * column;
    }
    ALD_FOUR(sums) = s0;
    ALD_FOUR(sums + 4) = s1;
    ALD_FOUR(sums + 8) = s2;
    ALD_FOUR(sums + 12) = s3;
}

/* The entries of a tile at row i and column j that are C's. */
static void add_tile(const ald_plain_product *p, int64_t i, int64_t j, const double *sums)
{
    const int64_t rows = ald_least(tile, p->m - i), cols = ald_least(tile, p->n - j);
    for (int64_t r = 0; r < rows; r++) {
        double *c = p->c + (i + r) * p->ldc + j;
        for (int64_t s = p->upper && i + r > j ? i + r - j : 0; s < cols; s++)
            c[s] += p->alpha * sums[r * tile + s];
    }
}

/* Rows i0 .. i0 + rows and columns j0 .. j0 + cols, for one block of l. */
static void multiply_blocks(const ald_plain_product *p, const double *a, const double *b, const int64_t *rows,
                            const int64_t *cols, int64_t depth)
{
    double sums[tile * tile];
    for (int64_t j = cols[0]; j < cols[1]; j += tile)
        for (int64_t i = rows[0]; i < rows[1]; i += tile) {
            if (p->upper && i > j + tile - 1) break;
            multiply_strips(depth, a + (i - rows[0]) * depth, b + (j - cols[0]) * depth, sums);
            add_tile(p, i, j, sums);
        }
}

static int64_t whole_tiles(int64_t count, int64_t most)
{
    return ald_least((count + tile - 1) / tile * tile, most);
}

static ald_status multiply_packed(ald_run *run, const ald_plain_product *p)
{
    const int64_t a_across = p->trans_a ? 1 : p->lda, a_along = p->trans_a ? p->lda : 1;
    const int64_t b_across = p->trans_b ? p->ldb : 1, b_along = p->trans_b ? 1 : p->ldb;
    const int64_t rows_packed = whole_tiles(p->m, block_rows), cols_packed = whole_tiles(p->n, block_cols);
    ald_arena own; /* the scratch of a run is for one thread, and several multiply at once */
    ald_arena_init(&own, run->call.allocator);
    double *const a = ald_arena_get(&own, rows_packed + cols_packed, ald_least(deep, p->k), sizeof *a);
    if (!a) return ald_out_of_memory(run, rows_packed + cols_packed, ald_least(deep, p->k), sizeof *a);
    double *const b = a + rows_packed * ald_least(deep, p->k);
    for (int64_t j = 0; j < p->n; j += block_cols)
        for (int64_t l = 0; l < p->k; l += deep) {
            const int64_t cols[2] = {j, ald_least(p->n, j + block_cols)}, depth = ald_least(deep, p->k - l);
            pack(cols[1] - j, depth, p->b + j * b_across + l * b_along, b_across, b_along, b);
            for (int64_t i = 0; i < p->m && !(p->upper && i >= cols[1]); i += block_rows) {
                const int64_t rows[2] = {i, ald_least(p->m, i + block_rows)};
                pack(rows[1] - i, depth, p->a + i * a_across + l * a_along, a_across, a_along, a);
                multiply_blocks(p, a, b, rows, cols, depth);
            }
        }
    ald_arena_free(&own);
    return ALD_OK;
}

/* The result is one column, B and C being without gaps. */
static void multiply_vector(const ald_plain_product *p)
{
    if (p->trans_a)
        for (int64_t l = 0; l < p->k; l++) ald_row_add(p->m, p->alpha * p->b[l], p->a + l * p->lda, p->c);
    else
        for (int64_t i = 0; i < p->m; i++)
            p->c[i] += p->alpha * ald_row_product(p->k, p->a + i * p->lda, p->b);
}

/* Few operations, for which packing is too much. */
static void multiply_small(const ald_plain_product *p)
{
    const int64_t a_across = p->trans_a ? 1 : p->lda, a_along = p->trans_a ? p->lda : 1;
    const int64_t b_across = p->trans_b ? p->ldb : 1, b_along = p->trans_b ? 1 : p->ldb;
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = p->upper ? i : 0; j < p->n; j++) {
            double sum = 0.0;
            for (int64_t l = 0; l < p->k; l++)
                sum += p->a[i * a_across + l * a_along] * p->b[j * b_across + l * b_along];
            p->c[i * p->ldc + j] += p->alpha * sum;
        }
}

static void scale_result(const ald_plain_product *p)
{
    if (p->beta == 1.0) return;
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = p->upper ? i : 0; j < p->n; j++) {
            double *c = p->c + i * p->ldc + j;
            *c = p->beta == 0.0 ? 0.0 : p->beta * *c; /* what was there need not be a number */
        }
}

ald_status ald_plain_multiply(ald_run *run, const ald_plain_product *p)
{
    const int64_t few = 256;
    scale_result(p);
    if (p->k == 0 || p->m == 0 || p->n == 0) return ALD_OK;
    if (p->n == 1 && p->ldc == 1 && (p->trans_b || p->ldb == 1))
        multiply_vector(p);
    else if (p->m * p->n <= few / p->k)
        multiply_small(p);
    else
        return multiply_packed(run, p);
    return ALD_OK;
}
