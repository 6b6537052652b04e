/* Beta, chi-square and their quantiles, by continued fractions, series and bisection. */
#include "base/numbers/distributions.h"

#include <float.h>
#include <math.h>

/* By its continued fraction (DLMF 8.17.22) and the symmetry I_x(a, b) = 1 - I_{1-x}(b, a). */

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

/* Both tails fall from 1 to 0 as x rises from 0: the place is enclosed by doubling and halved until nothing
 * is between.
 *
 *   P(F > x) = I_y(b/2, a/2), y = b / (b + a x). */

typedef struct distribution {
    double (*tail)(double x, double a, double b);
    double a, b;
} distribution;

static double chi_square(double x, double a, double b)
{
    (void)b;
    return ald_chi_square_tail(x, a);
}

static double f_tail(double x, double a, double b)
{
    return ald_regularized_beta(0.5 * b, 0.5 * a, b / (b + a * x));
}

static double find(const distribution *d, double tail)
{
    double low = 0.0, high = 1.0;
    while (d->tail(high, d->a, d->b) > tail && high < 1e300) high *= 2.0;
    for (double middle = 0.5 * high; middle > low && middle < high; middle = low + 0.5 * (high - low)) {
        if (d->tail(middle, d->a, d->b) > tail)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double ald_chi_square_quantile(double tail, double freedom)
{
    return find(&(distribution){chi_square, freedom, 0.0}, tail);
}

double ald_f_quantile(double tail, double a, double b)
{
    return find(&(distribution){f_tail, a, b}, tail);
}
