/* Spectra named f1, f2, ... have an order, genes named so have none. With r the correlation of two columns,
 *
 *   mean of 1 - r over neighbours  <  1/2 mean of 1 - r over columns half the table apart
 *
 * tells them apart: in spectra the left side is a hundredth of the right one, in genes both are about the
 * same. Some rows and some pairs suffice. */
#include "judge/measuring/column_order.h"

#include "base/numbers/ordering.h"
#include "math/operator/entry.h"

#include <math.h>

enum { most_rows = 64, most_pairs = 256 };

/* 1 - r over some of the rows; 1 where a column does not vary. */
static double unlike(const ald_matrix *x, int64_t a, int64_t b)
{
    const int64_t n = ald_least(x->rows, most_rows);
    const double u0 = ald_matrix_at(x, 0, a),
                 v0 = ald_matrix_at(x, 0, b); /* near the means, maybe far from 0 */
    double sums[5] = {0};
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = k * x->rows / n;
        const double u = ald_matrix_at(x, i, a) - u0, v = ald_matrix_at(x, i, b) - v0;
        sums[0] += u;
        sums[1] += v;
        sums[2] += u * u;
        sums[3] += v * v;
        sums[4] += u * v;
    }
    const double m = (double)n, uu = sums[2] - sums[0] * sums[0] / m, vv = sums[3] - sums[1] * sums[1] / m,
                 uv = sums[4] - sums[0] * sums[1] / m;
    return uu > 0.0 && vv > 0.0 ? 1.0 - uv / sqrt(uu * vv) : 1.0;
}

static int are_counted(const double *positions, int64_t d, const char *unit)
{
    if (*unit || (positions[0] != 0.0 && positions[0] != 1.0)) return 0;
    for (int64_t j = 1; j < d; j++)
        if (positions[j] != positions[0] + (double)j) return 0;
    return 1;
}

int ald_columns_in_order(const double *positions, int64_t d, const char *unit, const ald_matrix *x)
{
    double near = 0.0, far = 0.0;
    if (!x || x->rows < 3 || x->cols != d || !are_counted(positions, d, unit)) return 1;
    const int64_t pairs = ald_least(d - 1, most_pairs);
    for (int64_t k = 0; k < pairs; k++) {
        const int64_t j = k * (d - 1) / pairs;
        near += unlike(x, j, j + 1);
        far += unlike(x, j, (j + d / 2) % d);
    }
    return near < 0.5 * far;
}
