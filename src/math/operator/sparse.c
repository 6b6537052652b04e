/* CSR and CSC storage, never made dense. With g = F A 1, h = F A s and f = F 1 (each of length n)
 *
 *   Z = ( diag(g) X - h 1' - f m' ) D
 *
 * so that Z v needs X (D v) and the two row vectors 1'D v and m'D v, and Z'u needs X'(g o u) and the sums h'u
 * and f'u.
 *
 * A matrix is a list of slices (rows of CSR, columns of CSC). One kernel gathers along slices (X v of CSR,
 * X'u of CSC), the other scatters (the other two). Cost of a product with k columns: 2 nnz k, reading 16 nnz
 * bytes. */
#include "math/operator/sparse.h"
#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "base/threads/large_copy.h"
#include "base/threads/threads.h"
#include "math/linalg/vector.h"
#include "math/operator/entry.h"
#include "math/operator/on_card.h"

#include <math.h>
#include <string.h>

int64_t ald_slice_count(const ald_matrix *x)
{
    return x->storage == ALD_CSR ? x->rows : x->cols;
}

int64_t ald_slice_begin(const ald_matrix *x, int64_t s)
{
    return ald_matrix_index(x, x->pointers, s);
}

static int64_t longest_slice(const ald_matrix *x)
{
    int64_t longest = 0;
    for (int64_t s = 0; s < ald_slice_count(x); s++) {
        const int64_t count = ald_slice_begin(x, s + 1) - ald_slice_begin(x, s);
        if (count > longest) longest = count;
    }
    return longest;
}

ald_status ald_slice_buffer_new(ald_run *run, const ald_matrix *x, ald_slice_buffer *buffer)
{
    const int64_t size = x->index_bits == 64 && x->type == ALD_F64 ? 0 : longest_slice(x);
    ALD_TRY(ald_scratch(run, size, 1, sizeof *buffer->indices, &buffer->indices));
    return ald_scratch_reals(run, size, 1, &buffer->values);
}

ald_slice ald_slice_at(const ald_matrix *x, int64_t s, const ald_slice_buffer *buffer)
{
    const int64_t begin = ald_slice_begin(x, s), count = ald_slice_begin(x, s + 1) - begin;
    ald_slice out = {count, buffer->indices, buffer->values};
    if (x->index_bits == 64)
        out.indices = (const int64_t *)x->indices + begin;
    else
        for (int64_t i = 0; i < count; i++) buffer->indices[i] = ((const int32_t *)x->indices)[begin + i];
    if (x->type == ALD_F64)
        out.values = (const double *)x->values + begin;
    else
        for (int64_t i = 0; i < count; i++) buffer->values[i] = (double)((const float *)x->values)[begin + i];
    return out;
}

int64_t ald_slices_first(const ald_matrix *x, int parts, int part)
{
    const int64_t entries = ald_slice_begin(x, 0) + ald_part_begin(ald_matrix_entries(x), parts, part);
    int64_t low = 0, high = ald_slice_count(x);
    if (part == parts) return high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ald_slice_begin(x, middle) < entries)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* out = (slices) in, or out = (slices)' in; k columns. */
typedef struct product {
    const ald_matrix *x;
    const double *in;
    int64_t k, out_rows;
    double *out;
    int adds;     /* scatter: to what is in out */
    double *sums; /* scatter: parts - 1 copies of out */
    ald_slice_buffer *buffers;
    int parts;
} product;

/* The rows of a tall matrix that a slice names lie anywhere: those that come later are fetched into cache
 * while the others are used. */
enum { ahead = 8, numbers_per_line = 8 };

ALD_WITHIN void fetch(const ald_slice *row, int64_t e, const double *matrix, int64_t k)
{
    if (e >= row->count) return;
    for (int64_t c = 0; c < k; c += numbers_per_line) __builtin_prefetch(matrix + row->indices[e] * k + c);
    __builtin_prefetch(matrix + row->indices[e] * k + k - 1);
}

