/* Four rows at a time, so that a sum of a column is loaded and stored once for all of them. A product of a
 * row with v has eight sums, which do not depend on how wide the vectors of the processor are. */
#include "math/operator/dense_rows.h"

#include "base/numbers/wide.h"

enum { together = 4, lanes = 8 };

int ald_dense_rows_serve(const ald_operator *z)
{
    return z->x.storage == ALD_DENSE && z->x.col_stride == 1 && z->mean && !z->row_shift && !z->row_factor;
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

void ald_dense_rows_add(const ald_operator *z, int64_t i0, int64_t m, const double *t, const double *v,
                        double alpha, double *u, double *sums)
{
    for (int64_t i = 0; i < m; i += together) {
        const int count = m - i < together ? (int)(m - i) : together;
        double factors[together] = {0.0};
        for (int r = 0; r < count; r++) {
            double own = t ? t[i + r] : row_product(z, i0 + i + r, v);
            if (u) own = u[i + r] = own - alpha * u[i + r];
            factors[r] = z->row_weight ? z->row_weight[i0 + i + r] * own : own;
        }
        add_rows(z, i0 + i, count, factors, sums);
    }
}

void ald_dense_rows_scale(const ald_operator *z, const double *in, double *out)
{
    for (int64_t j = 0; j < z->x.cols; j++) out[j] = z->inverse_scale ? z->inverse_scale[j] * in[j] : in[j];
}
