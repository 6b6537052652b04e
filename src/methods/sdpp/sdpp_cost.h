/* What the stages of sdpp cost, for the choice between them and for the progress; and up to where they are
 * done. */
#ifndef ALD_SDPP_SDPP_COST_H
#define ALD_SDPP_SDPP_COST_H

#include "base/settings/limits.h"
#include "methods/engines/problem.h"
#include "methods/sdpp/sdpp_params.h"

/* Coordinates up to which the convex problem is solved over P itself, and not over a factor of it. */
enum { ALD_SDPP_LARGEST_FIRST_ORDER = 200 };

/* n rows, p coordinates, m pairs, r directions. */
typedef struct ald_sdpp_sizes {
    double n, p, m, r, starts;
} ald_sdpp_sizes;

/* Whether to add up the pairs (A, b and c of optimize/quadratic.h), which `fits` fits share. */
int ald_sdpp_sums_pay(const ald_sdpp_sizes *z, double fits);
/* Whether the convex problem without the sums would take minutes. */
int ald_sdpp_convex_is_long(double n, double p);

/* Tells the progress about how long the stages take. `columns`: those of the rows that are projected, d
 * or, by a kernel, about n. */
void ald_sdpp_plan(const ald_run *run, const ald_problem *problem, const ald_sdpp_settings *settings,
                   int64_t columns);

#endif
