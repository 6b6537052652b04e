/* Values that a random variable exceeds with a given chance. */
#ifndef ALD_NUMBERS_QUANTILE_H
#define ALD_NUMBERS_QUANTILE_H

/* x with P(X > x) = tail, 0 < tail < 1; X chi-square with `freedom` > 0 degrees of freedom. */
double ald_chi_square_quantile(double tail, double freedom);
/* The same for F with a and b > 0 degrees of freedom. */
double ald_f_quantile(double tail, double a, double b);

#endif
