/* Sums over vectors, for the places where a call of BLAS would not pay. */
#ifndef ALD_LINALG_VECTOR_H
#define ALD_LINALG_VECTOR_H

#include <stdint.h>

static inline double ald_dot(int64_t count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

#endif
