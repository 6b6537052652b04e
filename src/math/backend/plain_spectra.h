/* Eigenvalues and singular values by plain loops: plain_eigen.c, plain_svd.c. As eigen and svd in
 * backend.h. */
#ifndef ALD_BACKEND_PLAIN_SPECTRA_H
#define ALD_BACKEND_PLAIN_SPECTRA_H

#include "base/core/run.h"

ald_status ald_plain_eigen(ald_run *run, int64_t n, double *a, int64_t wanted, double *values,
                           double *vectors);
ald_status ald_plain_svd(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *s, double *vt);

/* Brings numbers of extreme size to where their squares are numbers; `scale` is what they were divided by.
 * An error if one is not finite. */
ald_status ald_plain_moderate(ald_run *run, const char *what, int64_t count, double *a, double *scale);
ald_status ald_plain_stuck(ald_run *run, const char *what);
/* places[0 .. n - 1]: of the values from the largest to the smallest. */
void ald_plain_order(int64_t n, const double *values, int64_t *places);

#endif
