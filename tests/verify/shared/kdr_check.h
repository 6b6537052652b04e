/* What kdr and gkdr are checked with: their definitions by plain loops over n x n matrices. */
#ifndef ALD_TESTS_METHODS_KDR_CHECK_H
#define ALD_TESTS_METHODS_KDR_CHECK_H

#include "verify/verifier.h"

/* The rows as the methods compare them (n x d, centred, standardised unless scaling was asked for), and the
 * directions B' (r x d) in their coordinates. */
void kdr_rows(const ald_model *model, const prepared *p, double *u, double *b);
/* exp(-|a - b|^2 / (2 width^2)) between the rows of points (n x columns). */
void kdr_rbf(int64_t columns, const double *points, double width, double *k);
/* The kernel on the targets; its width is what the model says, which is checked to be `factor` times the
 * median. */
void kdr_target(const ald_model *model, const prepared *p, double factor, double *k);
/* The width on the rows that the model says, checked alike. */
double kdr_width(const ald_model *model, int64_t columns, const double *points, double factor);
/* a (n x n, symmetric positive definite, destroyed) inverted. */
void kdr_invert(double *a, double *inverse);

#endif
