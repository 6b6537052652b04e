/* The operator Z on whatever stores X: each operation checks the shapes, hands its views to the storage
 * (dense.c, sparse.c, streamed.c) and gives back the scratch that the storage took. */
#include "math/operator/operator.h"

#include "base/threads/threads.h"
#include "math/device/held.h"
#include "math/linalg/linalg.h"
#include "math/linalg/view.h"
#include "math/operator/dense.h"
#include "math/operator/entry.h"
#include "math/operator/source.h"
#include "math/operator/storage.h"

#include <string.h>

static const ald_storage_ops *storage_of(const ald_matrix *x)
{
    static const ald_storage_ops *const table[] = {
        [ALD_DENSE] = &ald_dense_storage,
        [ALD_CSR] = &ald_sparse_storage,
        [ALD_CSC] = &ald_sparse_storage,
    };
    return table[x->storage];
}

static const ald_storage_ops *storage_under(const ald_run *run, const ald_operator *z)
{
    int64_t first;
    if (z->source) return &ald_streamed_storage;
    if (z->all) return &ald_divided_storage;
    if (!run->call.held) return storage_of(&z->x);
    if (ald_card_through(run, &z->x))
        return z->x.storage == ALD_DENSE ? &ald_through_storage : &ald_through_sparse_storage;
    if (!ald_card_find(run, &z->x, &first)) return storage_of(&z->x);
    return z->x.storage == ALD_DENSE ? &ald_card_storage : &ald_card_sparse_storage;
}

ald_operator ald_operator_slice(const ald_operator *z, int64_t first, int64_t count)
{
    ald_operator part = *z;
    const size_t size = z->x.type == ALD_F64 ? sizeof(double) : sizeof(float);
    part.x.rows = count;
    part.x.n_pointers = part.x.n_values = 0;
    if (z->x.storage == ALD_DENSE)
        part.x.values = (const char *)z->x.values + (size_t)(first * z->x.row_stride) * size;
    else
        part.x.pointers = (const char *)z->x.pointers + (size_t)first * (size_t)(z->x.index_bits / 8);
    if (z->row_shift) part.row_shift += first;
    if (z->row_factor) part.row_factor += first;
    if (z->row_weight) part.row_weight += first;
    return part;
}

/* An operation that the storage may lack. */
static ald_status has(ald_run *run, const ald_operator *z, int there)
{
    return there ? ALD_OK : ald_fail(run->error, ALD_ERROR_UNSUPPORTED, "%s", storage_under(run, z)->lacks);
}

/* The outcome of a call that began at the mark, after its scratch is given back. */
static ald_status released(ald_run *run, uint64_t mark, ald_status status)
{
    ald_arena_release(&run->scratch, mark);
    return status;
}

static int is_whole_view(ald_view v)
{
    return !v.transposed && (v.stride == v.cols || v.rows <= 1 || v.cols == 0);
}

/* A product with Z (rows x cols) or Z' fits what goes in and what comes out. */
static ald_status fits(ald_run *run, int64_t rows, int64_t cols, ald_view in, ald_area out)
{
    const int fit = in.rows == cols && out.rows == rows && in.cols == out.cols;
    return ald_shapes_fit(run, fit && is_whole_view(in) && ald_is_whole(out), "product with X",
                          ald_of(NULL, rows, cols), in, out);
}

ald_status ald_operator_apply(ald_run *run, const ald_operator *z, ald_view v, ald_area u)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(fits(run, z->x.rows, z->x.cols, v, u));
    return released(run, mark, storage_under(run, z)->apply(run, z, v.data, v.cols, u.data));
}

typedef struct squaring {
    double *values;
    int64_t count;
    int parts;
} squaring;

static void square_part(void *work, int part)
{
    const squaring *s = work;
    const int64_t end = ald_part_begin(s->count, s->parts, part + 1);
    for (int64_t e = ald_part_begin(s->count, s->parts, part); e < end; e++) s->values[e] *= s->values[e];
}

