/* The k-th smallest of many numbers, and their median, without sorting. */
#ifndef ALD_NUMBERS_SELECT_H
#define ALD_NUMBERS_SELECT_H

#include <stdint.h>

/* Afterwards values[k] is the k-th smallest (from 0), smaller ones before it and larger ones after. No NaN.
 */
void ald_select(int64_t n, double *values, int64_t k);
/* -HUGE_VAL where n is 0. No NaN. */
double ald_largest(int64_t n, const double *values);
/* The median of n >= 1 values, which it reorders: of an even number, the mean of the middle two. */
double ald_median(int64_t n, double *values);

#endif
