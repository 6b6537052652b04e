/* How far a W is from the global minimum over all P >= 0, by products only (convex.h has the bound). */
#ifndef ALD_CONVEX_CERTIFICATE_H
#define ALD_CONVEX_CERTIFICATE_H

#include "math/convex/convex.h"

typedef struct ald_certificate {
    double gap;     /* J(W W') - J* is at most this */
    double inner;   /* |<Z, P>| */
    double lowest;  /* lambda_min of Z against the scatter of the pairs */
    int64_t found;  /* columns of `escape` that lead down: eigenvectors of negative eigenvalues */
    double *escape; /* p x room, unit columns, lowest first; in the caller's memory, or NULL */
    int64_t room;
} ald_certificate;

/* For w (p x r) with J(W W') = value. Squares only. */
ald_status ald_certify(ald_run *run, ald_stress *stress, const double *w, int64_t r, double value,
                       uint64_t seed, ald_certificate *out);

/* 2 |B|_2 with B = c sum w t f''(t, t) tau tau', the size of gradients: |grad J| is about this times |W|
 * where W is too short, and it has their units for every f. */
ald_status ald_stress_size(ald_run *run, const ald_stress *stress, uint64_t seed, double *size);
/* The steepest ways down from W = 0 in the units W = S Y (conjugate_gradient.h): Y (p x r), the leading
 * eigenvectors of -S Z S with the Z that the squares have there, the longer the steeper. */
ald_status ald_stress_steepest(ald_run *run, const ald_stress *stress, const double *scale, uint64_t seed,
                               int64_t r, double *directions);

/* The global minimum by a factor X (p x q) whose rank grows until the certificate holds: conjugate gradient,
 * then the directions in which Z is negative join as new columns. Nothing of size p x p beyond an order of
 * 1000. */
ald_status ald_psd_low_rank(ald_run *run, ald_stress *stress, int64_t rank, double tol, int64_t max_iter,
                            uint64_t seed, ald_psd_solution *out);

#endif
