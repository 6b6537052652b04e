/* The convex problem of sdpp over P = W W' of any rank. */
#ifndef ALD_SDPP_SDPP_CONVEX_H
#define ALD_SDPP_SDPP_CONVEX_H

#include "base/core/tryout.h"
#include "methods/sdpp/sdpp_starts.h"

/* Fills what s knows of it, where the settings want it; the model records solver, rank and gap. */
ald_status ald_sdpp_solve_convex(ald_run *run, ald_sdpp_solving *s);
/* v (d x k): the columns of M x turned so that they are orthogonal, longest first; x is turned alike. */
ald_status ald_sdpp_turn(ald_run *run, const ald_basis *basis, int64_t k, double *x, double *v,
                         double *lengths);
/* Whether the fit is one of many that are tried, and is to be short. */
int ald_sdpp_is_trial(const ald_run *run, const ald_sdpp_solving *s);

#endif
