/* The heat kernel of all pairs of points, in blocks. */
#ifndef ALD_GRAPH_ALL_PAIRS_H
#define ALD_GRAPH_ALL_PAIRS_H

#include "math/graph/graph.h"

/* out (n x k) = W v, W_ij = exp(-d_ij^2 / width). */
ald_status ald_all_pairs_weigh(ald_run *run, const ald_points *points, double width, const double *v,
                               int64_t k, double *out);

#endif
