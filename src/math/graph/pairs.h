/* Pairs of rows with weights: an undirected graph without loops, as the sums over neighbours need it.
 *
 * Row i holds its partners in ascending order, each pair in both rows, so that a Laplacian product is a
 * gather that threads cut by rows without writing to the same place. Sums over pairs read each row from
 * `upper` on: partners > i. */
#ifndef ALD_GRAPH_PAIRS_H
#define ALD_GRAPH_PAIRS_H

#include "math/linalg/view.h"

typedef struct ald_pairs {
    int64_t n;         /* rows */
    int64_t count;     /* pairs */
    double total;      /* sum of the weights over pairs */
    int64_t *pointers; /* n + 1 */
    int64_t *upper;    /* n: the first entry of the row with a partner above it */
    int32_t *partners; /* 2 count */
    double *weights;   /* 2 count */
} ald_pairs;

/* From directed lists: row i points to neighbours[pointers[i]] .. neighbours[pointers[i + 1] - 1], each with
 * its weight (`weights` NULL: 1) times row_weights[i] (NULL: 1). The two directions of a pair are merged,
 * their weights added; loops and pairs of weight 0 are left out. In scratch; O(n + entries), no sort. */
ald_status ald_pairs_merge(ald_run *run, int64_t n, const int64_t *pointers, const int64_t *neighbours,
                           const double *weights, const double *row_weights, ald_pairs *pairs);
/* The same with the larger weight of the two directions; pairs of weight 0 are kept. */
ald_status ald_pairs_join(ald_run *run, int64_t n, const int64_t *pointers, const int64_t *neighbours,
                          const double *weights, ald_pairs *pairs);

/* v (n x k) = L u with L = diag(W 1) - W, W the weights `entries` (2 count, NULL: those of the pairs). */
ald_status ald_pairs_laplacian(ald_run *run, const ald_pairs *pairs, const double *entries, const double *u,
                               int64_t k, double *v);

/* The same for some rows, `first` and those after it, and some columns of u: v has so many of both.
 * ALD_PAIRS_PANEL columns at a time are done together. */
enum { ALD_PAIRS_PANEL = 16 };
void ald_pairs_columns(const ald_pairs *pairs, int64_t first, const double *entries, ald_view u, ald_area v);
/* |u_i - u_j|^2 of row i and its partners above it. */
void ald_pairs_row_squares(const ald_pairs *pairs, int64_t i, const double *u, int64_t k, double *squares);

/* Rows cut into parts, rows[0] = 0 .. rows[parts] = n, that hold about as many pairs each: those that a row
 * has with the rows above it, of which the first rows have most. */
void ald_pairs_cut(const ald_pairs *pairs, int parts, int64_t *rows);

/* The number of the pair that each entry belongs to (2 count, in scratch): pairs are numbered by their lower
 * row, then by the upper one. */
ald_status ald_pairs_numbers(ald_run *run, const ald_pairs *pairs, int64_t **numbers);

#endif
