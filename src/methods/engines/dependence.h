/* Directions of the space of engines/kernel_space.h on which the projection depends most on the target: the
 * top eigenvectors of Phi'L Phi, L = c I + F F' (engines/response_kernel.h), <w_i, w_j> = delta_ij.
 *
 *   c = 0   S = F'HKHF = V s^2 V' (m x m),   coordinates F V / s
 *           one product of K with the m columns of F, n x n is not stored (a space that was made for
 *           ALD_KERNEL_SPACE_INNER is enough)
 *   c = 1   the eigenvectors v of D'HKHD, D = [I F] (order n + m),   coordinates D v / s
 *           by products with K and F (lanczos), or whole for small n; with landmarks or features, those of
 *           Phi'Phi + B B' (order p). The space is made for ALD_KERNEL_SPACE_SQUARE; its Q may be
 *           destroyed. */
#ifndef ALD_ENGINES_DEPENDENCE_H
#define ALD_ENGINES_DEPENDENCE_H

#include "methods/engines/kernel_space.h"
#include "methods/engines/response_kernel.h"

typedef struct ald_dependence {
    ald_kernel_space space; /* its b is of the kernel's F */
    ald_response_kernel kernel;
    int64_t m, r;   /* columns of F; directions, at most m where c = 0, else at most the order of the space */
    double *values; /* r */
    double *a;      /* order x r */
} ald_dependence;

ald_status ald_dependence_solve(ald_run *run, ald_dependence *p, ald_model *model);
/* How many of the r directions have an eigenvalue above 1e-10 of the first. */
int64_t ald_dependence_rank(const ald_dependence *p);

#endif
