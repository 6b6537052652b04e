/* Gram's polynomials by Forsythe's recurrence (J. SIAM 5, 1957) on the points t_i = (2 i - n + 1) / (n - 1),
 * i = 0 .. n - 1, which lie symmetric about 0:
 *
 *   p_0 = 1,   p_{k+1} = t p_k - b_k p_{k-1},   b_k = |p_k|^2 / |p_{k-1}|^2
 *
 * and of their derivatives of order m, by differentiating it m times:
 *
 *   p_{k+1}^(m) = t p_k^(m) + m p_k^(m-1) - b_k p_{k-1}^(m).
 *
 * With u the number of the point, d/du = 2 / (n - 1) d/dt. Cost O(n degree order). */
#include "fit/prepare/gram_polynomials.h"

#include <math.h>
#include <string.h>

static double point(int64_t n, int64_t i)
{
    return n > 1 ? (double)(2 * i - n + 1) / (double)(n - 1) : 0.0;
}

static double square_length(int64_t n, const double *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += p[i] * p[i];
    return sum;
}

/* p_{k+1}^(m) from p_k^(m), p_{k-1}^(m) (NULL: 0) and p_k^(m-1) (NULL: m is 0). */
static void advance(int64_t n, int64_t m, double b, const double *now, const double *before,
                    const double *lower, double *next)
{
    for (int64_t i = 0; i < n; i++) {
        next[i] = point(n, i) * now[i];
        if (lower) next[i] += (double)m * lower[i];
        if (before) next[i] -= b * before[i];
    }
}

ald_status ald_gram_polynomials(ald_run *run, int64_t n, int64_t degree, int64_t order, double *values,
                                double *derivatives)
{
    const int64_t orders = order + 1, count = degree + 1;
    const double slope = n > 1 ? 2.0 / (double)(n - 1) : 1.0;
    double *p, *square;
    ALD_TRY(ALD_SCRATCH(run, {&p, orders * count, n}, {&square, count, 1}));
    memset(p, 0, (size_t)(orders * count * n) * sizeof *p);
    for (int64_t i = 0; i < n; i++) p[i] = 1.0;
    square[0] = (double)n;
    for (int64_t k = 0; k < degree; k++) {
        const double b = k > 0 ? square[k] / square[k - 1] : 0.0;
        for (int64_t m = 0; m < orders; m++) {
            double *own = p + m * count * n;
            advance(n, m, b, own + k * n, k > 0 ? own + (k - 1) * n : NULL,
                    m > 0 ? own - count * n + k * n : NULL, own + (k + 1) * n);
        }
        square[k + 1] = square_length(n, p + (k + 1) * n);
    }
    for (int64_t at = 0; at < count * n; at++) {
        const double length = sqrt(square[at / n]);
        values[at] = p[at] / length;
        if (derivatives) derivatives[at] = p[order * count * n + at] * pow(slope, (double)order) / length;
    }
    return ALD_OK;
}
