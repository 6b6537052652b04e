/* The operations of the backend for matrices of any size: however long one takes, the caller is asked every
 * tenth of a second or so whether it is still wanted. See backend/backend.h for what they do.
 *
 * Decompositions, which cannot be cut up, are done aside (threads/aside.h) when they take more operations
 * than the context has patience for. Products and solutions are cut into panels of the result, and the caller
 * is asked between them; how they are cut depends on the sizes alone. */
#ifndef ALD_LINALG_PATIENT_H
#define ALD_LINALG_PATIENT_H

#include "math/backend/backend.h"

ald_status ald_patient_gemm(ald_run *run, int trans_a, int trans_b, int64_t m, int64_t n, int64_t k,
                            double alpha, const double *a, int64_t lda, const double *b, int64_t ldb,
                            double beta, double *c, int64_t ldc);
ald_status ald_patient_syrk(ald_run *run, int trans, int64_t n, int64_t k, double alpha, const double *a,
                            int64_t lda, double beta, double *c, int64_t ldc);
ald_status ald_patient_eigen(ald_run *run, int64_t n, double *a, int64_t wanted, double *values,
                             double *vectors);
ald_status ald_patient_svd(ald_run *run, int64_t m, int64_t n, double *a, double *u, double *s, double *vt);
ald_status ald_patient_qr(ald_run *run, int64_t m, int64_t k, double *a, double *r);
ald_status ald_patient_triangle(ald_run *run, int64_t m, int64_t k, double *a, double *r);
ald_status ald_patient_cholesky(ald_run *run, int64_t n, double *a);
ald_status ald_patient_solve_triangular(ald_run *run, int trans, int64_t n, int64_t m, const double *r,
                                        double *b);

#endif
