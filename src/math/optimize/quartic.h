/* The lowest point of a polynomial of degree four. */
#ifndef ALD_OPTIMIZE_QUARTIC_H
#define ALD_OPTIMIZE_QUARTIC_H

/* The t at which c[0] + c[1] t + ... + c[4] t^4 is lowest, c[4] >= 0; *change is its value there less c[0]. 0
 * and 0 if it falls without bound or nowhere. */
double ald_quartic_lowest(const double c[5], double *change);

#endif
