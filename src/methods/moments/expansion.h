/* Sums of three doubles, s = s[0] + s[1] + s[2], that hold about 150 bits: what is added and taken away again
 * leaves what was there before, though it was 10^20 times as large.
 *
 * two_sum (Knuth): s = fl(a + b), e = (a - (s - (s - a))) + (b - (s - a)), and a + b = s + e exactly,
 * whichever is larger. two_product: p = fl(a b), e = fma(a, b, -p), and a b = p + e exactly. Only the last of
 * the three doubles is rounded, so an addition errs by 2^-159 of the largest sum there has been. */
#ifndef ALD_MOMENTS_EXPANSION_H
#define ALD_MOMENTS_EXPANSION_H

#include <math.h>

static inline double ald_two_sum(double a, double b, double *error)
{
    const double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

static inline double ald_two_product(double a, double b, double *error)
{
    const double product = a * b;
    *error = fma(a, b, -product);
    return product;
}

/* s += x. */
static inline void ald_expansion_add(double *s, double x)
{
    double error;
    s[0] = ald_two_sum(s[0], x, &error);
    s[1] = ald_two_sum(s[1], error, &error);
    s[2] += error;
}

/* s += a b, of numbers. */
static inline void ald_expansion_add_product(double *s, double a, double b)
{
    double error;
    ald_expansion_add(s, ald_two_product(a, b, &error));
    if (error != 0.0) ald_expansion_add(s, error);
}

/* s += sign a b, of expansions; what is below 2^-150 of it is left out. */
static inline void ald_expansion_add_multiple(double *s, double sign, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; i + j < 3; j++) {
            if (i + j < 2)
                ald_expansion_add_product(s, sign * a[i], b[j]);
            else
                ald_expansion_add(s, sign * a[i] * b[j]);
        }
}

/* The parts in order of size and apart: s[0] is then the sum to rounding. */
static inline void ald_expansion_order(double *s)
{
    for (int pass = 0; pass < 2; pass++) {
        s[1] = ald_two_sum(s[1], s[2], &s[2]);
        s[0] = ald_two_sum(s[0], s[1], &s[1]);
    }
}

#endif
