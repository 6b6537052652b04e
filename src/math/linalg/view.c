/* Views: the error of shapes that do not fit, and what is done to a matrix entry by entry: no BLAS, one
 * order of summation. */
#include "math/linalg/view.h"

ald_status ald_wrong_shapes(ald_run *run, const char *operation, ald_view a, ald_view b, ald_area out)
{
    if (!out.data)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "%s: %lld x %lld (rows %lld apart) does not fit %lld x %lld", operation,
                        (long long)a.rows, (long long)a.cols, (long long)a.stride, (long long)b.rows,
                        (long long)b.cols);
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s: %lld x %lld and %lld x %lld do not fit the result %lld x %lld", operation,
                    (long long)a.rows, (long long)a.cols, (long long)b.rows, (long long)b.cols,
                    (long long)out.rows, (long long)out.cols);
}

void ald_scale(double factor, ald_area a)
{
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < a.cols; j++)
            a.data[i * a.stride + j] = factor == 0.0 ? 0.0 : factor * a.data[i * a.stride + j];
}

void ald_transpose(int64_t m, int64_t n, const double *a, double *out)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) out[j * m + i] = a[i * n + j];
}

void ald_mirror(ald_area a)
{
    enum { tile = 32 }; /* a square of so many rows stays in cache */
    for (int64_t i0 = 0; i0 < a.rows; i0 += tile)
        for (int64_t j0 = 0; j0 <= i0; j0 += tile)
            for (int64_t i = i0; i < a.rows && i < i0 + tile; i++)
                for (int64_t j = j0; j < i && j < j0 + tile; j++)
                    a.data[i * a.stride + j] = a.data[j * a.stride + i];
}

void ald_symmetrise(ald_area a)
{
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = i + 1; j < a.rows; j++) {
            const double mean = 0.5 * (a.data[i * a.stride + j] + a.data[j * a.stride + i]);
            a.data[i * a.stride + j] = a.data[j * a.stride + i] = mean;
        }
}

double ald_trace(int64_t n, const double *a)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += a[i * n + i];
    return sum;
}

void ald_add_ridge(double ridge, ald_area a)
{
    for (int64_t i = 0; i < a.rows; i++) a.data[i * a.stride + i] += ridge;
}

void ald_make_identity(ald_area a)
{
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < a.cols; j++) a.data[i * a.stride + j] = i == j ? 1.0 : 0.0;
}

void ald_scale_rows(const double *factors, ald_area a)
{
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < a.cols; j++) a.data[i * a.stride + j] *= factors[i];
}
