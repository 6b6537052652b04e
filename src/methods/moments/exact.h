/* Moments as plain sums that rows are added to and taken from without a trace.
 *
 * With v = (1, x, y) of a row, y its real responses, and w its weight:
 *
 *   joint    = sum w v v'
 *   centre_p = sum w x        over pattern p
 *   within_c = sum w x x'     over class c
 *
 * from which follow
 *
 *   mean_j     = joint_0j / joint_00
 *   scatter_ij = joint_ij - joint_0i joint_0j / joint_00
 *
 * and so on. The sums are about 0 and no division enters them: adding and taking away is adding, in any order
 * and grouping, to 2^-150 of the largest sum there has been. A column of size s may thus hold a cell of 10^15
 * s for a while and lose nothing.
 *
 * `lost` (d) bounds the error of the diagonal of the scatter: 2^-150 of the sums, and for rows that were
 * summed by the backend (plain) what n roundings may come to, (8 + min(n, 512)/2 + n/512) eps of their
 * scatter. */
#ifndef ALD_MOMENTS_EXACT_H
#define ALD_MOMENTS_EXACT_H

#include "methods/moments/moments.h"

enum { ALD_EXACT_ORDER = 1000 }; /* columns at most: three doubles for each pair of them */

/* Entries of the upper triangle, row by row, of a symmetric matrix; each is three doubles. */
static inline int64_t ald_packed(int64_t order)
{
    return order * (order + 1) / 2;
}

/* 1, the columns, and real responses. */
static inline int64_t ald_exact_joint_order(const ald_moments *m)
{
    return 1 + m->d + (m->kind == ALD_TARGET_REAL ? m->k : 0);
}

/* Sums of nothing, and `lost` where it is not there, in `arena`. */
ald_status ald_exact_begin(ald_run *run, ald_arena *arena, ald_moments *m);
/* A row of x and y (NULL: none), of a pattern (where there are any). */
void ald_exact_add_row(ald_moments *m, const double *x, const double *y, int64_t pattern, double weight);
/* The moments that b has as means and scatters; pattern p of b is places[p] of m (NULL: p). */
void ald_exact_add_plain(ald_moments *m, const ald_moments *b, const int64_t *places, double sign);
/* The sums of b. */
void ald_exact_add_sums(ald_moments *m, const ald_moments *b, const int64_t *places, double sign);
/* Sums of the means and scatters that m has; with more columns than they are kept for, and with a curvature,
 * only `lost`. */
ald_status ald_exact_from_plain(ald_run *run, ald_arena *arena, ald_moments *m);
/* Means and scatters of the sums; all arrays are there. */
void ald_exact_derive(ald_moments *m);

#endif
