/* The corrected resampled t-test (Nadeau and Bengio, Inference for the generalization error, Machine Learning
 * 52, 2003).
 *
 * d_s = a_s - b_s over splits s = 1 .. J, with mean m and variance v (divisor J - 1). Training parts overlap,
 * so the d_s are not independent and v/J is too small for the variance of m; in its place
 *
 *     t = m / sqrt((1/J + n_test/n_train) v),   J - 1 degrees of freedom.
 *
 * The interval of m at the level p is m -+ q sqrt((1/J + n_test/n_train) v), q^2 the value that F with 1 and
 * J - 1 degrees of freedom exceeds with the chance p.
 *
 * The two-sided p-value is I_x(f/2, 1/2) with f = J - 1 and x = f/(f + t^2), I the regularized incomplete
 * beta function (numbers/beta.h). */
#include "judge/compare/paired.h"

#include "base/numbers/beta.h"
#include "base/numbers/quantile.h"

#include <math.h>

static void mean_and_variance(int64_t J, const double *a, const double *b, double *mean, double *variance)
{
    *mean = *variance = 0.0;
    for (int64_t s = 0; s < J; s++) *mean += (a[s] - b[s]) / (double)J;
    for (int64_t s = 0; s < J; s++) *variance += pow(a[s] - b[s] - *mean, 2) / (double)(J - 1);
}

double ald_paired_p_value(int64_t J, const double *a, const double *b, double ratio)
{
    double mean, variance;
    if (J < 2) return NAN;
    const double f = (double)(J - 1);
    mean_and_variance(J, a, b, &mean, &variance);
    if (isnan(mean)) return NAN;
    if (!(mean != 0.0)) return 1.0;
    if (!(variance > 0.0)) return 0.0;
    const double t2 = mean * mean / ((1.0 / (double)J + ratio) * variance);
    return ald_regularized_beta(f / 2.0, 0.5, f / (f + t2));
}

ald_paired_difference ald_paired_interval(int64_t J, const double *a, const double *b, double ratio,
                                          double level)
{
    double mean, variance;
    if (J < 2) return (ald_paired_difference){NAN, NAN, NAN};
    mean_and_variance(J, a, b, &mean, &variance);
    const double half =
        sqrt(ald_f_quantile(level, 1.0, (double)(J - 1)) * (1.0 / (double)J + ratio) * variance);
    return (ald_paired_difference){mean, mean - half, mean + half};
}
