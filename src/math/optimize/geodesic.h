/* Geodesics of the Grassmann manifold: straight lines among the subspaces of dimension k of R^p.
 *
 * A point is A (p x k), A'A = I, up to A -> A O; a direction is H (p x k), A'H = 0. With the thin SVD H = U S
 * V',
 *
 *   A(t) = A V cos(S t) V' + U sin(S t) V',
 *
 * and carried along it without turning (parallel transport) H becomes (-A V sin(S t) + U cos(S t)) S V' and
 * any other direction G becomes G - (A V sin(S t) + U (I - cos(S t))) U'G. A function of the subspace alone
 * can leave out the V' at the end and look at X cos(S t) + U sin(S t), X = A V: the columns of X and U are
 * all there is, so that a form A(t)'M A(t) is made of three k x k blocks whatever p is.
 *
 * Reference: Edelman, Arias and Smith (1998). Matrices are row major. */
#ifndef ALD_OPTIMIZE_GEODESIC_H
#define ALD_OPTIMIZE_GEODESIC_H

#include "base/core/run.h"

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

#endif
