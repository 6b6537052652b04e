/* Blocks of dense Z (dense.h): rows i0 .. i0 + m, columns j0 .. j0 + c of X, widened to double and
 * prepared as
 *
 *   z_ij = w_i ((x_ij - s_i) a_i - m_j) q_j,
 *
 * each step left out where its vector is NULL; or X itself where there is nothing to do. */
#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "math/operator/dense.h"

#include <stdlib.h>

/* Columns that stand side by side are read eight at a time, so that a line of memory is written whole. */
enum { tile = 8 };

#define COPY(type, suffix)                                                                                   \
    ALD_WITHIN void copy_some_##suffix(int64_t m, int64_t wide, const type *from, int64_t rs, int64_t cs,    \
                                       double *out, int64_t c)                                               \
    {                                                                                                        \
        for (int64_t i = 0; i < m; i++)                                                                      \
            for (int64_t j = 0; j < wide; j++) out[i * c + j] = (double)from[i * rs + j * cs];               \
    }                                                                                                        \
    static void copy_##suffix(const ald_matrix *x, const type *from, int64_t m, int64_t c, double *out)      \
    {                                                                                                        \
        const int64_t rs = x->row_stride, cs = x->col_stride;                                                \
        int64_t j = 0;                                                                                       \
        for (; llabs(rs) < llabs(cs) && j + tile <= c; j += tile)                                            \
            copy_some_##suffix(m, tile, from + j * cs, rs, cs, out + j, c);                                  \
        if (cs == 1)                                                                                         \
            copy_some_##suffix(m, c, from, rs, 1, out, c);                                                   \
        else                                                                                                 \
            copy_some_##suffix(m, c - j, from + j * cs, rs, cs, out + j, c);                                 \
    }
COPY(double, f64)
COPY(float, f32)

void ald_dense_copy(const ald_matrix *x, int64_t i0, int64_t m, int64_t j0, int64_t c, double *out)
{
    const int64_t at = i0 * x->row_stride + j0 * x->col_stride;
    if (x->type == ALD_F64)
        copy_f64(x, (const double *)x->values + at, m, c, out);
    else
        copy_f32(x, (const float *)x->values + at, m, c, out);
}

ald_matrix ald_dense_standing(const ald_matrix *x, int64_t i0, int64_t m, double *buffer)
{
    ald_matrix rows = ald_matrix_row_major(buffer, m, x->cols, x->cols);
    if (x->col_stride != 1) {
        ald_dense_copy(x, i0, m, 0, x->cols, buffer);
        return rows;
    }
    const size_t size = x->type == ALD_F64 ? sizeof(double) : sizeof(float);
    rows.type = x->type;
    rows.row_stride = x->row_stride;
    rows.values = (const char *)x->values + i0 * x->row_stride * (ptrdiff_t)size;
    return rows;
}

static void prepare_row(const ald_operator *z, int64_t i, int64_t j0, int64_t c, double *row)
{
    if (z->row_shift)
        for (int64_t j = 0; j < c; j++) row[j] -= z->row_shift[i];
    if (z->row_factor)
        for (int64_t j = 0; j < c; j++) row[j] *= z->row_factor[i];
    if (z->mean)
        for (int64_t j = 0; j < c; j++) row[j] -= z->mean[j0 + j];
    if (z->inverse_scale)
        for (int64_t j = 0; j < c; j++) row[j] *= z->inverse_scale[j0 + j];
    if (z->row_weight)
        for (int64_t j = 0; j < c; j++) row[j] *= z->row_weight[i];
}

int ald_dense_is_plain(const ald_operator *z)
{
    return z->x.type == ALD_F64 && z->x.col_stride == 1 && z->x.row_stride >= z->x.cols && !z->row_shift &&
           !z->row_factor && !z->mean && !z->inverse_scale && !z->row_weight;
}

/* The most frequent case in one sweep: rows that only lose their mean. */
static int copy_centred(const ald_operator *z, int64_t i0, int64_t m, int64_t j0, int64_t c, double *out)
{
    if (z->x.col_stride != 1 || z->row_shift || z->row_factor || !z->mean || z->inverse_scale ||
        z->row_weight)
        return 0;
    const int64_t stride = z->x.row_stride, first = i0 * stride + j0;
    const double *restrict mean = z->mean + j0;
    for (int64_t i = 0; i < m; i++) {
        double *restrict row = out + i * c;
        const double *wide = (const double *)z->x.values + first + i * stride;
        const float *single = (const float *)z->x.values + first + i * stride;
        if (z->x.type == ALD_F64)
            for (int64_t j = 0; j < c; j++) row[j] = wide[j] - mean[j];
        else
            for (int64_t j = 0; j < c; j++) row[j] = (double)single[j] - mean[j];
    }
    return 1;
}

ald_view ald_dense_block(const ald_operator *z, int64_t i0, int64_t m, int64_t j0, int64_t c, double *buffer)
{
    if (ald_dense_is_plain(z))
        return (ald_view){(const double *)z->x.values + i0 * z->x.row_stride + j0, m, c, z->x.row_stride, 0};
    if (copy_centred(z, i0, m, j0, c, buffer)) return ald_of(buffer, m, c);
    ald_dense_copy(&z->x, i0, m, j0, c, buffer);
    for (int64_t i = 0; i < m; i++) prepare_row(z, i0 + i, j0, c, buffer + i * c);
    return ald_of(buffer, m, c);
}

void ald_dense_block_shape(int64_t rows, int64_t cols, int64_t *m, int64_t *c)
{
    *c = ald_least(cols, ald_dense_widest_block);
    *m = ald_least(rows, *c ? (ald_dense_block_entries + *c - 1) / *c : 1);
    if (*m < 1) *m = 1;
}

void ald_dense_write_rows(const ald_operator *z, int64_t i0, int64_t m, double *rows)
{
    if (copy_centred(z, i0, m, 0, z->x.cols, rows)) return;
    ald_dense_copy(&z->x, i0, m, 0, z->x.cols, rows);
    for (int64_t i = 0; i < m; i++) prepare_row(z, i0 + i, 0, z->x.cols, rows + i * z->x.cols);
}

ald_status ald_dense_rows(ald_run *run, const ald_operator *z, int64_t i0, int64_t m, double *rows)
{
    enum { values = 1 << 18 }; /* between two questions */
    const int64_t d = z->x.cols, step = 1 + values / (d + 1);
    for (int64_t i = 0; i < m; i += step) {
        const int64_t count = ald_least(step, m - i);
        ALD_TRY(ald_ask_after(run, 4.0 * ALD_VALUE_WORK * (double)(count * d)));
        ald_dense_write_rows(z, i0 + i, count, rows + i * d);
    }
    return ALD_OK;
}