/* out (k) = the slice times `in`; four entries at a time, one after the other. */
ALD_WIDE static void gather_slice(const ald_slice *row, const double *in, int64_t k, double *restrict out)
{
    const int64_t *j = row->indices;
    const double *x = row->values;
    int64_t e = 0;
    memset(out, 0, (size_t)k * sizeof *out);
    for (; e + 4 <= row->count; e += 4) {
        const double *p = in + j[e] * k, *q = in + j[e + 1] * k, *r = in + j[e + 2] * k,
                     *s = in + j[e + 3] * k;
        for (int64_t next = e + ahead; next < e + ahead + 4; next++) fetch(row, next, in, k);
        for (int64_t c = 0; c < k; c++)
            out[c] = (((out[c] + x[e] * p[c]) + x[e + 1] * q[c]) + x[e + 2] * r[c]) + x[e + 3] * s[c];
    }
    for (; e < row->count; e++) ald_add_times(k, x[e], in + j[e] * k, out);
}

/* The rows of `sums` that the slice names += its entry times in (k). */
ALD_WIDE static void scatter_slice(const ald_slice *row, const double *in, int64_t k, double *restrict sums)
{
    for (int64_t e = 0; e < row->count; e++) {
        double *out = sums + row->indices[e] * k;
        fetch(row, e + ahead, sums, k);
        for (int64_t c = 0; c < k; c++) out[c] += row->values[e] * in[c];
    }
}

static void gather_part(void *work, int part)
{
    const product *p = work;
    const int64_t end = ald_slices_first(p->x, p->parts, part + 1);
    for (int64_t s = ald_slices_first(p->x, p->parts, part); s < end; s++) {
        const ald_slice row = ald_slice_at(p->x, s, &p->buffers[part]);
        gather_slice(&row, p->in, p->k, p->out + s * p->k);
    }
}

static void scatter_part(void *work, int part)
{
    const product *p = work;
    double *sums = part ? p->sums + (part - 1) * p->out_rows * p->k : p->out;
    if (part > 0) memset(sums, 0, (size_t)(p->out_rows * p->k) * sizeof *sums);
    const int64_t end = ald_slices_first(p->x, p->parts, part + 1);
    for (int64_t s = ald_slices_first(p->x, p->parts, part); s < end; s++) {
        const ald_slice row = ald_slice_at(p->x, s, &p->buffers[part]);
        scatter_slice(&row, p->in + s * p->k, p->k, sums);
    }
}

/* A loop over columns, of which there may be far more than entries, asks before every so many. */
static ald_status ask_at(ald_run *run, int64_t j, int64_t k)
{
    enum { many = 1 << 14 };
    return j % many ? ALD_OK : ald_ask_after(run, ALD_VALUE_WORK * (double)(many * k));
}

/* `p` has x, in, k, out_rows, out and adds. */
static ald_status multiply_slices(ald_run *run, int along_slices, product p)
{
    enum { grain = 1 << 16 };
    const ald_matrix *x = p.x;
    const int64_t k = p.k, out_rows = p.out_rows, entries = ald_matrix_entries(x);
    p.parts = ald_parts(run, entries * k, grain);
    if (!along_slices && entries < p.parts * out_rows) p.parts = 1; /* adding up would take longer */
    if (!along_slices && !p.adds) ALD_TRY(ald_clear_large(run, out_rows * k, p.out));
    ALD_TRY(ald_scratch(run, p.parts, 1, sizeof *p.buffers, &p.buffers));
    for (int part = 0; part < p.parts; part++) ALD_TRY(ald_slice_buffer_new(run, x, &p.buffers[part]));
    if (!along_slices) ALD_TRY(ald_scratch_reals(run, (p.parts - 1) * out_rows, k, &p.sums));
    ald_parallel(p.parts, along_slices ? gather_part : scatter_part, &p);
    if (along_slices) return ALD_OK;
    for (int part = 1; part < p.parts; part++) {
        const double *sums = p.sums + (part - 1) * out_rows * k;
        for (int64_t i = 0; i < out_rows * k; i++) p.out[i] += sums[i];
    }
    return ALD_OK;
}

