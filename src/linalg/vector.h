/* Sums over vectors, one entry after the other, for the places where a call of BLAS would not pay. */
#ifndef ALD_LINALG_VECTOR_H
#define ALD_LINALG_VECTOR_H

#include <math.h>
#include <stdint.h>

static inline double ald_dot(int64_t count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static inline double ald_norm(int64_t count, const double *a)
{
    return sqrt(ald_dot(count, a, a));
}

/* y <- y + factor x. */
static inline void ald_add_times(int64_t count, double factor, const double *x, double *y)
{
    for (int64_t i = 0; i < count; i++) y[i] += factor * x[i];
}

/* a <- a / |a|, which it gives; 0 stays. */
static inline double ald_normalise(int64_t count, double *a)
{
    const double norm = ald_norm(count, a);
    for (int64_t i = 0; norm > 0.0 && i < count; i++) a[i] /= norm;
    return norm;
}

#endif
