#include "math/backend/row_sums.h"

#include "base/numbers/wide.h"

#include <math.h>

ALD_WIDE double ald_row_product(int64_t count, const double *x, const double *y)
{
    ald_eight s = {0.0};
    double rest = 0.0;
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) s += ALD_EIGHT_OF(x + j) * ALD_EIGHT_OF(y + j);
    for (; j < count; j++) rest += x[j] * y[j];
    return rest + (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])));
}

ALD_WIDE void ald_row_add(int64_t count, double factor, const double *restrict x, double *restrict y)
{
    int64_t j = 0;
    for (; j + 8 <= count; j += 8) ALD_EIGHT(y + j) += factor * ALD_EIGHT_OF(x + j);
    for (; j < count; j++) y[j] += factor * x[j];
}

static double extreme_length(int64_t count, const double *x)
{
    double largest = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    if (!(largest > 0.0)) return largest;
    for (int64_t i = 0; i < count; i++) sum += x[i] / largest * (x[i] / largest);
    return largest * sqrt(sum);
}

double ald_row_length(int64_t count, const double *x)
{
    const double square = ald_row_product(count, x, x);
    return square > 1e-280 && square < 1e280 ? sqrt(square) : extreme_length(count, x);
}

ald_reflection ald_row_reflect(int64_t count, double *x)
{
    const double alpha = x[0], tail = ald_row_length(count - 1, x + 1);
    if (!(tail > 0.0)) return (ald_reflection){0.0, alpha};
    const double beta = -copysign(hypot(alpha, tail), alpha), scale = 1.0 / (alpha - beta);
    for (int64_t i = 1; i < count; i++) x[i] *= scale;
    return (ald_reflection){(beta - alpha) / beta, beta};
}
