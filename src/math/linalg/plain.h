/* What is done to a matrix entry by entry: no BLAS, one order of summation. */
#ifndef ALD_LINALG_PLAIN_H
#define ALD_LINALG_PLAIN_H

#include "math/linalg/view.h"

/* a <- factor a; 0 also where a held no numbers. */
void ald_scale(double factor, ald_area a);
/* out (n x m) = the transpose of the m x n matrix at `a`. */
void ald_transpose(int64_t m, int64_t n, const double *a, double *out);
/* The upper triangle copied to the lower one. */
void ald_mirror(ald_area a);
/* a <- (a + a')/2. */
void ald_symmetrise(ald_area a);
/* Sum of the diagonal of the n x n matrix at `a`. */
double ald_trace(int64_t n, const double *a);
/* a <- a + ridge I. */
void ald_add_ridge(double ridge, ald_area a);
/* a <- I. */
void ald_make_identity(ald_area a);
/* Row i of a times factors[i]. */
void ald_scale_rows(const double *factors, ald_area a);

#endif
