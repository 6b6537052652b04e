/* Points in panels, as the tiles of near_tile.h want them, and how far each of them looks.
 *
 * With a and b the rough points (points.h) in working precision of unit eps, the value v of a pair is in
 * error by at most t (|a| + |b|)^2 / 2 + t rho / 2, t = (d + 4) eps, and the points as given are within e =
 * eps (|a| + |b|) + blur of a and b. So a pair whose v is negative is farther apart than r if
 *
 *     rho = ((r + e)^2 + t (|a| + |b|)^2) (1 + 2 t). */
#ifndef ALD_NEAR_NEAR_PANELS_H
#define ALD_NEAR_NEAR_PANELS_H

#include "math/near/near_tile.h"
#include "math/near/points.h"

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
