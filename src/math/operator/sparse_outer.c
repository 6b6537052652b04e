/* With g, h, f, m and D as in sparse.c and x_j the columns of X,
 *
 *   s_j = D_j^2 ( x_j'(g o u) - h'u - m_j f'u ),
 *   Z Z'u = g o (sum_j x_j s_j) - h (sum_j s_j) - f (sum_j m_j s_j),
 *
 * where s_j (k numbers) is used at once and never stored: of the two products that a column of X takes part
 * in the second finds its rows of u and w in cache. Nothing of size d x k is written.
 *
 * Rows of u and w are padded to whole lines of eight numbers, so that a row is so many lines and no more.
 * Every thread adds up columns of its own; the sums are added in the order of the threads. */

#include "base/numbers/wide.h"
#include "base/threads/threads.h"
#include "math/linalg/linalg.h"
#include "math/operator/sparse.h"

#include <string.h>

enum { line = 8, most_lines = 3 };

typedef struct outer_work {
    const ald_operator *z;
    int64_t n, k, stride;
    int parts;
    const double *u;         /* n x k */
    double *in;              /* n x stride: g o u */
    double *shifts, *means;  /* stride: h'u, f'u */
    double *sums;            /* parts x n x stride */
    double *ends;            /* parts x 2 stride: sums of s_j and of m_j s_j */
    ald_slice_buffer *slots; /* one per part */
    double *w;               /* n x k */
} outer_work;

/* g o u in padded rows, and h'u and f'u. */
static void outer_begin(const outer_work *t)
{
    memset(t->shifts, 0, (size_t)t->stride * sizeof *t->shifts);
    memset(t->means, 0, (size_t)t->stride * sizeof *t->means);
    for (int64_t i = 0; i < t->n; i++) {
        const double g = ald_row_factor(t->z, i), h = ald_row_shift(t->z, i), f = ald_row_weight(t->z, i);
        const double *u = t->u + i * t->k;
        double *in = t->in + i * t->stride;
        for (int64_t c = 0; c < t->k; c++) {
            in[c] = g * u[c];
            t->shifts[c] += h * u[c];
            t->means[c] += f * u[c];
        }
        for (int64_t c = t->k; c < t->stride; c++) in[c] = 0.0;
    }
}

/* Column j of X and `lines` lines of eight columns of u from c on: s_j is found, and x_j s_j added to the
 * rows of `sums`. */
ALD_WITHIN void outer_lines(const outer_work *t, int64_t j, int64_t c, const ald_slice *x, int lines,
                            double *restrict sums, double *restrict ends)
{
    const double q = t->z->inverse_scale ? t->z->inverse_scale[j] : 1.0, m = t->z->mean ? t->z->mean[j] : 0.0;
    const int64_t *rows = x->indices;
    const int64_t stride = t->stride;
    ald_eight s[most_lines] = {{0.0}};
    for (int64_t e = 0; e < x->count; e++)
        for (int i = 0; i < lines; i++)
            s[i] += x->values[e] * ALD_EIGHT_OF(t->in + rows[e] * stride + c + i * line);
    for (int i = 0; i < lines; i++) {
        const int64_t at = c + i * line;
        s[i] = (q * q) * (s[i] - ALD_EIGHT_OF(t->shifts + at) - m * ALD_EIGHT_OF(t->means + at));
        ALD_EIGHT(ends + at) += s[i];
        ALD_EIGHT(ends + stride + at) += m * s[i];
    }
    for (int64_t e = 0; e < x->count; e++)
        for (int i = 0; i < lines; i++)
            ALD_EIGHT(sums + rows[e] * stride + c + i * line) += x->values[e] * s[i];
}

ALD_WIDE static void outer_column(const outer_work *t, int64_t j, const ald_slice *x, double *restrict sums,
                                  double *restrict ends)
{
    int64_t c = 0;
    for (; c + most_lines * line <= t->stride; c += most_lines * line)
        outer_lines(t, j, c, x, most_lines, sums, ends);
    if (c + 2 * line <= t->stride)
        outer_lines(t, j, c, x, 2, sums, ends);
    else if (c < t->stride)
        outer_lines(t, j, c, x, 1, sums, ends);
}

static void outer_part(void *work, int part)
{
    const outer_work *t = work;
    const ald_matrix *x = &t->z->x;
    const int64_t end = ald_slices_first(x, t->parts, part + 1);
    double *sums = t->sums + part * t->n * t->stride, *ends = t->ends + part * 2 * t->stride;
    memset(sums, 0, (size_t)(t->n * t->stride) * sizeof *sums);
    memset(ends, 0, (size_t)(2 * t->stride) * sizeof *ends);
    for (int64_t j = ald_slices_first(x, t->parts, part); j < end; j++) {
        const ald_slice column = ald_slice_at(x, j, &t->slots[part]);
        outer_column(t, j, &column, sums, ends);
    }
}

