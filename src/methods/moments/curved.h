/* Curvature: the scatter of the rows times one real response,
 *
 *   C = sum w r (x - m)(x - m)'.
 *
 * With r = y - mean(y) it is a sum that rows are added to and taken from: seen from other means, by d = m_b -
 * m and e = mean(y)_b - mean(y), the rows of b with their C_b, cross products c_b, scatter S_b and weight w_b
 * have
 *
 *   C_b + c_b d' + d c_b' + e (S_b + w_b d d').
 *
 * It is not kept exactly (moments/exact.h).
 *
 * With r = y - mean(y) - (x - m)'slope, what a linear fit leaves, every row that is added changes all r: sums
 * for that would be all third moments, d^3 / 6 numbers. So it takes a second pass over the rows, when means
 * and slope are known, and is not kept. */
#ifndef ALD_MOMENTS_CURVED_H
#define ALD_MOMENTS_CURVED_H

#include "methods/moments/moments.h"

/* What r is about. */
typedef struct ald_curving {
    const double *mean; /* d */
    double y_mean;
    const double *slope; /* d; NULL: 0 */
} ald_curving;

/* Adds C of these dense rows to `curved` (d x d), and their w r^2 to `squares`. */
ald_status ald_curved_add(ald_run *run, const ald_operator *rows, const ald_target *target,
                          const ald_curving *about, double *curved, double *squares);
/* C of a with the rows of b added (sign 1) or taken away (-1); before anything else of a changes. That it
 * cost digits is a warning. */
ald_status ald_curved_merge(ald_run *run, ald_moments *a, const ald_moments *b, int sign);
/* Whether the moments of the run's method hold C of the centred response. */
int ald_curved_is_kept(const ald_run *run);

#endif
