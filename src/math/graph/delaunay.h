/* The Delaunay triangulation of points in the plane and up to six dimensions, by Qhull. */
#ifndef ALD_GRAPH_DELAUNAY_H
#define ALD_GRAPH_DELAUNAY_H

#include "base/core/run.h"

/* Simplices by their corners; a point that Qhull left out (too near another to tell) is in a list with the
 * corners of the simplex it lies in. */
typedef struct ald_simplices {
    int64_t count;
    int64_t *pointers; /* count + 1 */
    int64_t *corners;
} ald_simplices; /* in scratch */

/* Of `points` (n x d, 2 <= d <= 6, distinct, of full rank, n >= d + 2). */
ald_status ald_delaunay(ald_run *run, int64_t n, int64_t d, double *points, ald_simplices *simplices);

#endif
