/* A graph that one process must find of all rows: a triangulation knows no parts. */
#ifndef ALD_DIVIDED_FIRST_GRAPH_H
#define ALD_DIVIDED_FIRST_GRAPH_H

#include "cluster/divided/divided_rows.h"
#include "math/graph/graph.h"

/* Rank 0 fetches all rows, once, and builds the graph; each rank receives the neighbours of its own rows, by
 * their numbers among all: n, pointers and neighbours of `own`, in scratch. Only rank 0 has the properties of
 * the whole graph (isolated, how). All ranks call it; the rows of the others are not kept. */
ald_status ald_first_graph(ald_run *run, const ald_divided *rows, const ald_graph_options *options,
                           ald_graph *own);

#endif
