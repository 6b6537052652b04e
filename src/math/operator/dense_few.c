/* Dense storage: sums over rows that only lose their mean, for few columns of factors.
 *
 *   S += T'(A - 1 m'),     T k columns, A some rows of X, S k x d
 *
 * BLAS would want A - 1 m' written out, which takes longer than the sums. Four rows are taken at a time, and
 * so many columns that they and their sums stay in the first cache while all k are added. A sum is over the
 * rows in their order, so it does not depend on the columns beside it. */
#include "base/numbers/ordering.h"
#include "base/numbers/wide.h"
#include "math/linalg/few_columns.h"
#include "math/operator/dense.h"

enum { together = 4, strip = 512 };

int ald_dense_few_serves(const ald_run *run, const ald_operator *z, int64_t k)
{
    return ald_few_serve(run) && k <= ald_dense_few_most && z->mean && !z->row_shift && !z->row_factor &&
           !z->row_weight;
}

/* The factors of four rows for one sum are k apart. */
#define ROW_LOOPS(type, suffix)                                                                              \
    ALD_WIDE static void add_four_##suffix(int64_t c, const type *restrict r0, int64_t stride,               \
                                           const double *restrict mean, const double *t, int64_t k,          \
                                           double *restrict sums)                                            \
    {                                                                                                        \
        const type *restrict r1 = r0 + stride, *restrict r2 = r1 + stride, *restrict r3 = r2 + stride;       \
        const double t0 = t[0], t1 = t[k], t2 = t[2 * k], t3 = t[3 * k];                                     \
        for (int64_t j = 0; j < c; j++) {                                                                    \
            const double m = mean[j];                                                                        \
            sums[j] += (t0 * ((double)r0[j] - m) + t1 * ((double)r1[j] - m)) +                               \
                       (t2 * ((double)r2[j] - m) + t3 * ((double)r3[j] - m));                                \
        }                                                                                                    \
    }                                                                                                        \
    ALD_WIDE static void add_one_##suffix(int64_t c, const type *restrict row, const double *restrict mean,  \
                                          double t, double *restrict sums)                                   \
    {                                                                                                        \
        for (int64_t j = 0; j < c; j++) sums[j] += t * ((double)row[j] - mean[j]);                           \
    }                                                                                                        \
    static void add_rows_##suffix(const type *rows, int64_t stride, int64_t m, int64_t c,                    \
                                  const double *mean, const double *t, int64_t k, double *sums, int64_t d)   \
    {                                                                                                        \
        for (int64_t i = 0; i < m; i += together)                                                            \
            for (int64_t q = 0; q < k; q++) {                                                                \
                if (i + together <= m)                                                                       \
                    add_four_##suffix(c, rows + i * stride, stride, mean, t + i * k + q, k, sums + q * d);   \
                for (int64_t r = i; i + together > m && r < m; r++)                                          \
                    add_one_##suffix(c, rows + r * stride, mean, t[r * k + q], sums + q * d);                \
            }                                                                                                \
    }

ROW_LOOPS(double, f64)
ROW_LOOPS(float, f32)

void ald_dense_few_add(const ald_matrix *rows, const double *mean, const double *t, int64_t k, double *sums,
                       int64_t apart)
{
    const int64_t stride = rows->row_stride;
    for (int64_t j = 0; j < rows->cols; j += strip) {
        const int64_t c = ald_least(strip, rows->cols - j);
        if (rows->type == ALD_F64)
            add_rows_f64((const double *)rows->values + j, stride, rows->rows, c, mean + j, t, k, sums + j,
                         apart);
        else
            add_rows_f32((const float *)rows->values + j, stride, rows->rows, c, mean + j, t, k, sums + j,
                         apart);
    }
}
