/* What can be added to the criterion of sdpp, and when to stop early. */
#ifndef ALD_SDPP_SDPP_TERMS_H
#define ALD_SDPP_SDPP_TERMS_H

#include "math/optimize/stress.h"
#include "methods/sdpp/sdpp_solve.h"

/* divergence, ridge, manifold and repulsion by the settings. */
ald_status ald_sdpp_add_terms(ald_run *run, const ald_problem *problem, const ald_operator *z,
                              const ald_sdpp_settings *settings, const ald_sdpp_pairs *pairs,
                              ald_model *model, ald_stress *stress);

/* The ridge at which W = 0 is the minimum: what ridge_rel is a part of. */
ald_status ald_sdpp_ridge_unit(ald_run *run, const ald_operator *z, uint64_t seed, const ald_stress *stress,
                               double *unit);

/* Early stopping: pairs with a row that is kept out are not fitted, and tell when to stop. */
typedef struct ald_sdpp_watch {
    ald_stress *stress;
    ald_pairs fitted, kept_out; /* the pairs of the stress with other weights */
    double lowest;
    double *best; /* W at the lowest */
    int64_t since, r;
    int stopped;
} ald_sdpp_watch;

ald_status ald_sdpp_watch_new(ald_run *run, ald_stress *stress, const ald_sdpp_settings *settings, int64_t r,
                              ald_sdpp_watch *watch);
/* The same for given rows: `out` is 1 for those kept out. Whether there are pairs on both sides. */
ald_status ald_sdpp_watch_rows(ald_run *run, ald_stress *stress, const unsigned char *out, int64_t r,
                               ald_sdpp_watch *watch, int *usable);
/* J of the pairs kept out, at the W where the stress is. */
double ald_sdpp_watch_value(const ald_sdpp_watch *watch);
void ald_sdpp_watch_begin(ald_sdpp_watch *watch);
ald_status ald_sdpp_watch_look(ald_run *run, void *watch, const double *w, int *stop);
/* The W of the lowest J of the pairs kept out, and that J. */
void ald_sdpp_watch_best(const ald_sdpp_watch *watch, double *w, double *value);

/* Columns of W that are 0 become short ones, so that the projection has full rank; no column left is an
 * error. */
ald_status ald_sdpp_fill(ald_run *run, const ald_basis *basis, ald_model *model, ald_sdpp_result *out);

struct ald_sdpp_solving;
/* Goes on from the result with penalty=l1 or l21; with none it does nothing. */
ald_status ald_sdpp_penalise(ald_run *run, const ald_sdpp_settings *settings, struct ald_sdpp_solving *of,
                             const ald_operator *z, ald_sdpp_result *result);

#endif
