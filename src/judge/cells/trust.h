/* Whether a fit from moments has the digits of a fit of the rows.
 *
 * Moments are squares: with a unit eps of rounding, X'X is known to eps |X'X|. What is lost shows in how
 * small the parts of X are that the method divides by, against the largest:
 * - methods with a ridge solve with A = Z'Z + ridge I: the smallest pivot of A at a unit diagonal
 * (solvers/pivot.h);
 * - the others go by scores t = Z w: |t|^2 / |w|^2 of every direction, as a part of the largest of them.
 * Neither may be below ALD_TRUST, at which some 1e-10 of the directions is rounding. */
#ifndef ALD_CELLS_TRUST_H
#define ALD_CELLS_TRUST_H

#include "methods/moments/moments.h"

#define ALD_TRUST 1e-6

/* Before the fit, for methods with a ridge; others are trusted as yet. The problem is settled. */
ald_status ald_trust_problem(ald_run *run, const ald_moments *moments, const ald_problem *problem,
                             int *trusted);
/* After it, for methods without. */
ald_status ald_trust_model(ald_run *run, const ald_problem *problem, const ald_model *model, int *trusted);

#endif
