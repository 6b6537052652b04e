/* Conjugate gradient on the Grassmann manifold (Edelman, Arias and Smith 1998):
 *
 *   minimise F(A)   over A (p x k), A'A = I,   F(A) = F(A O)
 *
 * From A along H (at first -G, G the part of the gradient that is orthogonal to A) to the nearest minimum
 * of F on the geodesic; then, with G and H carried along and G' the new gradient (Polak and Ribiere),
 *
 *   H <- -G' + beta H,   beta = <G' - G, G'> / <G, G>
 *
 * from -G' anew after k (p - k) steps and when H does not lead down. A is made orthonormal again, and what
 * was carried is projected again, after every step: without that, rounding grows several times per step.
 *
 * Cost of a step: O(p k^2), one gradient, one `line` and a few `along`. */
#ifndef ALD_OPTIMIZE_GRASSMANN_H
#define ALD_OPTIMIZE_GRASSMANN_H

#include "math/linalg/view.h"

/* A straight line among the subspaces of dimension k of R^p.
 *
 * A point is A (p x k), A'A = I, up to A -> A O; a direction is H (p x k), A'H = 0. With the thin SVD H = U
 * S V',
 *
 *   A(t) = A V cos(S t) V' + U sin(S t) V'
 *
 * and carried along it without turning (parallel transport)
 *
 *   H -> (-A V sin(S t) + U cos(S t)) S V'
 *   G -> G - (A V sin(S t) + U (I - cos(S t))) U'G        any other direction
 *
 * A function of the subspace alone can leave out the V' at the end and look at X cos(S t) + U sin(S t), X =
 * A V: the columns of X and U are all there is, so that a form A(t)'M A(t) is made of three k x k blocks
 * whatever p is. Matrices are row major. */
typedef struct ald_geodesic {
    int64_t p, k;
    double *x, *u; /* X = A V and U, p x k */
    double *vt;    /* V', k x k */
    double *rate;  /* the diagonal of S, k, descending */
    /* Where on it: set by ald_geodesic_go. */
    double *cosine, *sine; /* of S t, k */
    double *small, *work;  /* k x k, p x k */
} ald_geodesic;

/* Room in scratch. */
ald_status ald_geodesic_new(ald_run *run, int64_t p, int64_t k, ald_geodesic *line);
/* The geodesic from a along h. */
ald_status ald_geodesic_set(ald_run *run, const double *a, const double *h, ald_geodesic *line);
void ald_geodesic_go(ald_geodesic *line, double t);

/* A(t), its columns made orthonormal to the last digit (polar factor); p x k. */
ald_status ald_geodesic_point(ald_run *run, ald_geodesic *line, double *a);
/* The derivative of A(t) by t, which is h carried along; p x k. */
ald_status ald_geodesic_tangent(ald_run *run, ald_geodesic *line, double *h);
/* g (p x k) carried along, in place. */
ald_status ald_geodesic_carry(ald_run *run, ald_geodesic *line, double *g);

/* g <- (I - A A')g, in place; all p x k, `small` k x k. */
ald_status ald_project_tangent(ald_run *run, int64_t p, int64_t k, const double *a, double *small, double *g);

/* A symmetric M along a geodesic: X'M X, X'M U and U'M U, k x k each. */
typedef struct ald_geodesic_form {
    double *xx, *xu, *uu;
} ald_geodesic_form;

ald_status ald_geodesic_form_new(ald_run *run, int64_t k, ald_geodesic_form *form);
/* From the products M X and M U (p x k). */
ald_status ald_geodesic_form_set(ald_run *run, const ald_geodesic *line, const double *mx, const double *mu,
                                 ald_geodesic_form *form);
/* V'A(t)'M A(t)V and its derivative by t (both k x k, symmetric) where the geodesic is: O(k^2). */
void ald_geodesic_form_at(const ald_geodesic *line, const ald_geodesic_form *form, double *value,
                          double *slope);

/* The sine of the largest angle between the spans of a and b (p x k, A'A = B'B = I): the largest singular
 * value of what B has beside A. */
ald_status ald_largest_sine(ald_run *run, ald_view a, ald_view b, double *sine);

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
    double search; /* a line is searched until its slope is this part of that at the start; 0: 1e-8 */
    int steepest;  /* beta = 0 throughout, for comparison */
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
