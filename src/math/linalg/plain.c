#include "math/linalg/plain.h"

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
