#include "support/jacobi.h"

#include <math.h>
#include <string.h>

static void turn(int64_t n, double *x, int64_t dx, double *y, int64_t dy, double c, double s)
{
    for (int64_t k = 0; k < n; k++) {
        const double a = x[k * dx], b = y[k * dy];
        x[k * dx] = c * a - s * b;
        y[k * dy] = s * a + c * b;
    }
}

/* Makes a[i][j] 0. */
static void rotate(int64_t n, double *a, double *vectors, int64_t i, int64_t j)
{
    if (a[i * n + j] == 0.0) return;
    const double angle = 0.5 * atan2(2.0 * a[i * n + j], a[j * n + j] - a[i * n + i]);
    const double c = cos(angle), s = sin(angle);
    turn(n, a + i, n, a + j, n, c, s);
    turn(n, a + i * n, 1, a + j * n, 1, c, s);
    turn(n, vectors + i * n, 1, vectors + j * n, 1, c, s);
}

/* What is off the diagonal is far below the rounding of what is on it. */
static int is_diagonal(int64_t n, const double *a)
{
    double off = 0.0, on = 0.0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) *(i == j ? &on : &off) += a[i * n + j] * a[i * n + j];
    return off <= 1e-40 * on;
}

static void swap(int64_t n, double *x, double *y)
{
    for (int64_t k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = y[k];
        y[k] = kept;
    }
}

void support_eigen(int64_t n, double *a, double *values, double *vectors)
{
    memset(vectors, 0, (size_t)(n * n) * sizeof *vectors);
    for (int64_t i = 0; i < n; i++) vectors[i * n + i] = 1.0;
    for (int sweep = 0; sweep < 30 && !is_diagonal(n, a); sweep++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++) rotate(n, a, vectors, i, j);
    for (int64_t i = 0; i < n; i++) values[i] = a[i * n + i];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
            if (values[j] > values[i]) {
                swap(1, values + i, values + j);
                swap(n, vectors + i * n, vectors + j * n);
            }
}
