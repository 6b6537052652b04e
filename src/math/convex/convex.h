/* The stress of squares as a convex function of P, and what certifies its minimum over positive
 * semidefinite P.
 *
 *   J(P) = c |D(P) - t|^2 + <R, P>,   D linear,   Z = grad J (p x p)
 *
 * Solvers carry the image of P, which is linear in P as well, so that they can combine images as they
 * combine matrices. With P >= 0:
 *
 *   J(P) - J*   <= |<Z, P>| + max(0, -lambda_min Z) trace(P*)
 *   trace(P*)   <= (sum w t + sqrt(sum w J(P) / c)) / sum w
 *
 * the second where the pairs have the scatter I (basis.h), and somewhat more where a linear term pulls P up
 * (stress.h). */
#ifndef ALD_CONVEX_CONVEX_H
#define ALD_CONVEX_CONVEX_H

#include "math/optimize/quadratic.h"

typedef struct ald_convex {
    int64_t p, size; /* of P, of an image */
    void *self;
    /* The image of P = X X', X p x q. */
    ald_status (*image)(ald_run *run, void *self, const double *x, int64_t q, double *image);
    /* Z (p x p) from the image. */
    ald_status (*gradient)(ald_run *run, void *self, const double *image, double *z);
    double (*value)(const void *self, const double *image);
    /* The part of J that is quadratic: c |D|^2. */
    double (*curvature)(const void *self, const double *image);
    double at_zero; /* J(0) */
    const ald_stress *stress;
    int by_rows; /* threads share the rows, and what is left is too small for BLAS to have several */
} ald_convex;

/* By A, b and c. */
ald_status ald_convex_of_quadratic(ald_run *run, const ald_stress *stress, ald_quadratic *q, ald_convex *f);
/* By the pairs: F is written out (n x p). */
ald_status ald_convex_of_stress(ald_run *run, const ald_stress *stress, ald_convex *f);

/* The bound on trace(P*) from a P whose J is `value`. */
double ald_trace_bound(const ald_stress *stress, double value);
/* The bound on J(P) - J* from |<Z, P>| and lambda_min Z, and J(P) itself where J cannot be negative. */
double ald_gap_bound(const ald_stress *stress, double value, double inner, double lowest);

/* A minimum, or how near a solver came. */
typedef struct ald_psd_solution {
    int64_t rank;
    double *factor; /* X, p x rank: P = X X', columns by falling length, in scratch */
    double value;   /* J(P) */
    double gap;     /* J(P) - J* is at most this */
    int64_t iterations;
    const char *solver;
} ald_psd_solution;

/* Accelerated projected gradient with restarts, until the gap is below tol J(0). p^3 and an image per step.
 */
ald_status ald_psd_first_order(ald_run *run, const ald_convex *f, double tol, int64_t max_iter,
                               ald_psd_solution *out);

#endif