static ald_status sparse_multiply(ald_run *run, const ald_matrix *x, int along_slices, const double *in,
                                  int64_t k, int64_t out_rows, double *out)
{
    const product p = {.x = x, .in = in, .k = k, .out_rows = out_rows, .out = out};
    return multiply_slices(run, along_slices, p);
}

static ald_status sparse_apply(ald_run *run, const ald_operator *z, const double *v, int64_t k, double *u)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    double *scaled = NULL, *ones, *means;
    if (z->inverse_scale) {
        ALD_TRY(ald_scratch_reals(run, d, k, &scaled));
        for (int64_t j = 0; j < d; j++) {
            ALD_TRY(ask_at(run, j, k));
            for (int64_t c = 0; c < k; c++) scaled[j * k + c] = z->inverse_scale[j] * v[j * k + c];
        }
        v = scaled;
    }
    ALD_TRY(ald_scratch_zeros(run, k, 1, &ones));
    ALD_TRY(ald_scratch_zeros(run, k, 1, &means));
    for (int64_t j = 0; j < d && (z->row_shift || z->mean); j++) {
        ALD_TRY(ask_at(run, j, k));
        for (int64_t c = 0; c < k; c++) {
            ones[c] += v[j * k + c];
            if (z->mean) means[c] += z->mean[j] * v[j * k + c];
        }
    }
    ALD_TRY(sparse_multiply(run, &z->x, z->x.storage == ALD_CSR, v, k, n, u));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k; c++)
            u[i * k + c] = ald_row_factor(z, i) * u[i * k + c] - ald_row_shift(z, i) * ones[c] -
                           ald_row_weight(z, i) * means[c];
    return ALD_OK;
}

/* *in (n x k): g o u, in scratch where that is not u. */
static ald_status weigh_rows(ald_run *run, const ald_operator *z, const double *u, int64_t k,
                             const double **in)
{
    double *scaled;
    *in = u;
    if (!z->row_factor && !z->row_weight) return ALD_OK;
    ALD_TRY(ald_scratch_reals(run, z->x.rows, k, &scaled));
    for (int64_t i = 0; i < z->x.rows; i++)
        for (int64_t c = 0; c < k; c++) scaled[i * k + c] = ald_row_factor(z, i) * u[i * k + c];
    *in = scaled;
    return ALD_OK;
}

ald_status ald_sparse_add_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k,
                                     double *sums)
{
    product p = {.x = &z->x, .k = k, .out_rows = z->x.cols, .out = sums, .adds = 1};
    ALD_TRY(weigh_rows(run, z, u, k, &p.in));
    return multiply_slices(run, 0, p);
}

static ald_status apply_transposed(ald_run *run, const ald_operator *z, const double *u, int64_t k, double *v)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    const double *in;
    double *shifts, *weights;
    ALD_TRY(ald_scratch_zeros(run, k, 1, &shifts));
    ALD_TRY(ald_scratch_zeros(run, k, 1, &weights));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < k; c++) {
            shifts[c] += ald_row_shift(z, i) * u[i * k + c];
            weights[c] += ald_row_weight(z, i) * u[i * k + c];
        }
    ALD_TRY(weigh_rows(run, z, u, k, &in));
    ALD_TRY(sparse_multiply(run, &z->x, z->x.storage == ALD_CSC, in, k, d, v));
    for (int64_t j = 0; j < d; j++) {
        ALD_TRY(ask_at(run, j, k));
        for (int64_t c = 0; c < k; c++) {
            const double centred = v[j * k + c] - shifts[c] - (z->mean ? z->mean[j] * weights[c] : 0.0);
            v[j * k + c] = z->inverse_scale ? z->inverse_scale[j] * centred : centred;
        }
    }
    return ALD_OK;
}

/* Columns of the identity at a time: few where they become very long. */
static int64_t square_columns(int64_t length)
{
    enum { most = 64, values = 1 << 24 };
    const int64_t columns = values / (length + 1);
    return columns < most ? columns + 1 : most;
}

