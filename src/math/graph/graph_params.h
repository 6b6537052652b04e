/* The parameters of a method that uses a graph of its rows. */
#ifndef ALD_GRAPH_GRAPH_PARAMS_H
#define ALD_GRAPH_GRAPH_PARAMS_H

#include "base/settings/method.h"
#include "math/graph/graph.h"

/* In the order of ald_graph_kind. */
extern const char *const ald_graph_kinds[];

/* Its entry radius, for a method with other kinds of graphs. */
extern const ald_param ald_radius_param;
/* graph, n_neighbors, radius and neighbors. */
extern const ald_param *const ald_graph_params[];

/* Reads these settings of the run; `own_rule` is taken for n_neighbors = 0. */
ald_graph_options ald_graph_options_of(const ald_run *run, int64_t own_rule);

#endif