ald_status ald_apply_squared_by(ald_run *run, const ald_storage_ops *own, const ald_operator *z, ald_view v,
                                ald_view f, double *u)
{
    const int64_t n = z->x.rows, k = v.cols, p = f.cols;
    const int64_t block = z->x.storage == ALD_CSC ? n : 64 + (1 << 20) / (k + 1);
    double *product;
    ALD_TRY(ald_scratch_reals(run, block < n ? block : n, k, &product));
    for (int64_t i = 0; i < n; i += block) {
        const int64_t m = n - i < block ? n - i : block;
        const ald_operator rows = m < n ? ald_operator_slice(z, i, m) : *z;
        squaring work = {product, m * k, ald_parts(run, m * k, 1 << 15)};
        if (own)
            ALD_TRY(own->apply(run, &rows, v.data, k, product));
        else
            ALD_TRY(ald_operator_apply(run, &rows, v, ald_at(product, m, k)));
        ald_parallel(work.parts, square_part, &work);
        ALD_TRY(ald_product(run, ald_of(product, m, k), f, ald_at(u + i * p, m, p)));
    }
    return ALD_OK;
}

ald_status ald_operator_apply_squared(ald_run *run, const ald_operator *z, ald_view v, ald_view f, ald_area u)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_storage_ops *storage = storage_under(run, z);
    ALD_TRY(fits(run, z->x.rows, z->x.cols, v, ald_at(NULL, z->x.rows, v.cols)));
    ALD_TRY(fits(run, z->x.rows, v.cols, f, u));
    if (storage->apply_squared) return released(run, mark, storage->apply_squared(run, z, v, f, u.data));
    return released(run, mark, ald_apply_squared_by(run, NULL, z, v, f, u.data));
}

ald_status ald_operator_apply_transposed(ald_run *run, const ald_operator *z, ald_view u, ald_area v)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(fits(run, z->x.cols, z->x.rows, u, v));
    return released(run, mark, storage_under(run, z)->apply_transposed(run, z, u.data, u.cols, v.data));
}

ald_status ald_advance_in_two(ald_run *run, const ald_operator *z, const double *v, int64_t k,
                              const double *alpha, double *u, double *w)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    double *product;
    ALD_TRY(ald_scratch_reals(run, n, k, &product));
    ALD_TRY(ald_operator_apply(run, z, ald_of(v, d, k), ald_at(product, n, k)));
    for (int64_t i = 0; u && i < n; i++)
        for (int64_t c = 0; c < k; c++) u[i * k + c] = product[i * k + c] - alpha[c] * u[i * k + c];
    return ald_operator_apply_transposed(run, z, ald_of(u ? u : product, n, k), ald_at(w, d, k));
}

ald_status ald_operator_advance(ald_run *run, const ald_operator *z, ald_view v, const double *alpha,
                                ald_area u, ald_area w)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(fits(run, z->x.rows, z->x.cols, v, u));
    ALD_TRY(fits(run, z->x.cols, z->x.rows, ald_read(u), w));
    return released(run, mark, storage_under(run, z)->advance(run, z, v.data, v.cols, alpha, u.data, w.data));
}

ald_status ald_operator_normal(ald_run *run, const ald_operator *z, ald_view v, ald_area w)
{
    return ald_operator_advance(run, z, v, NULL, ald_at(NULL, z->x.rows, v.cols), w);
}

int ald_operator_advances_at_once(const ald_run *run, const ald_operator *z)
{
    return storage_under(run, z) == &ald_dense_storage && ald_dense_advances_at_once(z);
}

ald_status ald_operator_scatter_upper(ald_run *run, const ald_operator *z, ald_area c)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(fits(run, z->x.cols, z->x.cols, ald_read(c), c));
    ALD_TRY(has(run, z, storage_under(run, z)->scatter != NULL));
    return released(run, mark, storage_under(run, z)->scatter(run, z, NULL, 0, c.data, NULL));
}

ald_status ald_operator_scatter(ald_run *run, const ald_operator *z, ald_area c)
{
    ALD_TRY(ald_operator_scatter_upper(run, z, c));
    ald_mirror(c);
    return ALD_OK;
}

ald_status ald_operator_scatter_with(ald_run *run, const ald_operator *z, ald_view h, ald_area c, ald_area b)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(fits(run, z->x.cols, z->x.cols, ald_read(c), c));
    ALD_TRY(fits(run, z->x.cols, z->x.rows, h, b));
    ALD_TRY(has(run, z, storage_under(run, z)->scatter != NULL));
    ALD_TRY(released(run, mark, storage_under(run, z)->scatter(run, z, h.data, h.cols, c.data, b.data)));
    ald_mirror(c);
    return ALD_OK;
}