/* w = g o sums - h (sum of s) - f (sum of m s), rows of a part. */
static void outer_end(void *work, int part)
{
    const outer_work *t = work;
    const int64_t end = ald_part_begin(t->n, t->parts, part + 1);
    for (int64_t i = ald_part_begin(t->n, t->parts, part); i < end; i++) {
        const double g = ald_row_factor(t->z, i), h = ald_row_shift(t->z, i), f = ald_row_weight(t->z, i);
        for (int64_t c = 0; c < t->k; c++) {
            double sum = 0.0;
            for (int p = 0; p < t->parts; p++) sum += t->sums[(p * t->n + i) * t->stride + c];
            t->w[i * t->k + c] = g * sum - h * t->ends[c] - f * t->ends[t->stride + c];
        }
    }
}

static void add_ends(const outer_work *t)
{
    for (int p = 1; p < t->parts; p++)
        for (int64_t c = 0; c < 2 * t->stride; c++) t->ends[c] += t->ends[p * 2 * t->stride + c];
}

/* The first place from here on where a line of the cache begins. */
static double *at_a_line(double *place)
{
    const size_t bytes = line * sizeof *place;
    return place + (bytes - (uintptr_t)place % bytes) % bytes / sizeof *place;
}

static ald_status outer_room(ald_run *run, outer_work *t)
{
    ALD_TRY(ALD_SCRATCH(run, {&t->in, t->n + 1, t->stride}, {&t->shifts, t->stride, 1},
                        {&t->means, t->stride, 1}, {&t->sums, t->parts * t->n + 1, t->stride},
                        {&t->ends, t->parts * 2, t->stride}));
    t->in = at_a_line(t->in);
    t->sums = at_a_line(t->sums);
    ALD_TRY(ald_scratch(run, t->parts, 1, sizeof *t->slots, &t->slots));
    for (int part = 0; part < t->parts; part++) ALD_TRY(ald_slice_buffer_new(run, &t->z->x, &t->slots[part]));
    return ALD_OK;
}

ald_status ald_sparse_outer(ald_run *run, const ald_operator *z, ald_view u, ald_area w)
{
    enum { grain = 1 << 16 };
    const uint64_t mark = ald_arena_mark(&run->scratch);
    outer_work t = {
        .z = z,
        .n = z->x.rows,
        .k = u.cols,
        .stride = (u.cols + line - 1) / line * line,
        .parts = ald_parts(run, ald_matrix_entries(&z->x) * u.cols, grain),
        .u = u.data,
        .w = w.data,
    };
    ALD_TRY(outer_room(run, &t));
    outer_begin(&t);
    ald_parallel(t.parts, outer_part, &t);
    add_ends(&t);
    ald_parallel(t.parts, outer_end, &t);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

/* The other order of a sparse matrix. Products with k columns reach into the matrix on one side entry by
 * entry: of rows kept row by row (CSR) the side of the columns of X, of columns (CSC) that of its rows. The
 * shorter side stays in cache. */

typedef struct turning {
    int by_rows;    /* the new order */
    int64_t *next;  /* where the next entry of a slice goes */
    int64_t *count; /* of entries of a slice, at 1 + its number */
    int64_t *indices;
    double *values;
} turning;

static void count_entry(void *work, int64_t row, int64_t column, double value)
{
    const turning *t = work;
    (void)value;
    t->count[1 + (t->by_rows ? row : column)]++;
}

/* Entries come slice by slice of the old order, so that they ascend in the new one. */
static void place_entry(void *work, int64_t row, int64_t column, double value)
{
    const turning *t = work;
    const int64_t at = t->next[t->by_rows ? row : column]++;
    t->indices[at] = t->by_rows ? column : row;
    t->values[at] = value;
}

int ald_sparse_better_turned(const ald_matrix *x)
{
    if (x->storage == ALD_CSR) return x->rows < x->cols / 2;
    return x->storage == ALD_CSC && x->cols < x->rows / 2;
}

ald_status ald_sparse_ordered(ald_run *run, const ald_matrix *x, int by_rows, ald_matrix *ordered)
{
    const int64_t slices = by_rows ? x->rows : x->cols, entries = ald_matrix_entries(x);
    turning t = {.by_rows = by_rows};
    ALD_TRY(ald_scratch(run, slices + 1, 1, sizeof *t.count, &t.count));
    ALD_TRY(ald_scratch(run, slices + 1, 1, sizeof *t.next, &t.next));
    ALD_TRY(ald_scratch(run, entries, 1, sizeof *t.indices, &t.indices));
    ALD_TRY(ald_scratch_reals(run, entries, 1, &t.values));
    memset(t.count, 0, (size_t)(slices + 1) * sizeof *t.count);
    ALD_TRY(ald_sparse_visit(run, x, count_entry, &t));
    for (int64_t s = 0; s < slices; s++) t.count[s + 1] += t.count[s];
    memcpy(t.next, t.count, (size_t)(slices + 1) * sizeof *t.next);
    ALD_TRY(ald_sparse_visit(run, x, place_entry, &t));
    *ordered = ald_matrix_csr(x->rows, x->cols, t.count, t.indices, t.values);
    ordered->storage = by_rows ? ALD_CSR : ALD_CSC;
    return ALD_OK;
}
