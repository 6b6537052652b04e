#include "methods/engines/shorten.h"

#include "math/linalg/linalg.h"
#include "math/operator/shared_rows.h"

#include <string.h>

/* block (n x count) = columns j0 .. of H. */
static void write_out(const ald_columns *columns, int64_t n, int64_t j0, int64_t count, double *block)
{
    if (!columns->h) memset(block, 0, (size_t)(n * count) * sizeof *block);
    for (int64_t i = 0; i < n; i++) {
        if (columns->h)
            memcpy(block + i * count, columns->h + i * columns->k + j0, (size_t)count * sizeof *block);
        else if (columns->column[i] >= j0 && columns->column[i] < j0 + count)
            block[i * count + columns->column[i] - j0] = columns->value[i];
    }
}

/* q (k x d) = H'Z. */
static ald_status products(ald_run *run, const ald_operator *z, const ald_columns *columns, double *q)
{
    enum { step = 256 };
    const int64_t n = z->x.rows, d = z->x.cols, k = columns->k;
    double *block, *b;
    ALD_TRY(ALD_SCRATCH(run, {&block, n, step}, {&b, d, step}));
    for (int64_t j0 = 0; j0 < k; j0 += step) {
        const int64_t count = k - j0 < step ? k - j0 : step;
        write_out(columns, n, j0, count, block);
        ALD_TRY(ald_operator_apply_transposed(run, z, ald_of(block, n, count), ald_at(b, d, count)));
        for (int64_t j = 0; j < count; j++)
            for (int64_t a = 0; a < d; a++) q[(j0 + j) * d + a] = b[a * count + j];
        ALD_TRY(ald_progress(run, "adding up the classes", (double)(j0 + count) / (double)k));
    }
    return ALD_OK;
}

/* out (n x d) = H q. */
static ald_status combine(ald_run *run, int64_t n, int64_t d, const ald_columns *columns, const double *q,
                          double *out)
{
    if (columns->h)
        return ald_product(run, ald_of(columns->h, n, columns->k), ald_of(q, columns->k, d),
                           ald_at(out, n, d));
    for (int64_t i = 0; i < n; i++)
        for (int64_t a = 0; a < d; a++) out[i * d + a] = columns->value[i] * q[columns->column[i] * d + a];
    return ALD_OK;
}

ald_status ald_columns_shorten(ald_run *run, const ald_operator *z, const ald_columns *columns,
                               const double **h, int64_t *k)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    double *q, *out;
    *h = columns->h;
    *k = columns->k;
    if (columns->h && columns->k <= d) return ALD_OK;
    *k = columns->k <= d ? columns->k : d;
    ALD_TRY(ald_scratch_reals(run, n, *k, &out));
    *h = out;
    if (columns->k <= d) {
        write_out(columns, n, 0, *k, out);
        return ALD_OK;
    }
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(ald_scratch_reals(run, columns->k, d, &q));
    ALD_TRY(products(run, z, columns, q));
    ALD_TRY(ald_orthonormal(run, ald_at(q, columns->k, d)));
    ALD_TRY(ald_shared_hear(run, z, q, columns->k * d * (int64_t)sizeof *q));
    ALD_TRY(combine(run, n, d, columns, q, out));
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_columns_square(ald_run *run, const ald_operator *z, const ald_columns *columns, double *sum)
{
    const double *entries = columns->h ? columns->h : columns->value;
    const int64_t count = columns->h ? z->x.rows * columns->k : z->x.rows;
    *sum = 0.0;
    for (int64_t i = 0; i < count; i++) *sum += entries[i] * entries[i];
    return ald_shared_sum(run, z, sum, 1);
}
