/* What rsir minimises, as a function of the span of A (q x k), A'A = I:
 *
 *   F(A) = -tr((A'Sg A)^-1 A'Gt A) + eta tr((A'St A)^-1 A'Qt A),
 *   d tr(M^-1 A'N A)/dA = 2 (N A - D A M^-1 A'N A) M^-1,   M = A'D A.
 *
 * In the coordinates of the definition Sg = I and St = diag(Lt), where the first ratio is tr(A'Gt A). F is a
 * function of the span in any coordinates, and these are badly scaled where Sigma says nothing: its curvature
 * is that of Sigma + eta Q / s, s the spread of a projection. ald_rsir_precondition goes to coordinates in
 * which this is I (for s a thirtieth of the spread at the start) and Sg and Qt are diagonal: ten times fewer
 * steps on images.
 *
 * A step: two products with q x q matrices and k columns; a trial of the line search: O(k^3). */
#ifndef ALD_RSIR_RSIR_OBJECTIVE_H
#define ALD_RSIR_RSIR_OBJECTIVE_H

#include "math/optimize/grassmann.h"

/* A symmetric q x q matrix: stored, or its diagonal; neither: I. */
typedef struct ald_rsir_square {
    const double *dense, *diagonal;
} ald_rsir_square;

enum { ALD_RSIR_GAMMA, ALD_RSIR_SIGMA, ALD_RSIR_QUAD, ALD_RSIR_SPREAD, ALD_RSIR_SQUARES };

typedef struct ald_rsir {
    int64_t q, k;
    double eta;
    ald_rsir_square squares[ALD_RSIR_SQUARES]; /* Gt, Sg, Qt, St */
    /* Room for products and for the forms along a geodesic. */
    double *tall[ALD_RSIR_SQUARES], *other; /* q x k */
    double *m, *n, *inverse, *dm, *dn;      /* k x k */
    ald_geodesic_form forms[ALD_RSIR_SQUARES];
} ald_rsir;

/* Room in scratch, for a problem whose fields up to `squares` are set. */
ald_status ald_rsir_prepare(ald_run *run, ald_rsir *problem);
ald_grassmann_objective ald_rsir_objective(ald_rsir *problem);

/* The same problem in the better coordinates: A there is diag(1 / scale) E (E's rows) times A here. */
typedef struct ald_rsir_turn {
    double *e;     /* q x q, orthonormal rows */
    double *scale; /* q */
} ald_rsir_turn;

/* `start` (q x k) is where the minimum is looked for from; sigma must be I and the spread diagonal. */
ald_status ald_rsir_precondition(ald_run *run, const ald_rsir *problem, const double *start, ald_rsir *better,
                                 ald_rsir_turn *turn);
/* There and back; out (q x k), not orthonormal. */
ald_status ald_rsir_there(ald_run *run, const ald_rsir *problem, const ald_rsir_turn *turn, const double *a,
                          double *out);
ald_status ald_rsir_back(ald_run *run, const ald_rsir *problem, const ald_rsir_turn *turn, const double *a,
                         double *out);

#endif
