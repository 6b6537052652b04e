/* What the ranks do for sdpp where the pairs are not added up (optimize/far_stress.h): each has the stress of
 * its own pairs, goes to the points that rank 0 tells, and values and gradients are summed. */
#ifndef ALD_SDPP_SDPP_POINTS_H
#define ALD_SDPP_SDPP_POINTS_H

#include "cluster/divided/service.h"
#include "math/optimize/quadratic.h"
#include "methods/sdpp/sdpp_state.h"

/* Results on rank 0. */
typedef struct ald_sdpp_slope {
    double *values, *g; /* groups, p x r groups */
} ald_sdpp_slope;

/* Numbers: r and groups, then W (p x r groups). */
ald_status ald_sdpp_place(ald_run *run, ald_service *s, ald_record *given, void *nothing);
/* ald_sdpp_slope. */
ald_status ald_sdpp_gradient(ald_run *run, ald_service *s, ald_record *given, void *slope);
/* v; the coefficients, 5 per group. */
ald_status ald_sdpp_line(ald_run *run, ald_service *s, ald_record *given, void *coefficients);
/* One step per group. */
ald_status ald_sdpp_move(ald_run *run, ald_service *s, ald_record *given, void *nothing);
/* r, then W (p x r): F'L_q F with q = 2 c w (D - t), p x p. */
ald_status ald_sdpp_matrix(ald_run *run, ald_service *s, ald_record *given, void *matrix);
/* q, then x (p x q): the sums in the coordinates F x, an ald_quadratic that lasts until the next point. */
ald_status ald_sdpp_within(ald_run *run, ald_service *s, ald_record *given, void *sums);

/* The sums of the pairs of this rank in the coordinates `rows` (share.n x p), then of all ranks. */
ald_status ald_sdpp_sum_pairs(ald_run *run, ald_status status, const ald_sdpp_state *here, int64_t p,
                              const double *rows, ald_quadratic *sums);
/* Begins it, where F or the basis is there: J(0) of the pairs of all ranks (NULL: not wanted). */
ald_status ald_sdpp_points_begin(ald_run *run, ald_sdpp_state *here, double *at_zero);

#endif
