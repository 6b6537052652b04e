/* Graph Laplacians L = D - W, D = diag(W 1), and their products with few columns; no n x n matrix is ever
 * stored.
 *
 *   neighbourhood graph:   i and j are joined if either is a neighbour of the other ("or"), without loops;
 *   all pairs:             W_ij = exp(-|z_i - z_j|^2 / width) for every i and j, W_ii = 1, recomputed in
 *                          blocks for each product;
 *   all pairs, scaled:     W_ij = f_i f_j exp(-|z_i - z_j|^2 / (s_i s_j)) alike; where s_i s_j = 0 it is
 *                          f_i f_j for equal rows and 0 for others. */
#ifndef ALD_GRAPH_LAPLACIAN_H
#define ALD_GRAPH_LAPLACIAN_H

#include "math/graph/graph.h"

typedef enum ald_weights {
    ALD_WEIGHTS_HEAT,  /* exp(-d^2 / width) */
    ALD_WEIGHTS_EQUAL, /* 1 */
    ALD_WEIGHTS_GIVEN, /* the graph's own; where the two directions differ, the larger */
} ald_weights;

struct ald_points;

typedef struct ald_laplacian {
    int64_t n;
    double width;   /* of the heat kernel, resolved; else 0 */
    double *degree; /* n */
    /* For a graph: its rows, symmetric, indices increasing. NULL: all pairs. */
    int64_t *pointers;
    int32_t *neighbours;
    double *weights;
    const struct ald_points *points; /* of all pairs */
    const double *scale, *factor;    /* s and f, n each; NULL: the same width for all, and 1 */
} ald_laplacian;                     /* in the run's scratch */

/* `width` 0: the mean of d^2 over the directed edges. */
ald_status ald_laplacian_of_graph(ald_run *run, const ald_graph *graph, ald_weights weights, double width,
                                  ald_laplacian *laplacian);
/* For all pairs of rows; `width` 0: the median of d^2 over i < j, of 2000 rows drawn with `seed` if there are
 * more. Cost of this and of each product: n^2 (d + k). */
ald_status ald_laplacian_of_all(ald_run *run, const ald_rows *rows, double width, uint64_t seed,
                                ald_laplacian *laplacian);

/* For all pairs of rows by their own scales; `factor` NULL: 1. Both are kept. */
ald_status ald_laplacian_of_scaled(ald_run *run, const ald_rows *rows, const double *scale,
                                   const double *factor, ald_laplacian *laplacian);

/* out (n x k) = W v. */
ald_status ald_laplacian_weigh(ald_run *run, const ald_laplacian *laplacian, const double *v, int64_t k,
                               double *out);
/* out (n x k) = L v. */
ald_status ald_laplacian_apply(ald_run *run, const ald_laplacian *laplacian, const double *v, int64_t k,
                               double *out);
/* out (n x k) = (I - D^(-1/2) W D^(-1/2)) v; the rows of vertices without a neighbour are 0. */
ald_status ald_laplacian_apply_normalised(ald_run *run, const ald_laplacian *laplacian, const double *v,
                                          int64_t k, double *out);

#endif
