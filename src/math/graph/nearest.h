/* The k nearest of many, kept one by one: a heap of (squared distance, index) with the farthest on top. */
#ifndef ALD_GRAPH_NEAREST_H
#define ALD_GRAPH_NEAREST_H

#include "math/graph/graph.h"
#include "math/near/near_pairs.h"

typedef struct ald_nearest {
    int64_t k;
    int64_t *counts;     /* a query: how many it has so far */
    int64_t *neighbours; /* queries x k */
    double *squares;     /* queries x k */
    int64_t first;       /* the number of the first reference: neighbours are returned by number */
    int64_t own; /* the number of the first query, where a row is not its own neighbour; -1: it may be */
} ald_nearest;

/* The k nearest references of each query, sorted. */
ald_status ald_nearest_search(ald_run *run, const ald_points *queries, const ald_points *references,
                              int64_t k, int skip_same, int64_t *neighbours, double *squares);

/* The same in steps, for references that come one set after the other: room for the neighbours of n queries;
 * a look at a set, whose first row has the number nearest->first (the points are joined); and the order. */
ald_status ald_nearest_begin(ald_run *run, int64_t n, int64_t k, ald_nearest *nearest);
ald_status ald_nearest_look(ald_run *run, const ald_points *queries, const ald_points *references,
                            int skip_same, ald_nearest *nearest);
void ald_nearest_end(int64_t n, ald_nearest *nearest);

/* ald_neighbours_between on the card of the run, where there is one and it pays; `done` 0: the processor is
 * to search. */
ald_status ald_nearest_on_card(ald_run *run, const ald_rows *queries, const ald_rows *references, int64_t k,
                               int skip_same, int64_t *neighbours, double *squares, int *done);

/* Sorts pairs by distance, ties by index. */
void ald_sort_neighbours(int64_t count, int64_t *neighbours, double *squares);
/* The same for every row of a graph. */
void ald_graph_sort(const ald_graph *graph);

#endif
