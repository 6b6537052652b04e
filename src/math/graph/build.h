/* What a kind of graph offers to ald_graph_build: fills pointers, neighbours and squares. */
#ifndef ALD_GRAPH_BUILD_H
#define ALD_GRAPH_BUILD_H

#include "math/graph/graph.h"

typedef ald_status (*ald_graph_fn)(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                                   ald_graph *graph);

/* Into a graph that has its room already. */
ald_status ald_graph_approximate(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                                 ald_graph *graph);
ald_status ald_graph_enclosing(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                               ald_graph *graph);
ald_status ald_graph_natural(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                             ald_graph *graph);

/* The radius of `epsilon` for n rows of d columns: as given, or by its rule. */
double ald_graph_radius(const ald_graph_options *options, int64_t n, int64_t d);

/* Where each row begins (pointers, n + 1), from the number of neighbours per row; `next` becomes the same.
 * Gives the number of rows that have none. */
int64_t ald_graph_place(int64_t n, int64_t *next, int64_t *pointers);
/* Fills the squares of the edges there are; they have their room. */
ald_status ald_graph_measure_rows(ald_run *run, const ald_points *points, ald_graph *graph);
/* Room for the neighbours, once pointers are known (n + 1, in scratch). */
ald_status ald_graph_allocate(ald_run *run, ald_graph *graph);

#endif
