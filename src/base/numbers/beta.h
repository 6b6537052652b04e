/* The regularized incomplete beta function, behind the distributions of t and F. */
#ifndef ALD_NUMBERS_BETA_H
#define ALD_NUMBERS_BETA_H

/* I_x(a, b) for a, b > 0; 0 for x <= 0 and 1 for x >= 1. */
double ald_regularized_beta(double a, double b, double x);

#endif
