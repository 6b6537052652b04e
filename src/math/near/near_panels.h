/* Which pairs of points may be near each other: points in panels, how far each of them looks, and products
 * of two panels that never leave the registers.
 *
 * A panel has `width` points, coordinate by coordinate: entry (coordinate k, point i) stands at k width + i.
 * Each point has two numbers more, h and u, and the value of a pair is
 *
 *     v = a'b + max(u_a + h_b, u_b + h_a).
 *
 * With h = -|a|^2 / 2 and u = h + rho_a / 2 it is (max(rho_a, rho_b) - |a - b|^2) / 2: what is not negative
 * is near enough for one of the two. Products may be fused or not, as the processor has it: v is a rough
 * number, in error by at most (d + 4) units of rounding of the terms, and serves to pass pairs over.
 *
 * With a and b the rough points (points.h) in working precision of unit eps, the error of v is at most
 *
 *     t (|a| + |b|)^2 / 2 + t rho / 2,    t = (d + 4) eps,
 *
 * and the points as given are within e = eps (|a| + |b|) + blur of a and b. So a pair whose v is negative is
 * farther apart than r if
 *
 *     rho = ((r + e)^2 + t (|a| + |b|)^2) (1 + 2 t). */
#ifndef ALD_NEAR_NEAR_PANELS_H
#define ALD_NEAR_NEAR_PANELS_H

#include "math/near/points.h"

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

typedef struct ald_near_panels {
    const ald_points *points;
    const ald_near_kernel *kernel;
    int is_double;
    int64_t width, padded; /* points of a panel; points and what fills the last unit */
    void *coordinates;     /* padded x d, in panels */
    void *h, *u;           /* padded */
    double *sizes;         /* n: lengths of the rough points */
} ald_near_panels;

/* Whether rough points have ordinary numbers for coordinates, and few enough of them to stay in cache. */
int ald_near_panels_suit(const ald_points *points);
/* Reads all points, on so many threads. */
ald_status ald_near_panels_new(ald_run *run, const ald_points *points, int parts, int is_double,
                               ald_near_panels *panels);
/* Point i looks for others, no longer than `longest`, up to the squared distance `limit` of rows as given. */
void ald_near_panels_look(const ald_near_panels *panels, int64_t i, double limit, double longest);
/* From point i on: a whole panel, or rows of one. */
ald_near_side ald_near_panels_side(const ald_near_panels *panels, int64_t i);

#endif