void ald_codes_write(const ald_codes *h, int64_t i0, int64_t m, int64_t j0, int64_t count, double *out)
{
    memset(out, 0, (size_t)(m * count) * sizeof *out);
    for (int64_t i = 0; i < m; i++) {
        const int64_t j = h->code[i0 + i] - j0;
        if (j >= 0 && j < count) out[i * count + j] = h->value[i0 + i];
    }
}

ald_status ald_operator_scatter_codes(ald_run *run, const ald_operator *z, const ald_codes *h, ald_area c,
                                      ald_area b)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const int64_t n = z->x.rows;
    double *out;
    if (storage_under(run, z)->scatter_codes) {
        ALD_TRY(fits(run, z->x.cols, z->x.cols, ald_read(c), c));
        ALD_TRY(fits(run, z->x.cols, n, ald_of(NULL, n, h->k), b));
        ALD_TRY(storage_under(run, z)->scatter_codes(run, z, h, c.data, b.data));
        ald_mirror(c);
        return released(run, mark, ALD_OK);
    }
    ALD_TRY(ald_scratch_reals(run, n, h->k, &out));
    ald_codes_write(h, 0, n, 0, h->k, out);
    return released(run, mark, ald_operator_scatter_with(run, z, ald_of(out, n, h->k), c, b));
}

ald_status ald_operator_gram(ald_run *run, const ald_operator *z, ald_area g)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    ALD_TRY(fits(run, z->x.rows, z->x.rows, ald_read(g), g));
    ALD_TRY(has(run, z, storage_under(run, z)->gram != NULL));
    ALD_TRY(released(run, mark, storage_under(run, z)->gram(run, z, g.data)));
    ald_mirror(g);
    return ALD_OK;
}

ald_status ald_operator_rows(ald_run *run, const ald_operator *z, int64_t i0, ald_area rows)
{
    const int fit = i0 >= 0 && i0 + rows.rows <= z->x.rows && rows.cols == z->x.cols && ald_is_whole(rows);
    ALD_TRY(ald_shapes_fit(run, fit, "rows of X", ald_of(NULL, z->x.rows, z->x.cols), ald_read(rows), rows));
    ALD_TRY(has(run, z, storage_under(run, z)->rows != NULL));
    return storage_under(run, z)->rows(run, z, i0, rows.rows, rows.data);
}

ald_status ald_operator_square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    return released(run, mark, storage_under(run, z)->square_norm(run, z, sum));
}

ald_status ald_row_moments(ald_run *run, const ald_matrix *x, double *mean, double *deviation, double *length)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    return released(run, mark, storage_of(x)->row_moments(run, x, mean, deviation, length));
}

ald_status ald_column_statistics(ald_run *run, const ald_operator *z, const double *weights,
                                 ald_column_moments moments)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    const ald_operator rows_only = {
        .x = z->x,
        .source = z->source,
        .row_shift = z->row_shift,
        .row_factor = z->row_factor,
        .all = z->all,
    };
    ALD_TRY(has(run, z, storage_under(run, z)->column_statistics != NULL));
    return released(run, mark, storage_under(run, z)->column_statistics(run, &rows_only, weights, moments));
}

int ald_peak_is_plain(double peak)
{
    return !(peak > 0x1p300 || (peak > 0.0 && peak < 0x1p-300));
}

ald_status ald_matrix_find_bad(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column)
{
    const ald_operator z = {.x = *x};
    *row = *column = -1;
    return storage_under(run, &z)->find_bad(run, x, row, column);
}

double ald_operator_entries(const ald_operator *z)
{
    return z->source ? z->source->entries : (double)ald_matrix_entries(&z->x);
}

int64_t ald_matrix_entries(const ald_matrix *x)
{
    if (x->storage == ALD_DENSE) return x->rows * x->cols;
    const int64_t last = x->storage == ALD_CSR ? x->rows : x->cols;
    return ald_matrix_index(x, x->pointers, last) - ald_matrix_index(x, x->pointers, 0);
}

double ald_matrix_bytes(const ald_matrix *x)
{
    const double value = x->type == ALD_F64 ? 8.0 : 4.0;
    const double index = x->storage == ALD_DENSE ? 0.0 : x->index_bits / 8.0;
    return (double)ald_matrix_entries(x) * (value + index);
}
