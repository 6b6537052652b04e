/* Kernels made of the graph of the training rows, for which kernel PCA is a method of its own:
 *
 *   isomap                K = -H D^2 H / 2
 *                         D the lengths of shortest paths along the graph, edges as long as the rows are
 *                         apart; negative eigenvalues, which it may have, are left out
 *   lle                   K = M^+
 *                         M = (I - W)'(I - W)
 *                         row i of W the weights (sum 1) with which its neighbours come nearest to row i:
 *                         G w = 1, G their Gram matrix about row i and 1e-3 of its trace on the diagonal
 *   laplacian-eigenmaps   K = L^+
 *                         L = D - W
 *                         W_ij = exp(-d_ij^2 / (2 s^2)) between neighbours
 *                         s = kernel_width or, for 0, 2 s^2 = the mean of d^2 over the directed edges; not
 *                         the kernel function `laplacian`
 *
 * The pseudo-inverse is taken on the complement of the constant vector, the only one that M and L send to 0
 * for a connected graph; eigenvalues there below n eps of the largest count as that. lambda_max I - M,
 * which is also found for K, has the same eigenvectors, but is nearly a multiple of I: supervised, it would
 * follow the targets and not the rows.
 *
 * Parts of a graph that is not connected are joined by their nearest rows. Neighbours in either direction
 * count, but for lle, whose weights are those of a row's own neighbours. Such a kernel knows the training
 * rows only: there is an embedding, and no map for others.
 *
 * Cost: 9 n^3, and for isomap n e log n for e edges; memory 24 n^2 bytes.
 *
 * Reference: Ham, Lee, Mika and Scholkopf (2004), A kernel view of the dimensionality reduction of
 * manifolds; Barshan et al. (2011), section 8. */
#ifndef ALD_ENGINES_GRAPH_KERNEL_H
#define ALD_ENGINES_GRAPH_KERNEL_H

#include "methods/engines/problem.h"

/* The names above; ends with NULL. */
extern const char *const ald_graph_kernels[];
/* Whether the setting `kernel` is one of them. */
int ald_graph_kernel_asked(const ald_run *run);

/* phi (n x p, in scratch) with phi phi' = K, columns orthogonal, of mean 0, the longest first. Reads kernel,
 * kernel_width and ald_graph_params. */
ald_status ald_graph_kernel_rows(ald_run *run, const ald_problem *problem, ald_model *model, double **phi,
                                 int64_t *p);

#endif
