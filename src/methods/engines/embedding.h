/* What the methods have in common that embed the rows they are given and no others: the smoothest functions
 * on the graph of the rows, a factor of the kernel of the targets, and how the embedding goes into the model.
 */
#ifndef ALD_ENGINES_EMBEDDING_H
#define ALD_ENGINES_EMBEDDING_H

#include "math/graph/graph.h"
#include "methods/engines/problem.h"

/* V: the eigenvectors of the m smallest eigenvalues of I - D^(-1/2) W D^(-1/2) besides the first one (0,
 * D^(1/2) 1), W the graph with weights 1, joined if either row is a neighbour of the other. */
typedef struct ald_graph_basis {
    int64_t n, m;
    double *v;       /* n x m, orthonormal columns */
    double *values;  /* m, ascending */
    ald_graph graph; /* directed, with distances */
} ald_graph_basis;   /* in scratch */

/* Uses ald_graph_params and n_basis of the settings. `connect`: parts of the graph are joined by their
 * nearest rows; otherwise their number is reported and they stay apart. */
ald_status ald_graph_basis_find(ald_run *run, const ald_problem *problem, int connect, ald_model *model,
                                ald_graph_basis *basis);

/* f (rows x m, in scratch), columns of mean 0: the centred kernel of the targets is f f'. Classes: 1 if
 * equal; labels and response_kernel=linear: inner products; real: exp(-|a - b|^2 / (2 s^2)), s =
 * response_width or, for 0, `part` of the median distance. */
ald_status ald_target_factor(ald_run *run, const ald_target *target, double part, ald_model *model,
                             double **f, int64_t *m);

/* n_neighbors with the rule of ald_graph_basis_find, n_basis, response_kernel and response_width; for a
 * method that has ald_graph_params behind them. */
extern const ald_param *const ald_embedding_params[];

/* Adds the array `embedding` = V U diag(l)^(1/2), and `eigenvalues` l: the r leading eigenpairs of the m x m
 * matrix `omega` (destroyed); `spectrum` has all. Fewer positive ones than r are a warning. */
ald_status ald_add_embedding(ald_run *run, const ald_problem *problem, const ald_graph_basis *basis,
                             double *omega, ald_model *model);

#endif
