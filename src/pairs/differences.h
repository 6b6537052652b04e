/* |a - b|^2 of two rows of k numbers, in lanes: for functions that are ALD_WIDE. */
#ifndef ALD_PAIRS_DIFFERENCES_H
#define ALD_PAIRS_DIFFERENCES_H

#include "numbers/wide.h"

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
