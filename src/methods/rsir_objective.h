/* What rsir minimises, in whitened coordinates: for A (q x k), A'A = I, and M = A'Lt A,
 *
 *   F(A) = -tr(A'Gt A) + eta tr(M^-1 A'Qt A),
 *   dF/dA = -2 Gt A + 2 eta (Qt A - Lt A M^-1 A'Qt A) M^-1.
 *
 * Gt and Qt are q x q and symmetric, Lt is diagonal. A step: two products with q x q matrices and k columns; a trial of
 * the line search: O(k^3). */
#ifndef ALD_METHODS_RSIR_OBJECTIVE_H
#define ALD_METHODS_RSIR_OBJECTIVE_H

#include "optimize/grassmann.h"

typedef struct ald_rsir {
    int64_t q, k;
    double eta;
    const double *gamma; /* Gt, q x q */
    const double *quad;  /* Qt, q x q */
    const double *lt;    /* Lt, q */
    /* Room for products. */
    double *ga, *qa, *la, *work;          /* q x k */
    double *m, *n, *inverse, *slope, *dn; /* k x k */
    ald_geodesic_form g_form, q_form, l_form;
} ald_rsir;

/* Room in scratch, for a problem whose fields up to `lt` are set. */
ald_status ald_rsir_prepare(ald_run *run, ald_rsir *problem);
ald_grassmann_objective ald_rsir_objective(ald_rsir *problem);

#endif
