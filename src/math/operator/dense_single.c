/* Dense storage: products of one vector with rows that only lose their mean. Nothing is copied: X is read
 * where it stands.
 *
 * By rows, four at a time, so that a sum of a column is loaded and stored once for all of them. By columns,
 * as R and Fortran store them, in stretches of rows that stay in the cache: with A the rows of a stretch,
 *
 *   t = sum_j (a_j - mean_j) v_j,    sums_j += (a_j - mean_j)'t.
 *
 * A sum of products has eight lanes, which do not depend on how wide the vectors of the processor are. */
#include "base/numbers/wide.h"
#include "math/operator/dense.h"
#include "math/operator/operator.h"

#include <string.h>

enum { together = 4, lanes = 8 };

int ald_single_serves(const ald_operator *z)
{
    const int by_rows = z->x.col_stride == 1, by_columns = z->x.row_stride == 1 && z->x.type == ALD_F64;
    return z->x.storage == ALD_DENSE && (by_rows || by_columns) && z->mean && !z->row_shift && !z->row_factor;
}

static double add_lanes(const double sums[lanes])
{
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* t = (row - mean)'v, and sums += sum of t (row - mean) over four rows, for both types of X. */
#define ROW_LOOPS(type, suffix)                                                                              \
    ALD_WIDE static double product_##suffix(int64_t d, const type *restrict row,                             \
                                            const double *restrict mean, const double *restrict v)           \
    {                                                                                                        \
        double sums[lanes] = {0.0};                                                                          \
        int64_t j = 0;                                                                                       \
        for (; j + lanes <= d; j += lanes)                                                                   \
            for (int l = 0; l < lanes; l++) sums[l] += ((double)row[j + l] - mean[j + l]) * v[j + l];        \
        for (int l = 0; j < d; j++, l++) sums[l] += ((double)row[j] - mean[j]) * v[j];                       \
        return add_lanes(sums);                                                                              \
    }                                                                                                        \
    ALD_WIDE static void add_four_##suffix(int64_t d, const type *restrict rows, int64_t stride,             \
                                           const double *restrict mean, const double *restrict t,            \
                                           double *restrict sums)                                            \
    {                                                                                                        \
        const type *restrict r1 = rows + stride, *restrict r2 = rows + 2 * stride,                           \
                             *restrict r3 = rows + 3 * stride;                                               \
        for (int64_t j = 0; j < d; j++) {                                                                    \
            const double m = mean[j];                                                                        \
            sums[j] += (t[0] * ((double)rows[j] - m) + t[1] * ((double)r1[j] - m)) +                         \
                       (t[2] * ((double)r2[j] - m) + t[3] * ((double)r3[j] - m));                            \
        }                                                                                                    \
    }                                                                                                        \
    ALD_WIDE static void add_one_##suffix(int64_t d, const type *restrict row, const double *restrict mean,  \
                                          double t, double *restrict sums)                                   \
    {                                                                                                        \
        for (int64_t j = 0; j < d; j++) sums[j] += t * ((double)row[j] - mean[j]);                           \
    }

ROW_LOOPS(double, f64)
ROW_LOOPS(float, f32)

/* t of a row, its weight applied once for Z v; `factor` is what the row is added with. */
static double row_product(const ald_operator *z, int64_t i, const double *v)
{
    const int64_t d = z->x.cols, at = i * z->x.row_stride;
    const double sum = z->x.type == ALD_F64 ? product_f64(d, (const double *)z->x.values + at, z->mean, v)
                                            : product_f32(d, (const float *)z->x.values + at, z->mean, v);
    return z->row_weight ? z->row_weight[i] * sum : sum;
}

static void add_rows(const ald_operator *z, int64_t i, int count, const double *t, double *sums)
{
    const int64_t d = z->x.cols, stride = z->x.row_stride;
    const double *wide = (const double *)z->x.values + i * stride;
    const float *single = (const float *)z->x.values + i * stride;
    const int is_wide = z->x.type == ALD_F64;
    if (count == together && is_wide) add_four_f64(d, wide, stride, z->mean, t, sums);
    if (count == together && !is_wide) add_four_f32(d, single, stride, z->mean, t, sums);
    for (int r = 0; count < together && r < count; r++)
        if (is_wide)
            add_one_f64(d, wide + r * stride, z->mean, t[r], sums);
        else
            add_one_f32(d, single + r * stride, z->mean, t[r], sums);
}

