/* The mathematics of sdpp from pairs to W, for any rows Z: those of X (sdpp) or of a kernel's coordinates
 * (ksdpp). */
#ifndef ALD_SDPP_SDPP_SOLVE_H
#define ALD_SDPP_SDPP_SOLVE_H

#include "methods/sdpp/sdpp_pairs.h"

typedef struct ald_sdpp_result {
    int64_t r;
    double *w;       /* Z's columns x r: U S of its SVD, in scratch */
    double *lengths; /* r: the eigenvalues of W W' */
} ald_sdpp_result;

/* ald_sdpp_find_pairs, or the same pairs of an earlier fit to these rows where fits are tried. */
ald_status ald_sdpp_common_pairs(ald_run *run, const ald_problem *problem, const ald_operator *z,
                                 const ald_sdpp_settings *settings, ald_model *model, ald_sdpp_pairs *pairs);
/* The model records solver, iterations, objective and certificate. */
ald_status ald_sdpp_solve(ald_run *run, const ald_problem *problem, const ald_operator *z,
                          const ald_sdpp_settings *settings, const ald_sdpp_pairs *pairs, ald_model *model,
                          ald_sdpp_result *out);

#endif
