/* Both tails fall from 1 to 0 as x rises from 0: the place is enclosed by doubling and halved until nothing
 * is between.
 *
 *   P(F > x) = I_y(b/2, a/2), y = b / (b + a x). */
#include "base/numbers/quantile.h"

#include "base/numbers/beta.h"
#include "base/numbers/chi_square.h"

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
