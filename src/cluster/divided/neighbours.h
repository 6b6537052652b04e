/* Neighbours among the rows of all ranks: the same, to the last digit, on any number of ranks. All ranks
 * call these, and they agree on failures. */
#ifndef ALD_DIVIDED_NEIGHBOURS_H
#define ALD_DIVIDED_NEIGHBOURS_H

#include "cluster/divided/divided_rows.h"
#include "math/graph/graph.h"

/* The k nearest rows of each row of this rank, itself left out: their numbers and squared distances (rows
 * x k, in scratch), by distance, ties to the lower number. */
ald_status ald_ring_nearest(ald_run *run, const ald_divided *rows, int64_t k, int64_t **neighbours,
                            double **squares);

typedef struct ald_ring_ball {
    double radius;
    /* Those of row i of this rank: neighbours[pointers[i]] .. neighbours[pointers[i + 1] - 1], by number. In
     * scratch. */
    int64_t *pointers, *neighbours;
    int64_t isolated; /* rows of this rank without any */
} ald_ring_ball;

/* All rows at a distance < radius, a row itself left out. The ring is passed twice, to count them and to
 * write them down. */
ald_status ald_ring_within(ald_run *run, const ald_divided *rows, ald_ring_ball *ball);

/* A graph that one process must find of all rows, as a triangulation knows no parts: rank 0 fetches all
 * rows, once, and builds it; each rank gets the neighbours of its own rows, by their numbers among all:
 * n, pointers and neighbours of `own`, in scratch. What describes the whole (isolated, how) rank 0 alone
 * has. The fetched rows do not stay. */
ald_status ald_first_graph(ald_run *run, const ald_divided *rows, const ald_graph_options *options,
                           ald_graph *own);

#endif
