/* The routines of LAPACK that are used, by their Fortran names: OpenBLAS has them, so no interface library
 * stands between, whose thousand functions the loader would look up at every start. Matrices are column
 * major, scalars are given by pointers, and behind the arguments come the lengths of the texts, 1 each, as
 * Fortran compilers want them. Formulas and sizes are in LAPACK's own pages. */
#ifndef ALD_BACKEND_LAPACK_H
#define ALD_BACKEND_LAPACK_H

#include "math/backend/blas.h"

#include <stddef.h>

typedef blasint lapack_int;

void dsyev_(const char *job, const char *triangle, const lapack_int *n, double *a, const lapack_int *lda,
            double *values, double *work, const lapack_int *room, lapack_int *info, size_t, size_t);
void dsyevr_(const char *job, const char *range, const char *triangle, const lapack_int *n, double *a,
             const lapack_int *lda, const double *low, const double *high, const lapack_int *first,
             const lapack_int *last, const double *tolerance, lapack_int *found, double *values,
             double *vectors, const lapack_int *ldz, lapack_int *support, double *work,
             const lapack_int *room, lapack_int *integers, const lapack_int *integer_room, lapack_int *info,
             size_t, size_t, size_t);
void dsytrd_(const char *triangle, const lapack_int *n, double *a, const lapack_int *lda, double *diagonal,
             double *beside, double *tau, double *work, const lapack_int *room, lapack_int *info, size_t);
void dormtr_(const char *side, const char *triangle, const char *transposed, const lapack_int *m,
             const lapack_int *n, const double *a, const lapack_int *lda, const double *tau, double *c,
             const lapack_int *ldc, double *work, const lapack_int *room, lapack_int *info, size_t, size_t,
             size_t);
void dstein_(const lapack_int *n, const double *diagonal, const double *beside, const lapack_int *wanted,
             const double *values, const lapack_int *block, const lapack_int *split, double *vectors,
             const lapack_int *ldz, double *work, lapack_int *integers, lapack_int *failed, lapack_int *info);
void dgesdd_(const char *job, const lapack_int *m, const lapack_int *n, double *a, const lapack_int *lda,
             double *values, double *u, const lapack_int *ldu, double *vt, const lapack_int *ldvt,
             double *work, const lapack_int *room, lapack_int *integers, lapack_int *info, size_t);
void dgelqf_(const lapack_int *m, const lapack_int *n, double *a, const lapack_int *lda, double *tau,
             double *work, const lapack_int *room, lapack_int *info);
void dorglq_(const lapack_int *m, const lapack_int *n, const lapack_int *k, double *a, const lapack_int *lda,
             const double *tau, double *work, const lapack_int *room, lapack_int *info);
void dpotrf_(const char *triangle, const lapack_int *n, double *a, const lapack_int *lda, lapack_int *info,
             size_t);

#endif
