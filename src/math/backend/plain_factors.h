/* Triangular factors by plain loops and products of blocks: plain_factors.c. */
#ifndef ALD_BACKEND_PLAIN_FACTORS_H
#define ALD_BACKEND_PLAIN_FACTORS_H

#include "base/core/run.h"

/* As the functions of the same names in backend.h. */
ald_status ald_plain_qr(ald_run *run, int64_t m, int64_t k, double *a, double *r);
ald_status ald_plain_triangle(ald_run *run, int64_t m, int64_t k, double *a, double *r);
ald_status ald_plain_cholesky(ald_run *run, int64_t n, double *a);
ald_status ald_plain_solve_triangular(ald_run *run, int trans, int64_t n, int64_t m, const double *r,
                                      double *b, int64_t ldb);

#endif
