/* Conjugate gradient on the Grassmann manifold: the minimum of a function of a subspace, F(A) = F(A O), A'A =
 * I.
 *
 * From A along H (at first -G, G the part of the gradient that is orthogonal to A) to the nearest minimum of
 * F on the geodesic; then, with G and H carried along (geodesic.h) and G' the new one, H <- -G' + beta H,
 * beta = <G' - G, G'> / <G, G> (Polak and Ribiere), from -G' anew after k (p - k) steps and when H does not
 * lead down. A is made orthonormal again and what was carried is projected again after every step: without
 * that, rounding grows several times a step.
 *
 * Cost a step: O(p k^2), one gradient, one `line` and a few `along`. Reference: Edelman, Arias and Smith
 * (1998). */
#ifndef ALD_OPTIMIZE_GRASSMANN_H
#define ALD_OPTIMIZE_GRASSMANN_H

#include "math/optimize/geodesic.h"

typedef struct ald_grassmann_objective {
    int64_t p, k;
    void *self;
    /* At a (p x k): the value, the gradient g (p x k) of F as a function of all matrices, and `size`, what
     * counts as large for it: the sum of the lengths of its terms. */
    ald_status (*gradient)(ald_run *run, void *self, const double *a, double *value, double *g, double *size);
    /* Readies itself for `along` on a new geodesic: products with X and U are done here, once. */
    ald_status (*line)(ald_run *run, void *self, const ald_geodesic *line);
    /* Value and derivative where the geodesic is. Both NULL: by `gradient` at A(t), which costs more. */
    ald_status (*along)(ald_run *run, void *self, const ald_geodesic *line, double *value, double *slope);
} ald_grassmann_objective;

typedef struct ald_grassmann {
    const ald_grassmann_objective *objective;
    double tol; /* stop when |G|_F <= tol * size */
    int64_t max_iter;
    int steepest; /* beta = 0 throughout, for comparison */
    const char *stage;
    double begun, share; /* of the progress shown: where this run begins and how much of it it is */
    double *history;     /* max_iter + 1: the value before each step and at the end; NULL: not kept */
    /* Results. */
    double value;
    double gradient; /* |G|_F / size */
    int64_t iterations;
    int converged; /* also where rounding ends the descent */
} ald_grassmann;

/* From a (p x k, linearly independent columns) to where it stops, in place. The value never rises. */
ald_status ald_grassmann_minimise(ald_run *run, ald_grassmann *task, double *a);

#endif
