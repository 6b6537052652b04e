/* Reflections make a = Q T Q' with T tridiagonal; rotations with shifts (QL) then make T diagonal. V holds Q'
 * and is rotated along, so that its rows become the eigenvectors. About 9 n^3 operations; eigenvalues are
 * good to a rounding of the largest. */
#include "support/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x - 2 v (v'x) / v'v applied to the columns of the n x n matrix, for the part of v from `first` on. */
static void reflect_rows(int64_t n, int64_t first, const double *v, double factor, double *matrix)
{
    for (int64_t j = 0; j < n; j++) {
        double dot = 0.0;
        for (int64_t i = first; i < n; i++) dot += v[i] * matrix[i * n + j];
        for (int64_t i = first; i < n; i++) matrix[i * n + j] -= factor * dot * v[i];
    }
}

static void reflect_columns(int64_t n, int64_t first, const double *v, double factor, double *matrix)
{
    for (int64_t i = 0; i < n; i++) {
        double dot = 0.0;
        double *row = matrix + i * n;
        for (int64_t j = first; j < n; j++) dot += v[j] * row[j];
        for (int64_t j = first; j < n; j++) row[j] -= factor * dot * v[j];
    }
}

static void make_tridiagonal(int64_t n, double *a, double *vectors, double *v)
{
    double whole = 0.0;
    for (int64_t i = 0; i < n * n; i++) whole += a[i] * a[i];
    for (int64_t k = 0; k + 2 < n; k++) {
        double square = 0.0, length = 0.0;
        for (int64_t j = k + 1; j < n; j++) square += a[k * n + j] * a[k * n + j];
        if (!(square > 1e-60 * whole)) continue; /* far below rounding, and near underflow */
        memcpy(v + k + 1, a + k * n + k + 1, (size_t)(n - k - 1) * sizeof *v);
        v[k + 1] += copysign(sqrt(square), v[k + 1]);
        for (int64_t j = k + 1; j < n; j++) length += v[j] * v[j];
        reflect_rows(n, k + 1, v, 2.0 / length, a);
        reflect_columns(n, k + 1, v, 2.0 / length, a);
        reflect_rows(n, k + 1, v, 2.0 / length, vectors);
    }
}

static void rotate(int64_t n, double c, double s, double *x, double *y)
{
    for (int64_t k = 0; k < n; k++) {
        const double a = x[k], b = y[k];
        x[k] = c * a - s * b;
        y[k] = s * a + c * b;
    }
}

/* The end of the block from `first` on: the first entry beside the diagonal `e` that is a rounding error. */
static int64_t block_end(int64_t n, int64_t first, const double *d, const double *e)
{
    int64_t m = first;
    while (m + 1 < n && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1]))) m++;
    return m;
}

/* One sweep of rotations over the block first .. last, from below, with the shift of the upper corner. */
static void sweep(int64_t n, int64_t first, int64_t last, double *d, double *e, double *vectors)
{
    const double half = (d[first + 1] - d[first]) / (2.0 * e[first]);
    double g = d[last] - d[first] + e[first] / (half + copysign(hypot(half, 1.0), half));
    double s = 1.0, c = 1.0, moved = 0.0;
    for (int64_t i = last - 1; i >= first; i--) {
        const double f = s * e[i], b = c * e[i], r = hypot(f, g);
        e[i + 1] = r;
        if (!(r > 0.0)) { /* the block has fallen into two */
            d[i + 1] -= moved;
            e[last] = 0.0;
            return;
        }
        s = f / r, c = g / r;
        const double left = d[i + 1] - moved, t = (d[i] - left) * s + 2.0 * c * b;
        moved = s * t;
        d[i + 1] = left + moved;
        g = c * t - b;
        rotate(n, c, s, vectors + i * n, vectors + (i + 1) * n);
    }
    d[first] -= moved;
    e[first] = g;
    e[last] = 0.0;
}

static void swap(int64_t n, double *x, double *y)
{
    for (int64_t k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = y[k];
        y[k] = kept;
    }
}

static void sort_descending(int64_t n, double *values, double *vectors)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            if (values[j] > values[i]) {
                swap(1, values + i, values + j);
                swap(n, vectors + i * n, vectors + j * n);
            }
}

void support_eigen(int64_t n, double *a, double *values, double *vectors)
{
    double *beside = calloc((size_t)n + 1, sizeof *beside), *v = calloc((size_t)n + 1, sizeof *v);
    memset(vectors, 0, (size_t)(n * n) * sizeof *vectors);
    for (int64_t i = 0; i < n; i++) vectors[i * n + i] = 1.0;
    make_tridiagonal(n, a, vectors, v);
    for (int64_t i = 0; i < n; i++) values[i] = a[i * n + i];
    for (int64_t i = 0; i + 1 < n; i++) beside[i] = a[i * n + i + 1];
    for (int64_t first = 0; first < n; first++) {
        int64_t last;
        while ((last = block_end(n, first, values, beside)) > first)
            sweep(n, first, last, values, beside, vectors);
    }
    sort_descending(n, values, vectors);
    free(beside);
    free(v);
}
