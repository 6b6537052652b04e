/* Sums over rows of numbers, in eight lanes whatever the processor has: the bytes are the same everywhere. */
#ifndef ALD_BACKEND_ROW_SUMS_H
#define ALD_BACKEND_ROW_SUMS_H

#include <stdint.h>

double ald_row_product(int64_t count, const double *x, const double *y);
/* y <- y + factor x; they do not overlap. */
void ald_row_add(int64_t count, double factor, const double *x, double *y);
/* Also of numbers whose squares overflow or vanish. */
double ald_row_length(int64_t count, const double *x);

/* A reflection I - tau v v' with v_0 = 1 that makes x (count >= 1) a multiple of its first entry, `beta`:
 * x_1 .. become v_1 .., x_0 is left. */
typedef struct ald_reflection {
    double tau, beta;
} ald_reflection;

ald_reflection ald_row_reflect(int64_t count, double *x);

#endif
