/* Dense storage: products of one vector with rows that only lose their mean.
 *
 * By rows, four are taken at a time, so that a sum of a column is loaded and stored once for all of them. A
 * sum over the entries of a row has eight lanes, which do not depend on how wide the vectors of the processor
 * are. By columns, as R and Fortran store X, the same sums are made in the same order, so that the bytes are
 * the same: the lanes of some rows are kept side by side, and four rows of a column are added at once. */
#include "math/linalg/few_kinds.h"
#include "math/operator/dense.h"
#include "math/operator/operator.h"

enum { together = 4, lanes = 8, chunk = 128 };

int ald_single_serves(const ald_operator *z)
{
    return z->x.storage == ALD_DENSE && z->mean && !z->row_shift && !z->row_factor;
}

static double add_lanes(const double sums[lanes])
{
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* t = (row - mean)'v, and sums += sum of t (row - mean) over four rows, for both types of X. */
#define ROW_LOOPS(type, suffix)                                                                              \
    ALD_WITHIN void multiply_rows_##suffix(int count, int64_t d, const type *rows, int64_t stride,           \
                                           const double *mean, const double *v, double *t)                   \
    {                                                                                                        \
        ald_eight sums[together] = {{0.0}};                                                                  \
        int64_t j = 0;                                                                                       \
        for (; j + lanes <= d; j += lanes) {                                                                 \
            const ald_eight m = ALD_EIGHT_OF(mean + j), factors = ALD_EIGHT_OF(v + j);                       \
            for (int r = 0; r < count; r++)                                                                  \
                sums[r] += (EIGHT_OF_##suffix(rows + r * stride + j) - m) * factors;                         \
        }                                                                                                    \
        for (int l = 0; j < d; j++, l++)                                                                     \
            for (int r = 0; r < count; r++) sums[r][l] += ((double)rows[r * stride + j] - mean[j]) * v[j];   \
        for (int r = 0; r < count; r++) t[r] = add_lanes((const double *)&sums[r]);                          \
    }                                                                                                        \
    ALD_WIDE static void multiply_##suffix(int count, int64_t d, const type *rows, int64_t stride,           \
                                           const double *mean, const double *v, double *t)                   \
    {                                                                                                        \
        if (count == together) multiply_rows_##suffix(together, d, rows, stride, mean, v, t);                \
        for (int r = 0; count < together && r < count; r++)                                                  \
            multiply_rows_##suffix(1, d, rows + r * stride, stride, mean, v, t + r);                         \
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

/* t = (row - mean)'v for `count` rows from i on. */
static void multiply_rows(const ald_matrix *x, int64_t i, int count, const double *mean, const double *v,
                          double *t)
{
    const int64_t d = x->cols, stride = x->row_stride;
    if (x->type == ALD_F64)
        multiply_f64(count, d, (const double *)x->values + i * stride, stride, mean, v, t);
    else
        multiply_f32(count, d, (const float *)x->values + i * stride, stride, mean, v, t);
}

static void add_rows(const ald_matrix *x, int64_t i, int count, const double *mean, const double *t,
                     double *sums)
{
    const int64_t d = x->cols, stride = x->row_stride;
    const double *wide = (const double *)x->values + i * stride;
    const float *single = (const float *)x->values + i * stride;
    const int is_wide = x->type == ALD_F64;
    if (count == together && is_wide) add_four_f64(d, wide, stride, mean, t, sums);
    if (count == together && !is_wide) add_four_f32(d, single, stride, mean, t, sums);
    for (int r = 0; count < together && r < count; r++)
        if (is_wide)
            add_one_f64(d, wide + r * stride, mean, t[r], sums);
        else
            add_one_f32(d, single + r * stride, mean, t[r], sums);
}

/* What row `at` of Z is added with; `product` is that of the row with v. */
static double factor_of(const ald_operator *z, const ald_single *p, int64_t at, double product)
{
    const double weight = z->row_weight ? z->row_weight[at] : 1.0;
    double own = p->v ? weight * product : p->in[at];
    if (p->u) own = p->u[at] = own - *p->alpha * p->u[at];
    return weight * own;
}

static void add_by_rows(const ald_operator *z, const ald_single *p, const ald_matrix *x, int64_t i0,
                        double *sums)
{
    for (int64_t i = 0; i < x->rows; i += together) {
        const int count = x->rows - i < together ? (int)(x->rows - i) : together;
        double factors[together] = {0.0};
        if (p->v) multiply_rows(x, i, count, z->mean, p->v, factors);
        for (int r = 0; r < count; r++) factors[r] = factor_of(z, p, i0 + i + r, factors[r]);
        add_rows(x, i, count, z->mean, factors, sums);
    }
}

/* t += (column - mean) v */
ALD_WIDE static void add_column(int64_t m, const double *restrict column, double mean, double v,
                                double *restrict t)
{
    for (int64_t i = 0; i < m; i++) t[i] += (column[i] - mean) * v;
}

/* t (m, at most a chunk) = the products of rows with v. */
static void multiply_by_columns(const ald_matrix *x, const double *mean, const double *v, double *t)
{
    double kept[lanes][chunk] = {{0.0}};
    const int64_t m = x->rows;
    for (int64_t j = 0; j < x->cols; j++)
        add_column(m, (const double *)x->values + j * x->col_stride, mean[j], v[j], kept[j % lanes]);
    for (int64_t i = 0; i < m; i++) {
        double own[lanes];
        for (int l = 0; l < lanes; l++) own[l] = kept[l][i];
        t[i] = add_lanes(own);
    }
}

/* sums (`count`, at most four) += (column - mean)'t of columns `stride` apart. */
ALD_WITHIN void add_products(int count, int64_t m, const double *restrict x, int64_t stride,
                             const double *restrict mean, const double *restrict t, double *restrict sums)
{
    double own[together];
    int64_t i = 0;
    for (int c = 0; c < count; c++) own[c] = sums[c];
    for (; i + together <= m; i += together)
        for (int c = 0; c < count; c++) {
            const double *r = x + c * stride + i;
            own[c] += (t[i] * (r[0] - mean[c]) + t[i + 1] * (r[1] - mean[c])) +
                      (t[i + 2] * (r[2] - mean[c]) + t[i + 3] * (r[3] - mean[c]));
        }
    for (; i < m; i++)
        for (int c = 0; c < count; c++) own[c] += t[i] * (x[c * stride + i] - mean[c]);
    for (int c = 0; c < count; c++) sums[c] = own[c];
}

ALD_WIDE static void add_columns(const ald_matrix *x, const double *restrict mean, const double *restrict t,
                                 double *restrict sums)
{
    const int64_t stride = x->col_stride;
    const double *values = x->values;
    int64_t j = 0;
    for (; j + together <= x->cols; j += together)
        add_products(together, x->rows, values + j * stride, stride, mean + j, t, sums + j);
    for (; j < x->cols; j++) add_products(1, x->rows, values + j * stride, stride, mean + j, t, sums + j);
}

static void add_by_columns(const ald_operator *z, const ald_single *p, const ald_matrix *x, int64_t i0,
                           double *sums)
{
    double t[chunk] = {0.0};
    for (int64_t i = 0; i < x->rows; i += chunk) {
        ald_matrix part = *x;
        part.rows = x->rows - i < chunk ? x->rows - i : chunk;
        part.values = (const double *)x->values + i;
        if (p->v) multiply_by_columns(&part, z->mean, p->v, t);
        for (int64_t r = 0; r < part.rows; r++) t[r] = factor_of(z, p, i0 + i + r, t[r]);
        add_columns(&part, z->mean, t, sums);
    }
}

void ald_single_add(const ald_operator *z, const ald_single *p, int64_t i0, int64_t m, double *sums)
{
    ald_matrix x = z->x;
    if (x.row_stride == 1 && x.col_stride != 1 && x.type == ALD_F64) {
        x.rows = m;
        x.values = (const double *)x.values + i0;
        add_by_columns(z, p, &x, i0, sums);
    } else {
        x = ald_dense_standing(&z->x, i0, m, p->room);
        add_by_rows(z, p, &x, i0, sums);
    }
}
