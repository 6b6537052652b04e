/* sdpp where the rows are divided among ranks: what rank 0 asks the others for. Each rank has its rows, the
 * pairs whose lower row is one of them, and a copy of the partners; sums over pairs are sums over ranks. Up
 * to 62 columns the pairs are added up (optimize/quadratic.h), beyond that values and gradients are summed
 * (optimize/far_stress.h). */
#ifndef ALD_SDPP_SDPP_FAR_H
#define ALD_SDPP_SDPP_FAR_H

#include "base/numbers/random.h"
#include "cluster/divided/kernel_others.h"
#include "cluster/divided/service.h"
#include "math/graph/graph.h"
#include "math/optimize/far_stress.h"
#include "methods/sdpp/sdpp_partners.h"
#include "methods/sdpp/sdpp_starts.h"

/* Their number and weight, and the sum of delta^2; nothing of the pairs themselves. `graph` receives how many
 * rows are isolated and, where it was found of all rows, how. */
ald_status ald_sdpp_far_pairs(ald_run *run, const ald_problem *problem, const ald_sdpp_wanted *wanted,
                              ald_graph *graph, ald_sdpp_pairs *out);
/* Fills s->basis. */
ald_status ald_sdpp_far_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s);
/* The sums of the stress in that basis. */
ald_status ald_sdpp_far_sums(ald_run *run, ald_sdpp_solving *s);
/* v (p) = F'u of ald_sdpp_draw; `random` advances as if the pairs were here. */
ald_status ald_sdpp_far_column(ald_run *run, const ald_sdpp_solving *s, ald_random *random, double *v);
/* w (p x k) <- C w, as ald_basis_scatter_times. */
ald_status ald_sdpp_far_scatter_times(ald_run *run, const ald_sdpp_solving *s, int64_t k, double *w);
/* b of the sums in the columns of Z (d), which is all of them that is made. */
ald_status ald_sdpp_plain_sums(ald_run *run, const ald_stress *stress, ald_quadratic *plain);

/* The same for more columns, as a stress whose products alone are there; `inside` is the stress in the
 * coordinates of the basis. */
ald_far_stress ald_sdpp_plain_far(ald_stress *inside);

/* ksdpp: features take the place of the rows, once the pairs are found; `own` receives those of rank 0. */
ald_status ald_sdpp_far_map(ald_run *run, const ald_problem *problem, const ald_feature_map *map,
                            ald_operator *own);

/* What cannot be had so is refused, before anything long is done. */
ald_status ald_sdpp_far_check(ald_run *run, int64_t columns);
ald_status ald_sdpp_kernel_check(ald_run *run, int64_t columns);

#endif
