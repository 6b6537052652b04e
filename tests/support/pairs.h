/* Neighbours by plain loops over all pairs. */
#ifndef ALD_TESTS_PAIRS_H
#define ALD_TESTS_PAIRS_H

#include "math/graph/graph.h"

typedef struct support_pair {
    double square;
    int64_t index;
} support_pair;

/* The others of row i of x (n x d), by distance and index: n - 1 of them. `scale` (d) may be NULL. */
void support_rank_others(const double *x, const double *scale, int64_t n, int64_t d, int64_t i,
                         support_pair *others);

/* Structure: pointers rise, neighbours in range, no loops, none twice, by distance and index, squares exact.
 */
void support_check_graph(const ald_graph *graph, const double *x, const double *scale, int64_t d);

/* Whether j is a neighbour of i. */
int support_joined(const ald_graph *graph, int64_t i, int64_t j);

#endif
