/* Products of one vector with rows of dense Z as they stand in X: nothing is copied, each row is read once
 * while it is in the first-level cache. */
#ifndef ALD_OPERATOR_DENSE_ROWS_H
#define ALD_OPERATOR_DENSE_ROWS_H

#include "math/operator/operator.h"

/* Whether rows of Z only lose their mean, and are then scaled, by columns or as wholes. */
int ald_dense_rows_serve(const ald_operator *z);
/* With A the rows i0 .. i0 + m of Z without the scales of its columns:
 * sums (d) += A't for a given t (m), or t = A v - alpha u with v given, which goes to u (m) where that is not
 * NULL. Either t or v is NULL. */
void ald_dense_rows_add(const ald_operator *z, int64_t i0, int64_t m, const double *t, const double *v,
                        double alpha, double *u, double *sums);
/* out (d) = s or what it was times s, the scales of the columns. */
void ald_dense_rows_scale(const ald_operator *z, const double *in, double *out);

#endif
