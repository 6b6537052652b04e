/* The two passes over the pairs that a step of the conjugate gradient takes, of squares: sums over the pairs
 * of some rows.
 *
 * Several points stand side by side as lanes: four points, or eight where there are more than four, make a
 * block, in which column k of the first, the second, ... stand together, so that all of them are done by one
 * instruction. A point alone has its columns one after the other. Lanes without a point are 0. */
#ifndef ALD_OPTIMIZE_STRESS_ROWS_H
#define ALD_OPTIMIZE_STRESS_ROWS_H

#include "math/optimize/stress.h"

enum { ALD_STRESS_MOST_LANES = 8 };

/* Lanes of a block, for more than one point. */
static inline int64_t ald_stress_lanes(int64_t groups)
{
    return groups > 4 ? ALD_STRESS_MOST_LANES : 4;
}
/* Columns of u, uv and work for `groups` points of r columns. */
static inline int64_t ald_stress_width(int64_t r, int64_t groups)
{
    const int64_t lanes = ald_stress_lanes(groups);
    return groups == 1 ? r : r * lanes * ((groups + lanes - 1) / lanes);
}
/* Where column k of a point is. */
static inline int64_t ald_stress_place(int64_t r, int64_t groups, int64_t group, int64_t k)
{
    const int64_t lanes = ald_stress_lanes(groups);
    return groups == 1 ? k : (group / lanes * r + k) * lanes + group % lanes;
}

/* work_i = sum_j q_ij (u_i - u_j), q = 2 w (D - t), and half the sum of w (D - t)^2 to sums[5 g]: each pair
 * is met twice, from both its rows. */
void ald_stress_gradient_rows(const ald_stress *s, int64_t begin, int64_t end, double *sums);
/* The coefficients of sum w (D - t)^2 along the line, over the pairs with a partner above: to sums[5 g +
 * 0..4].
 */
void ald_stress_line_rows(const ald_stress *s, int64_t begin, int64_t end, double *sums);

#endif
