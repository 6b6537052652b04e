/* Neighbourhoods: which rows are near which.
 *
 *   knn         the k nearest by Euclidean distance, the row itself left out, ties to the lower index
 *   epsilon     all at a distance < radius (strict)
 *   enclosing   the nearest k, k the smallest for which their hull is as near as the hull of all other rows
 *   natural     the neighbours in the Delaunay triangulation
 *
 * Graphs are directed and have no loops. Distances are those of the prepared rows, row-scaled and scaled:
 * columns are differenced before they are scaled, so that equal differences stay equal, and neither the
 * column means nor the roots of sample weights enter. */
#ifndef ALD_GRAPH_GRAPH_H
#define ALD_GRAPH_GRAPH_H

#include "math/near/points.h"

typedef struct ald_graph {
    int64_t n;           /* rows */
    int64_t *pointers;   /* n + 1: the neighbours of i are entries pointers[i] .. pointers[i + 1] - 1 */
    int64_t *neighbours; /* a row's by distance, ties by index */
    double *squares;  /* squared distances, from differences in double; NULL where only weights were given */
    double *weights;  /* NULL: all 1 */
    int64_t isolated; /* rows without a neighbour of their own */
    double radius;    /* epsilon: the radius used; else 0 */
    double recall; /* 1, or for approximate neighbours the part of the true ones found, on a sample of rows */
    const char *how; /* one sentence, static */
} ald_graph;         /* all of it in the run's scratch */

typedef enum ald_graph_kind {
    ALD_GRAPH_KNN,
    ALD_GRAPH_EPSILON,
    ALD_GRAPH_ENCLOSING,
    ALD_GRAPH_NATURAL,
} ald_graph_kind;

typedef struct ald_graph_options {
    ald_graph_kind kind;
    int64_t n_neighbors; /* knn */
    double radius;       /* epsilon; 0: (ln n / n)^(1/d) */
    int approximate;     /* knn: by an index of the library hnswlib, where the build has it */
    uint64_t seed;       /* of the index and of the sample its recall is measured on */
} ald_graph_options;

/* The graph of all rows. */
ald_status ald_graph_build(ald_run *run, const ald_operator *z, const ald_graph_options *options,
                           ald_graph *graph);
/* About the seconds that an exact search of the neighbours of n dense rows takes on one thread. */
double ald_graph_seconds(double n, double d);
/* The graph of some rows; it numbers them 0 .. count - 1 as in the list. */
ald_status ald_graph_build_rows(ald_run *run, const ald_rows *rows, const ald_graph_options *options,
                                ald_graph *graph);

/* A given graph: entry (i, j) of the n x n matrix is the weight of j as a neighbour of i. Loops and zeros are
 * dropped, weights that are negative or not finite refused. No distances, so a row's neighbours are in the
 * order of their index.
 */
ald_status ald_graph_from_matrix(ald_run *run, const ald_matrix *matrix, int64_t n, ald_graph *graph);

/* The k nearest of `references` to each of `queries`: `neighbours` and `squares`, count of queries x k, by
 * distance, ties to the lower index, numbers as in the list of references. `skip_same`: rows of the same
 * number in Z are left out (both of one Z). k is at most the number of references (less one with
 * `skip_same`). */
ald_status ald_neighbours_between(ald_run *run, const ald_rows *queries, const ald_rows *references,
                                  int64_t k, int skip_same, int64_t *neighbours, double *squares);

#endif
