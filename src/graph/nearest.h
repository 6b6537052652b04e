/* The k nearest of many, kept one by one: a heap of (squared distance, index) with the farthest on top. */
#ifndef ALD_GRAPH_NEAREST_H
#define ALD_GRAPH_NEAREST_H

#include "graph/graph.h"
#include "near/near_pairs.h"

typedef struct ald_nearest {
    int64_t k;
    int64_t *counts;     /* a query: how many it has so far */
    int64_t *neighbours; /* queries x k */
    double *squares;     /* queries x k */
} ald_nearest;

/* The k nearest references of each query, sorted. */
ald_status ald_nearest_search(ald_run *run, const ald_points *queries, const ald_points *references,
                              int64_t k, int skip_same, int64_t *neighbours, double *squares);

/* Sorts pairs by distance, ties by index. */
void ald_sort_neighbours(int64_t count, int64_t *neighbours, double *squares);

#endif
