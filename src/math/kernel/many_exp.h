/* The exponential function of many numbers at once. */
#ifndef ALD_KERNEL_MANY_EXP_H
#define ALD_KERNEL_MANY_EXP_H

#include <stdint.h>

/* x_i <- exp(x_i) for x_i <= 0, to about one unit in the last place; NaN stays. */
void ald_many_exp(int64_t n, double *x);

#endif
