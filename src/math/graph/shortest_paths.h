/* How far rows are apart along a graph. */
#ifndef ALD_GRAPH_SHORTEST_PATHS_H
#define ALD_GRAPH_SHORTEST_PATHS_H

#include "math/graph/graph.h"

/* d (n x n, symmetric): lengths of the shortest paths between all rows along the edges, in either direction;
 * INFINITY between parts. The graph has distances. Dijkstra's algorithm from every row: n e log n for e
 * edges. */
ald_status ald_graph_paths(ald_run *run, const ald_graph *graph, double *d);

#endif