/* Rows i0 .. i0 + m where they stand. */
static void add_by_rows(const ald_operator *z, const ald_single *p, int64_t i0, int64_t m, double *sums)
{
    for (int64_t i = i0; i < i0 + m; i += together) {
        const int count = i0 + m - i < together ? (int)(i0 + m - i) : together;
        double factors[together] = {0.0};
        for (int r = 0; r < count; r++) {
            double own = p->v ? row_product(z, i + r, p->v) : p->in[i + r];
            if (p->u) own = p->u[i + r] = own - *p->alpha * p->u[i + r];
            factors[r] = z->row_weight ? z->row_weight[i + r] * own : own;
        }
        add_rows(z, i, count, factors, sums);
    }
}

/* t (m) += sum of (column - mean) v over four columns. */
ALD_WIDE static void add_columns(int64_t m, const double *restrict first, int64_t stride,
                                 const double *restrict mean, const double *restrict v, double *restrict t)
{
    const double *restrict c1 = first + stride, *restrict c2 = first + 2 * stride,
                           *restrict c3 = first + 3 * stride;
    for (int64_t i = 0; i < m; i++)
        t[i] += (v[0] * (first[i] - mean[0]) + v[1] * (c1[i] - mean[1])) +
                (v[2] * (c2[i] - mean[2]) + v[3] * (c3[i] - mean[3]));
}

ALD_WIDE static void add_column(int64_t m, const double *restrict column, double mean, double v,
                                double *restrict t)
{
    for (int64_t i = 0; i < m; i++) t[i] += v * (column[i] - mean);
}

/* (column - mean)'t */
ALD_WIDE static double column_product(int64_t m, const double *restrict column, double mean,
                                      const double *restrict t)
{
    double sums[lanes] = {0.0};
    int64_t i = 0;
    for (; i + lanes <= m; i += lanes)
        for (int l = 0; l < lanes; l++) sums[l] += (column[i + l] - mean) * t[i + l];
    for (int l = 0; i < m; i++, l++) sums[l] += (column[i] - mean) * t[i];
    return add_lanes(sums);
}

/* t (m) = the products of rows i0 .. i0 + m with v. */
static void multiply_by_columns(const ald_operator *z, const double *v, int64_t i0, int64_t m, double *t)
{
    const int64_t d = z->x.cols, stride = z->x.col_stride;
    const double *x = (const double *)z->x.values + i0;
    int64_t j = 0;
    memset(t, 0, (size_t)m * sizeof *t);
    for (; j + together <= d; j += together) add_columns(m, x + j * stride, stride, z->mean + j, v + j, t);
    for (; j < d; j++) add_column(m, x + j * stride, z->mean[j], v[j], t);
    for (int64_t i = 0; z->row_weight && i < m; i++) t[i] *= z->row_weight[i0 + i];
}

static void add_by_columns(const ald_operator *z, const ald_single *p, int64_t i0, int64_t m, double *sums)
{
    const double *x = (const double *)z->x.values + i0;
    double *t = p->room;
    if (p->v)
        multiply_by_columns(z, p->v, i0, m, t);
    else
        memcpy(t, p->in + i0, (size_t)m * sizeof *t);
    for (int64_t i = 0; p->u && i < m; i++) t[i] = p->u[i0 + i] = t[i] - *p->alpha * p->u[i0 + i];
    for (int64_t i = 0; z->row_weight && i < m; i++) t[i] *= z->row_weight[i0 + i];
    for (int64_t j = 0; j < z->x.cols; j++)
        sums[j] += column_product(m, x + j * z->x.col_stride, z->mean[j], t);
}

void ald_single_add(const ald_operator *z, const ald_single *p, int64_t i0, int64_t m, double *sums)
{
    if (z->x.col_stride == 1)
        add_by_rows(z, p, i0, m, sums);
    else
        add_by_columns(z, p, i0, m, sums);
}
