/* What the verifiers of kernel methods share: the rbf kernel of the prepared rows by plain loops, and the
 * coefficients of the model on it. */
#ifndef ALD_TESTS_METHODS_KERNEL_CHECK_H
#define ALD_TESTS_METHODS_KERNEL_CHECK_H

#include "verify/verifier.h"

typedef struct kernel_view {
    double x[n * d];  /* rows as the kernel sees them: (row - shift) / scale */
    double k[n * n];  /* of those, rbf at the median distance (ksdpp: half of it) */
    double kc[n * n]; /* HKH */
    double mean[n];   /* of the columns of k */
    const double *a;  /* coefficients, n x r */
    double z[n * r];  /* (k - 1 mean')a: what the training rows are mapped to */
} kernel_view;

/* Checks the width, the column means and the landmarks of the model on the way. */
void kernel_view_make(const ald_model *model, const prepared *p, kernel_view *v);

/* The symmetric m (n x n) as a function of its eigenvalues: V f(e) V'. */
void apply_to_spectrum(const double *m, double (*f)(double e, double by), double by, double *out);
/* The largest r eigenvalues of the product of the symmetric positive semidefinite a and b agree with
 * `values`. */
void check_largest_of_product(const double *a, const double *b, const double *values);

#endif
