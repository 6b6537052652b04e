/* By its continued fraction (DLMF 8.17.22) and the symmetry I_x(a, b) = 1 - I_{1-x}(b, a). */
#include "base/numbers/beta.h"

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

double ald_regularized_beta(double a, double b, double x)
{
    if (!(x > 0.0)) return 0.0;
    if (!(x < 1.0)) return 1.0;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
    return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}
