#include "math/backend/bisection.h"

#include "base/numbers/wide.h"

#include <float.h>
#include <math.h>

enum { lanes = 16, most_halvings = 120 };

typedef int64_t eight_counts __attribute__((vector_size(64), aligned(8), may_alias));

/* below[l]: how many eigenvalues are less than x[l]. A term that is 0 makes the next one minus infinity, and
 * that in turn the next but one what it would be without: no term needs a guard, as no square is 0. */
ALD_WIDE static void count_below(int64_t n, const double *diagonal, const double *squares, const double *x,
                                 int64_t *below)
{
    const ald_eight x0 = ALD_EIGHT_OF(x), x1 = ALD_EIGHT_OF(x + 8);
    ald_eight q0 = diagonal[0] - x0, q1 = diagonal[0] - x1;
    eight_counts count0 = q0 < 0.0, count1 = q1 < 0.0; /* -1 where it is so */
    for (int64_t i = 1; i < n; i++) {
        q0 = diagonal[i] - x0 - squares[i] / q0;
        q1 = diagonal[i] - x1 - squares[i] / q1;
        count0 += q0 < 0.0;
        count1 += q1 < 0.0;
    }
    for (int l = 0; l < 8; l++) {
        below[l] = -count0[l];
        below[l + 8] = -count1[l];
    }
}

/* One eigenvalue, which is between `from` and `to`. */
typedef struct bracket {
    double from, to;
} bracket;

/* Between the last point that the eigenvalue is not below and the next one. */
static void narrow(bracket *b, int points, const double *x, const int64_t *below, int64_t number)
{
    int at = 0;
    while (at < points && below[at] <= number) at++;
    if (at < points) b->to = x[at];
    if (at > 0) b->from = x[at - 1];
}

/* Eigenvalues number first .. first + count, counted upwards from 0, all between low and high. The lanes are
 * divided among them: each interval is cut at so many points at once. */
static void halve(int64_t n, const double *diagonal, const double *squares, int64_t first, int count,
                  double low, double high, double *values)
{
    const double tiny = 0.1 * DBL_EPSILON * (high - low);
    const int points = lanes / count;
    bracket brackets[lanes];
    double x[lanes] = {0.0};
    int64_t below[lanes];
    int open = 1;
    for (int k = 0; k < count; k++) brackets[k] = (bracket){low, high};
    for (int time = 0; open && time < most_halvings; time++) {
        for (int l = 0; l < points * count; l++) {
            const bracket *b = &brackets[l / points];
            x[l] = b->from + (b->to - b->from) * ((double)(l % points + 1) / (double)(points + 1));
        }
        count_below(n, diagonal, squares, x, below);
        open = 0;
        for (int k = 0; k < count; k++) {
            bracket *b = &brackets[k];
            narrow(b, points, x + k * points, below + k * points, first + k);
            open |= b->to - b->from > 2.0 * DBL_EPSILON * fmax(fabs(b->from), fabs(b->to)) + tiny;
        }
    }
    for (int k = 0; k < count; k++) values[k] = brackets[k].from + 0.5 * (brackets[k].to - brackets[k].from);
}

/* All eigenvalues are within low and high; 0: the matrix is none for this. */
static int bound(int64_t n, const double *diagonal, const double *beside, double *low, double *high)
{
    const double least = 1e-140; /* its square is not 0 */
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        const double left = i > 0 ? fabs(beside[i - 1]) : 0.0, right = i < n - 1 ? fabs(beside[i]) : 0.0;
        *low = fmin(*low, diagonal[i] - left - right);
        *high = fmax(*high, diagonal[i] + left + right);
        if (i < n - 1 && !(right > least + DBL_EPSILON * sqrt(fabs(diagonal[i] * diagonal[i + 1])))) return 0;
    }
    const double size = fmax(fabs(*low), fabs(*high)), smallest = 1e-100, largest = 1e100;
    const double slack = 4.0 * (double)n * DBL_EPSILON * size;
    *low -= slack;
    *high += slack;
    return size > smallest && size < largest;
}

int ald_bisect(int64_t n, const double *diagonal, const double *beside, int64_t wanted, double *squares,
               double *values)
{
    double low, high;
    if (!bound(n, diagonal, beside, &low, &high)) return 0;
    squares[0] = 0.0;
    for (int64_t i = 1; i < n; i++) squares[i] = beside[i - 1] * beside[i - 1];
    for (int64_t k = 0; k < wanted; k += lanes) {
        const int count = wanted - k < lanes ? (int)(wanted - k) : lanes;
        halve(n, diagonal, squares, n - wanted + k, count, low, high, values + k);
    }
    return 1;
}
