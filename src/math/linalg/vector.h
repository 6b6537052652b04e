/* Sums over vectors, one entry after the other, for the places where a call of BLAS would not pay. */
#ifndef ALD_LINALG_VECTOR_H
#define ALD_LINALG_VECTOR_H

#include "base/numbers/wide.h"

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

/* |a|^2 in lanes, for functions that are ALD_WIDE. */
ALD_WITHIN double ald_square_length(int64_t count, const double *a)
{
    ald_eight sums = {0.0};
    double sum = 0.0;
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) sums += ALD_EIGHT_OF(a + j) * ALD_EIGHT_OF(a + j);
    for (int l = 0; l < 8; l++) sum += sums[l];
    for (; j < count; j++) sum += a[j] * a[j];
    return sum;
}

/* |a - b|^2 in lanes, for functions that are ALD_WIDE. */
ALD_WITHIN double ald_square_between(int64_t k, const double *a, const double *b)
{
    ald_four sum = {0.0}, more = {0.0};
    double rest = 0.0;
    int64_t c = 0;
    for (; c + 8 <= k; c += 8) {
        const ald_four x = ALD_FOUR_OF(a + c) - ALD_FOUR_OF(b + c),
                       y = ALD_FOUR_OF(a + c + 4) - ALD_FOUR_OF(b + c + 4);
        sum += x * x;
        more += y * y;
    }
    for (; c < k; c++) rest += (a[c] - b[c]) * (a[c] - b[c]);
    sum += more;
    return rest + ((sum[0] + sum[2]) + (sum[1] + sum[3]));
}

#endif
