/* The corrected resampled t-test (Nadeau and Bengio, Inference for the generalization error, Machine Learning 52,
 * 2003).
 *
 * d_s = a_s - b_s over splits s = 1 .. J, with mean m and variance v (divisor J - 1). Training parts overlap, so the
 * d_s are not independent and v/J is too small for the variance of m; in its place
 *
 *     t = m / sqrt((1/J + n_test/n_train) v),   J - 1 degrees of freedom.
 *
 * The two-sided p-value is I_x(f/2, 1/2) with f = J - 1 and x = f/(f + t^2), I the regularized incomplete beta
 * function, here by its continued fraction (Lentz): all operations are elementary ones and lgamma. */
#include "judge/paired.h"

#include <float.h>
#include <math.h>

/* Term number m of the continued fraction of I_x(a, b): even and odd ones alternate. */
static double coefficient(int m, double a, double b, double x)
{
    const double k = m / 2;
    if (m % 2 == 0) return k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k));
    return -(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0));
}

static double away_from_zero(double value)
{
    return fabs(value) < DBL_MIN ? DBL_MIN : value;
}

/* For x < (a + 1)/(a + b + 2), where it converges fast. */
static double beta_fraction(double a, double b, double x)
{
    enum { most_terms = 1000 };
    double c = 1.0, d = 1.0 / away_from_zero(1.0 + coefficient(1, a, b, x)), h = d;
    for (int m = 2; m < most_terms; m++) {
        const double term = coefficient(m, a, b, x);
        d = 1.0 / away_from_zero(1.0 + term * d);
        c = away_from_zero(1.0 + term / c);
        h *= c * d;
        if (fabs(c * d - 1.0) < DBL_EPSILON) break;
    }
    return h;
}

static double regularized_beta(double a, double b, double x)
{
    if (!(x > 0.0)) return 0.0;
    if (!(x < 1.0)) return 1.0;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
    return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double ald_paired_p_value(int64_t J, const double *a, const double *b, double ratio)
{
    double mean = 0.0, variance = 0.0;
    if (J < 2) return NAN;
    const double f = (double)(J - 1);
    for (int64_t s = 0; s < J; s++) mean += (a[s] - b[s]) / (double)J;
    for (int64_t s = 0; s < J; s++) variance += pow(a[s] - b[s] - mean, 2) / f;
    if (isnan(mean)) return NAN;
    if (!(mean != 0.0)) return 1.0;
    if (!(variance > 0.0)) return 0.0;
    const double t2 = mean * mean / ((1.0 / (double)J + ratio) * variance);
    return regularized_beta(f / 2.0, 0.5, f / (f + t2));
}
