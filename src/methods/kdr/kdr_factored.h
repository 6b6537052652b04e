/* The exact criterion where K is of low rank to rounding, as kernels on few dimensions mostly are.
 *
 * A pivoted Cholesky factorization K = G'G, G l x n, is carried on until nothing is left but rounding (4e-15
 * of the diagonal). With V the centred rows of G, M = V V' + n eps I = R'R and y = R'^-1 V F:
 *
 *   f = (|F|^2 - |y|^2) / (n eps),   P = (F - V'R^-1 y) / (n eps).
 *
 * A value is n l (l + m) instead of n^3 / 3: for 500 rows in two dimensions l is some 60 to 100. Where l
 * would be above n / 3, or n eps so small that what is left would count, K is taken as a whole from then on.
 */
#ifndef ALD_KDR_KDR_FACTORED_H
#define ALD_KDR_KDR_FACTORED_H

#include "methods/kdr/kdr_objective.h"

/* Sets work->l; 0: not of low rank, and f is not written. work->turned is Z'. */
ald_status ald_kdr_factored_value(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work, double *f);
/* P at the point of the last value, into work->p; work->square is free then. */
ald_status ald_kdr_factored_p(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work);

#endif
