/* x = k ln 2 + r with k whole and |r| <= ln(2)/2, and exp(x) = 2^k exp(r). ln 2 is taken off in two parts, of
 * which the first has zeros at its end, so that r is exact to rounding. exp(r) is its Taylor polynomial,
 * whose first term left out is below r^14/14! < 5e-18. Adding 1.5 2^52 rounds to a whole number and leaves it
 * in the last bits of the sum. 2^k is multiplied in two halves: below 2^-1022 it is no normal number. */
#include "math/kernel/many_exp.h"

#include "base/numbers/wide.h"

#include <string.h>

static const double whole = 0x1.8p52, lowest = -746.0;

/* 2^k for -1022 <= k <= 0, k as it stands in the last bits of `shifted`. */
static inline double power_of_two(double shifted)
{
    uint64_t bits;
    double power;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline double exp_of_rest(double r)
{
    const double s = r * r;
    const double a = (1.0 / 2) + r * (1.0 / 6), b = (1.0 / 24) + r * (1.0 / 120),
                 c = (1.0 / 720) + r * (1.0 / 5040), d = (1.0 / 40320) + r * (1.0 / 362880),
                 e = (1.0 / 3628800) + r * (1.0 / 39916800), f = (1.0 / 479001600) + r * (1.0 / 6227020800);
    const double q = s * s, upper = (c + s * d) + q * (e + s * f);
    return 1.0 + (r + s * ((a + s * b) + q * upper));
}

ALD_WIDE void ald_many_exp(int64_t n, double *restrict x)
{
    const double per_ln2 = 0x1.71547652b82fep0, ln2_high = 0x1.62e42fefa3800p-1,
                 ln2_low = 0x1.ef35793c76730p-45;
    for (int64_t i = 0; i < n; i++) x[i] = x[i] < lowest ? lowest : x[i];
    for (int64_t i = 0; i < n; i++) {
        const double k = (x[i] * per_ln2 + whole) - whole, r = (x[i] - k * ln2_high) - k * ln2_low;
        const double half = 0.5 * k + whole, other = (k - (half - whole)) + whole;
        x[i] = exp_of_rest(r) * power_of_two(half) * power_of_two(other);
    }
}
