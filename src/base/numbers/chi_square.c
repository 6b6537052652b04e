/* The incomplete gamma function, by the two classical expansions.
 *
 *   f = x^a e^-x / Gamma(a + 1)
 *   x < a + 1:  P = f sum_{m >= 0} x^m / ((a + 1) ... (a + m)),   Q = 1 - P
 *   else:       Q = f a / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...)))   (Lentz)
 *
 * Each converges in about sqrt(a) terms where x is near a, and in a few elsewhere. For a above 15 both x^a
 * and Gamma are far apart from f, so f comes from Stirling's series with what is common divided out: with u =
 * (x - a) / a,
 *
 *   f = exp(a (log(1 + u) - u)) / (sqrt(2 pi a) exp(1/(12 a) - 1/(360 a^3) + 1/(1260 a^5) - 1/(1680 a^7)))
 *
 * where the term left out is below 1e-13. The relative error of Q is about 1e-13 (1 + |x - a|). */
#include "base/numbers/chi_square.h"

#include <float.h>
#include <math.h>

enum { most_terms = 1000000 };

static double factor(double a, double x)
{
    const double pi = 3.14159265358979323846, u = (x - a) / a, s = 1.0 / (a * a);
    if (a <= 15.0) return exp(a * log(x) - x) / tgamma(a + 1.0);
    const double stirling = (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s / 1680.0))) / a;
    return exp(a * (log1p(u) - u) - stirling) / sqrt(2.0 * pi * a);
}

static double lower_series(double a, double x)
{
    double term = 1.0, sum = 1.0;
    for (int m = 1; m < most_terms && term > 0.25 * DBL_EPSILON * sum; m++) {
        term *= x / (a + m);
        sum += term;
    }
    return sum;
}

/* 1 / (x + 1 - a - ...), by Lentz's rule; no denominator is 0 for x > a. */
static double upper_fraction(double a, double x)
{
    double b = x + 1.0 - a, c = 1.0 / DBL_MIN, d = 1.0 / b, value = d;
    for (int m = 1; m < most_terms; m++) {
        const double step = -m * (m - a);
        b += 2.0;
        d = 1.0 / (step * d + b);
        c = b + step / c;
        value *= d * c;
        if (fabs(d * c - 1.0) < DBL_EPSILON) break;
    }
    return value;
}

double ald_gamma_tail(double a, double x)
{
    if (!(x > 0.0)) return 1.0;
    if (isinf(x)) return 0.0;
    if (x < a + 1.0) return fmax(1.0 - factor(a, x) * lower_series(a, x), 0.0);
    return factor(a, x) * a * upper_fraction(a, x);
}

double ald_chi_square_tail(double x, double freedom)
{
    return ald_gamma_tail(0.5 * freedom, 0.5 * x);
}