/* Z'Z (or Z Z') by products with blocks of columns of the identity: 4 nnz d (n) operations. */
static ald_status square(ald_run *run, const ald_operator *z, int transposed, double *c)
{
    const int64_t order = transposed ? z->x.cols : z->x.rows, other = transposed ? z->x.rows : z->x.cols;
    ald_status (*const first)(ald_run *, const ald_operator *, ald_view, ald_area) =
        transposed ? ald_operator_apply : ald_operator_apply_transposed;
    ald_status (*const second)(ald_run *, const ald_operator *, ald_view, ald_area) =
        transposed ? ald_operator_apply_transposed : ald_operator_apply;
    const int64_t most = square_columns(other);
    double *units, *between, *columns;
    ALD_TRY(ALD_SCRATCH(run, {&units, order, most}, {&between, other, most}, {&columns, order, most}));
    for (int64_t j0 = 0; j0 < order; j0 += most) {
        const int64_t k = ald_least(most, order - j0);
        memset(units, 0, (size_t)(order * k) * sizeof *units);
        for (int64_t j = 0; j < k; j++) units[(j0 + j) * k + j] = 1.0;
        ALD_TRY(first(run, z, ald_of(units, order, k), ald_at(between, other, k)));
        ALD_TRY(second(run, z, ald_of(between, other, k), ald_at(columns, order, k)));
        for (int64_t i = 0; i < order; i++)
            for (int64_t j = 0; j < k; j++) c[i * order + j0 + j] = columns[i * k + j];
        ALD_TRY(ald_progress(run, "forming the scatter matrix", (double)(j0 + k) / (double)order));
    }
    return ALD_OK;
}

static ald_status scatter(ald_run *run, const ald_operator *z, const double *h, int64_t k, double *c,
                          double *b)
{
    if (k > 0) ALD_TRY(apply_transposed(run, z, h, k, b));
    return square(run, z, 1, c);
}

ald_status ald_sparse_gram(ald_run *run, const ald_operator *z, double *g)
{
    return square(run, z, 0, g);
}

ald_status ald_sparse_visit(ald_run *run, const ald_matrix *x, ald_entry_fn visit, void *work)
{
    ald_slice_buffer buffer;
    ALD_TRY(ald_slice_buffer_new(run, x, &buffer));
    for (int64_t s = 0; s < ald_slice_count(x); s++) {
        const ald_slice entries = ald_slice_at(x, s, &buffer);
        for (int64_t e = 0; e < entries.count; e++)
            visit(work, x->storage == ALD_CSR ? s : entries.indices[e],
                  x->storage == ALD_CSR ? entries.indices[e] : s, entries.values[e]);
    }
    return ALD_OK;
}

/* |Z|_F^2: all entries as if X were 0, and the difference that each stored entry makes. Column j contributes
 * q_j^2 sum_i (h_i + f_i m_j)^2 when X is 0. */
typedef struct norm_work {
    const ald_operator *z;
    double sum;
} norm_work;

static void norm_entry(void *work, int64_t i, int64_t j, double value)
{
    norm_work *w = work;
    const double base = ald_row_shift(w->z, i) + ald_row_weight(w->z, i) * (w->z->mean ? w->z->mean[j] : 0.0);
    const double q = w->z->inverse_scale ? w->z->inverse_scale[j] : 1.0;
    const double entry = ald_row_factor(w->z, i) * value - base;
    w->sum += q * q * (entry * entry - base * base);
}

/* The same differences are squares about the mean, of rows of the weights f^2. */
static ald_status norm_on_card(ald_run *run, const ald_operator *z, norm_work *work, int *done)
{
    const int64_t n = z->x.rows, d = z->x.cols;
    double *weights, *zeros, *squares;
    *done = 0;
    if (!run->call.held) return ALD_OK;
    ALD_TRY(ald_scratch_zeros(run, d, 1, &zeros));
    ALD_TRY(ALD_SCRATCH(run, {&weights, n, 1}, {&squares, d, 1}));
    for (int64_t i = 0; i < n; i++) weights[i] = ald_row_weight(z, i) * ald_row_weight(z, i);
    const ald_card_entries entries = {
        .weights = weights,
        .mean = z->mean ? z->mean : zeros,
        .squares = squares,
        .differences = 1,
    };
    ALD_TRY(ald_card_entry_sums(run, z, &entries, done));
    for (int64_t j = 0; *done && j < d; j++) {
        const double q = z->inverse_scale ? z->inverse_scale[j] : 1.0;
        work->sum += q * q * squares[j];
    }
    return ALD_OK;
}

