/* A smooth function of a matrix W (p x r) that knows how to move along a line: what the conjugate gradient needs.
 *
 * It holds the point it is at. `search` looks for the minimum along v from there and `move` goes to it, so that what
 * was computed for the one serves the other and products with X are done once a step. */
#ifndef ALD_OPTIMIZE_OBJECTIVE_H
#define ALD_OPTIMIZE_OBJECTIVE_H

#include "core/run.h"

typedef struct ald_objective {
    int64_t p;
    void *self;
    /* Goes to w (p x r). */
    ald_status (*place)(ald_run *run, void *self, const double *w, int64_t r);
    /* Value and gradient (p x r) where it is. */
    ald_status (*gradient)(ald_run *run, void *self, double *value, double *g);
    /* The best step along v (p x r), and by how much it changes the value; 0 and 0 if no step makes it lower. */
    ald_status (*search)(ald_run *run, void *self, const double *v, double *step, double *change);
    /* Goes `step` along the v of the last search. */
    ald_status (*move)(ald_run *run, void *self, double step);
} ald_objective;

#endif
