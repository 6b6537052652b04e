/* The sum of two trace ratios, as a function of the span of A (q x k), A'A = I:
 *
 *   F(A)                = f_1 tr((A'D_1 A)^-1 A'N_1 A) + f_2 tr((A'D_2 A)^-1 A'N_2 A)
 *   d tr(M^-1 A'N A)/dA = 2 (N A - D A M^-1 A'N A) M^-1,   M = A'D A
 *
 * The D are positive definite. Cost of a step of optimize/grassmann.h: four products with q x q matrices and
 * k columns; of a trial of its line search: O(k^3). */
#ifndef ALD_OPTIMIZE_TRACE_RATIOS_H
#define ALD_OPTIMIZE_TRACE_RATIOS_H

#include "math/optimize/grassmann.h"

/* A symmetric q x q matrix: stored, or its diagonal; neither: I. */
typedef struct ald_square {
    const double *dense, *diagonal;
} ald_square;

enum { ald_ratio_squares = 4 };

typedef struct ald_trace_ratios {
    int64_t q, k;
    double factors[2];
    ald_square squares[ald_ratio_squares]; /* N_1, D_1, N_2, D_2 */
    /* Room for products and for the forms along a geodesic. */
    double *tall[ald_ratio_squares], *other; /* q x k */
    double *m, *n, *inverse, *dm, *dn;       /* k x k */
    ald_geodesic_form forms[ald_ratio_squares];
} ald_trace_ratios;

/* Room in scratch, for one whose fields up to `squares` are set. */
ald_status ald_trace_ratios_prepare(ald_run *run, ald_trace_ratios *problem);
ald_grassmann_objective ald_trace_ratios_objective(ald_trace_ratios *problem);

#endif
