/* Which pairs of points of two panels may be near each other, by products that never leave the registers.
 *
 * A panel has `width` points, coordinate by coordinate: entry (coordinate k, point i) stands at k width + i.
 * Each point has two numbers more, h and u, and the value of a pair is
 *
 *     v = a'b + max(u_a + h_b, u_b + h_a).
 *
 * With h = -|a|^2 / 2 and u = h + rho_a / 2 it is (max(rho_a, rho_b) - |a - b|^2) / 2: what is not negative
 * is near enough for one of the two. Products may be fused or not, as the processor has it: v is a rough
 * number, in error by at most (d + 4) units of rounding of the terms, and serves to pass pairs over. */
#ifndef ALD_NEAR_NEAR_TILE_H
#define ALD_NEAR_NEAR_TILE_H

#include <stdint.h>

/* A whole panel in single and in double; both divide ALD_NEAR_UNIT points. */
enum { ALD_NEAR_SINGLE = 48, ALD_NEAR_DOUBLE = 24, ALD_NEAR_UNIT = 48, ALD_NEAR_MOST_ROWS = 8 };

/* One side of a tile, in working precision: a panel, or some of its points from a certain one on. */
typedef struct ald_near_side {
    const void *points, *h, *u;
} ald_near_side;

typedef struct ald_near_kernel {
    int rows; /* at a time; divides the width */
    /* So many points of one panel with all of another, in d coordinates: 1, and which are near, a bit of
     * near[row] for each column; 0, and maybe no bits, if none is. */
    int (*tile)(int64_t d, const ald_near_side *some, const ald_near_side *all, uint64_t *near);
} ald_near_kernel;

/* For a kind of processors, 0 .. ALD_NEAR_KINDS - 1, in double or in single; NULL: this is none of them. */
enum { ALD_NEAR_KINDS = 3 };
const ald_near_kernel *ald_near_kernel_of(int kind, int is_double);
/* The best that this processor can do. */
const ald_near_kernel *ald_near_kernel_best(int is_double);

#endif