ald_status ald_sparse_square_norm(ald_run *run, const ald_operator *z, double *sum)
{
    double hh = 0.0, hf = 0.0, ff = 0.0;
    norm_work work = {z, 0.0};
    for (int64_t i = 0; i < z->x.rows; i++) {
        hh += ald_row_shift(z, i) * ald_row_shift(z, i);
        hf += ald_row_shift(z, i) * ald_row_weight(z, i);
        ff += ald_row_weight(z, i) * ald_row_weight(z, i);
    }
    for (int64_t j = 0; j < z->x.cols; j++) {
        const double m = z->mean ? z->mean[j] : 0.0, q = z->inverse_scale ? z->inverse_scale[j] : 1.0;
        work.sum += q * q * (hh + 2.0 * m * hf + m * m * ff);
    }
    int done;
    ALD_TRY(norm_on_card(run, z, &work, &done));
    if (!done) ALD_TRY(ald_sparse_visit(run, &z->x, norm_entry, &work));
    *sum = work.sum;
    return ALD_OK;
}

typedef struct row_work {
    double *sums, *squares;
    double *mean, *spread;
} row_work;

static void row_sums(void *work, int64_t i, int64_t j, double value)
{
    (void)j;
    row_work *w = work;
    w->sums[i] += value;
    w->squares[i] += value * value;
}

static void row_spread(void *work, int64_t i, int64_t j, double value)
{
    (void)j;
    row_work *w = work;
    const double from_mean = value - w->mean[i];
    w->spread[i] += from_mean * from_mean - w->mean[i] * w->mean[i];
}

ald_status ald_sparse_row_moments(ald_run *run, const ald_matrix *x, double *mean, double *deviation,
                                  double *length)
{
    const int64_t n = x->rows;
    const double d = (double)x->cols;
    row_work work;
    ALD_TRY(ald_scratch_zeros(run, n, 1, &work.sums));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &work.squares));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &work.mean));
    ALD_TRY(ald_scratch_zeros(run, n, 1, &work.spread));
    ALD_TRY(ald_sparse_visit(run, x, row_sums, &work));
    for (int64_t i = 0; i < n; i++) {
        work.mean[i] = work.sums[i] / d;
        work.spread[i] = d * work.mean[i] * work.mean[i];
    }
    if (deviation) ALD_TRY(ald_sparse_visit(run, x, row_spread, &work));
    for (int64_t i = 0; i < n; i++) {
        if (mean) mean[i] = work.mean[i];
        if (deviation) deviation[i] = sqrt(fmax(work.spread[i], 0.0) / d);
        if (length) length[i] = sqrt(work.squares[i]);
    }
    return ALD_OK;
}

ald_status ald_sparse_find_bad(ald_run *run, const ald_matrix *x, int64_t *row, int64_t *column)
{
    (void)run;
    for (int64_t s = 0; s < ald_slice_count(x); s++)
        for (int64_t e = ald_slice_begin(x, s); e < ald_slice_begin(x, s + 1); e++) {
            if (isfinite(ald_matrix_value(x, e))) continue;
            const int64_t index = ald_matrix_index(x, x->indices, e);
            *row = x->storage == ALD_CSR ? s : index;
            *column = x->storage == ALD_CSR ? index : s;
            return ALD_OK;
        }
    return ALD_OK;
}

const ald_storage_ops ald_sparse_storage = {
    .apply = sparse_apply,
    .apply_transposed = apply_transposed,
    .advance = ald_advance_in_two,
    .scatter = scatter,
    .gram = ald_sparse_gram,
    .square_norm = ald_sparse_square_norm,
    .row_moments = ald_sparse_row_moments,
    .column_statistics = ald_sparse_column_statistics,
    .find_bad = ald_sparse_find_bad,
    .lacks = ALD_SPARSE_LACKS,
};
