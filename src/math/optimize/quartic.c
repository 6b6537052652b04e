/* The derivative 4 c4 t^3 + 3 c3 t^2 + 2 c2 t + c1 is brought to monic form by the substitution t = s x,
 * which keeps the coefficients near 1 whatever the units; its real roots come from the cosine form (three) or
 * Cardano's (one), and are polished by Newton's steps. */
#include "math/optimize/quartic.h"

#include <float.h>
#include <math.h>

static double value(const double c[5], double t)
{
    return t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])));
}

/* Real roots of x^3 + a x^2 + b x + c. */
static int cubic_roots(double a, double b, double c, double roots[3])
{
    const double shift = a / 3.0, q = (a * a - 3.0 * b) / 9.0,
                 h = (a * (2.0 * a * a - 9.0 * b) + 27.0 * c) / 54.0;
    if (h * h < q * q * q) {
        const double angle = acos(fmax(-1.0, fmin(1.0, h / sqrt(q * q * q)))), size = -2.0 * sqrt(q),
                     third = 2.0943951023931954923;
        for (int k = 0; k < 3; k++) roots[k] = size * cos(angle / 3.0 + third * (k - 1)) - shift;
        return 3;
    }
    const double big = -copysign(cbrt(fabs(h) + sqrt(h * h - q * q * q)), h);
    roots[0] = big + (big != 0.0 ? q / big : 0.0) - shift;
    roots[1] = -0.5 * (big + (big != 0.0 ? q / big : 0.0)) - shift; /* the double root, where there is one */
    return 2;
}

static double polish(double a, double b, double c, double x)
{
    for (int k = 0; k < 4; k++) {
        const double f = ((x + a) * x + b) * x + c, slope = (3.0 * x + 2.0 * a) * x + b;
        const double step = slope != 0.0 ? f / slope : 0.0;
        if (!isfinite(step) || fabs(step) > 0.1 * (1.0 + fabs(x))) break;
        x -= step;
    }
    return x;
}

double ald_quartic_lowest(const double c[5], double *change)
{
    double best = 0.0, roots[3];
    *change = 0.0;
    const double size = fmax(fabs(c[1]), fmax(fabs(c[2]), fmax(fabs(c[3]), fabs(c[4]))));
    if (!(size > 0.0) || !isfinite(size)) return 0.0;
    if (!(c[4] > 0.0)) {
        if (!(c[2] > 0.0) || c[3] != 0.0) return 0.0;
        best = -0.5 * c[1] / c[2];
        *change = value(c, best);
        return best;
    }
    /* s: where the quartic term balances the largest of the others. */
    const double s = fmax(cbrt(fabs(c[1]) / c[4]), fmax(sqrt(fabs(c[2]) / c[4]), fabs(c[3]) / c[4]));
    if (!(s > 0.0) || !isfinite(s)) return 0.0;
    const double a = 0.75 * c[3] / c[4] / s, b = 0.5 * c[2] / c[4] / (s * s),
                 e = 0.25 * c[1] / c[4] / (s * s * s);
    const int count = cubic_roots(a, b, e, roots);
    for (int k = 0; k < count; k++) {
        const double t = s * polish(a, b, e, roots[k]), v = value(c, t);
        if (v < *change) {
            *change = v;
            best = t;
        }
    }
    return best;
}
