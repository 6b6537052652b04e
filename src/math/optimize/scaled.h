/* An objective in other units of its variables: W = S Y with S diagonal, seen as a function of Y. What is
 * flat in one row of W and steep in another can be made alike, so that the conjugate gradient needs fewer
 * steps. */
#ifndef ALD_OPTIMIZE_SCALED_H
#define ALD_OPTIMIZE_SCALED_H

#include "math/optimize/objective.h"

typedef struct ald_scaled {
    const ald_objective *inner;
    const double *scale; /* p: S, above 0 */
    int64_t columns;     /* of the points it is at */
    double *w;           /* p x columns, for the inner objective */
} ald_scaled;

/* For points of up to `columns` columns in all. */
ald_status ald_scaled_new(ald_run *run, const ald_objective *inner, const double *scale, int64_t columns,
                          ald_scaled *scaled);
ald_objective ald_scaled_objective(ald_scaled *scaled);

/* w (p x columns) <- S w. */
void ald_scaled_leave(const ald_scaled *scaled, int64_t columns, double *w);

#endif
