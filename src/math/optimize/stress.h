/* How badly distances of projected rows match wanted ones. With F = Z M (basis.h), U = F W (n x r), over the
 * pairs i, j
 *
 *   J(W) = c sum w f(|u_i - u_j|^2, t_ij) + ridge |M W|^2 + smoothness tr(U'L U) - spread |U|^2,
 *
 * f a divergence, (D - t)^2 unless said otherwise. Gradient, with q = w f'(D, t) and L_q the Laplacian of
 * weights q,
 *
 *   G = F'(2 c L_q U + 2 smoothness L U - 2 spread U) + 2 ridge M'M W.
 *
 * Along W + s V each D is |a|^2 + 2 s a.b + s^2 |b|^2 with a, b the differences of U and F V: for the squares
 * J is a quartic in s, exactly. A step costs two products with X of r columns and two passes over the pairs.
 * Beyond X: the pairs, 3 n r and what the basis keeps. */
#ifndef ALD_OPTIMIZE_STRESS_H
#define ALD_OPTIMIZE_STRESS_H

#include "math/optimize/basis.h"
#include "math/optimize/conjugate_gradient.h"
#include "math/optimize/divergence.h"

typedef struct ald_stress {
    const ald_basis *basis;
    const ald_pairs *pairs;
    const double *squares; /* t, an entry of the pairs each: the wanted squared distances */
    double scale;          /* c */
    /* Pairs of rows that are elsewhere have been added up: A, b without what ridge, smoothness and spread
     * add, and c (quadratic.h), and the sum of w t; `pairs` has their number and weight only. NULL: they are
     * here. `remote`: they are elsewhere and not added up (quadratic.h). */
    const struct ald_quadratic *sums;
    const struct ald_remote_stress *remote;
    double wanted;
    double ridge;
    const ald_pairs *smooth; /* L; NULL: none */
    double smoothness, spread;
    /* Added to the convex forms alone (quadratic.h, convex.h): <linear, P>, p x p in the coordinates of the
     * basis; NULL: nothing. `pull` is the largest eigenvalue of -linear, or 0. */
    const double *linear;
    double pull;
    const ald_divergence *divergence;
    double floor;                 /* added to D and t where the divergence is not finite at 0 */
    struct ald_stress_card *card; /* its scores are on a card (stress_on_card.h); NULL: here */
    /* The point, and the line of the last search. */
    int64_t r, groups;
    double *w, *v;         /* p x r groups */
    double *u, *uv, *work; /* n x r groups, as lanes (stress_rows.h) */
    double *lanes;         /* p x r groups, as lanes */
    double *line;          /* 3 a pair: D, 2 a.b, |b|^2; NULL for quartics */
} ald_stress;

/* Readies `stress`, whose fields up to `floor` are set, for up to `groups` points of r columns. Divergences
 * that are not quartics take one point at a time. */
ald_status ald_stress_prepare(ald_run *run, ald_stress *stress, int64_t r, int64_t groups);
ald_objective ald_stress_objective(ald_stress *stress);

/* J(0), which needs no W. */
double ald_stress_at_zero(const ald_stress *stress);
/* The coefficients of J(W + s V), 5 a group; the constant without what the penalties add to it, and all of it
 * for the squares only. */
ald_status ald_stress_line(ald_run *run, ald_stress *stress, const double *v, double *c);

#endif
