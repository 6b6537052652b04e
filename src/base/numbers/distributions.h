/* Tails and quantiles of the distributions that tests and limits need. */
#ifndef ALD_NUMBERS_DISTRIBUTIONS_H
#define ALD_NUMBERS_DISTRIBUTIONS_H

/* The regularized incomplete beta function, behind the distributions of t and F. */

/* I_x(a, b) for a, b > 0; 0 for x <= 0 and 1 for x >= 1. */
double ald_regularized_beta(double a, double b, double x);

/* The chi-square distribution, for tests of how many directions there are. */

/* The regularized upper incomplete gamma function Q(a, x) = Gamma(a, x) / Gamma(a), a > 0, x >= 0. */
double ald_gamma_tail(double a, double x);
/* The chance that a chi-square variable of `freedom` (> 0) degrees of freedom is above x: Q(freedom / 2, x /
 * 2). */
double ald_chi_square_tail(double x, double freedom);

/* Values that a random variable exceeds with a given chance. */

/* x with P(X > x) = tail, 0 < tail < 1; X chi-square with `freedom` > 0 degrees of freedom. */
double ald_chi_square_quantile(double tail, double freedom);
/* The same for F with a and b > 0 degrees of freedom. */
double ald_f_quantile(double tail, double a, double b);

#endif
