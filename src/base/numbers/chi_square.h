/* The chi-square distribution, for tests of how many directions there are. */
#ifndef ALD_NUMBERS_CHI_SQUARE_H
#define ALD_NUMBERS_CHI_SQUARE_H

/* The regularized upper incomplete gamma function Q(a, x) = Gamma(a, x) / Gamma(a), a > 0, x >= 0. */
double ald_gamma_tail(double a, double x);
/* The chance that a chi-square variable of `freedom` (> 0) degrees of freedom is above x: Q(freedom / 2, x /
 * 2). */
double ald_chi_square_tail(double x, double freedom);

#endif
