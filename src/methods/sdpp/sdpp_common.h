/* What fits of sdpp to the same rows have in common, kept between them where they are tried (core/tryout.h):
 * pairs, coordinates and the sums of J do not depend on ridge and r, the convex problem not on r. In a fit by
 * itself everything is made in its scratch, to the same numbers. */
#ifndef ALD_SDPP_SDPP_COMMON_H
#define ALD_SDPP_SDPP_COMMON_H

#include "base/core/tryout.h"
#include "methods/sdpp/sdpp_starts.h"

/* Fills `pairs`. */
ald_status ald_sdpp_common_pairs(ald_run *run, const ald_problem *problem, const ald_operator *z,
                                 const ald_sdpp_settings *settings, ald_model *model, ald_sdpp_pairs *pairs);
/* Fills s->basis. */
ald_status ald_sdpp_common_basis(ald_run *run, const ald_operator *z, ald_sdpp_solving *s);
/* Fills s->quadratic, for points of that many columns and groups. */
ald_status ald_sdpp_common_quadratic(ald_run *run, ald_sdpp_solving *s, int64_t columns, int64_t groups);
/* Fills what s knows of the convex problem. */
ald_status ald_sdpp_common_convex(ald_run *run, ald_sdpp_solving *s);

#endif
