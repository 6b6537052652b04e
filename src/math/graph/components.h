/* Connected parts of a graph (directions do not matter), what would connect them, and how far rows are apart
 * along it. */
#ifndef ALD_GRAPH_COMPONENTS_H
#define ALD_GRAPH_COMPONENTS_H

#include "math/graph/graph.h"

/* `component` (n): the number of each row's part, parts numbered by their first row from 0. */
ald_status ald_graph_components(ald_run *run, const ald_graph *graph, int64_t *component, int64_t *count);

typedef struct ald_edge {
    int64_t from, to; /* from < to */
    double square;
} ald_edge;

/* The edges of a shortest tree between the parts: count of parts - 1 of them, in scratch, each the nearest
 * pair of rows at its turn (Boruvka; ties to the lower numbers). Rows of Z as the graph numbers them. Cost: a
 * search for nearest neighbours, a logarithm of the count of parts times. */
ald_status ald_graph_bridges(ald_run *run, const ald_operator *z, const ald_graph *graph, ald_edge **edges,
                             int64_t *count);
/* The graph with these edges added, both ways and with their distances. Refuses a graph without distances. */
ald_status ald_graph_connect(ald_run *run, const ald_operator *z, ald_graph *graph, int64_t *added);

/* d (n x n, symmetric): lengths of the shortest paths between all rows along the edges, in either direction;
 * INFINITY between parts. The graph has distances. Dijkstra's algorithm from every row: n e log n for e
 * edges. */
ald_status ald_graph_paths(ald_run *run, const ald_graph *graph, double *d);

#endif
