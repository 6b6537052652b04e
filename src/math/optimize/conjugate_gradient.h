/* Conjugate gradient (Polak and Ribiere) over W (p x r) with the objective's own line search, from several
 * starts side by side. */
#ifndef ALD_OPTIMIZE_CONJUGATE_GRADIENT_H
#define ALD_OPTIMIZE_CONJUGATE_GRADIENT_H

#include "base/core/run.h"

/* A smooth function of a matrix W (p x r) that knows how to move along a line: what the conjugate gradient
 * needs.
 *
 * It holds the points it is at, one or several side by side: several starts share every pass over the data.
 * With `groups` points the columns of point g are r g .. r (g + 1) of p x (r groups) matrices. `search` looks
 * for the minimum along v from each and `move` goes there, so that what was computed for the one serves the
 * other and products with X are done once a step. */
typedef struct ald_objective {
    int64_t p;
    void *self;
    /* Goes to w (p x r groups). */
    ald_status (*place)(ald_run *run, void *self, const double *w, int64_t r, int64_t groups);
    /* Values (groups) and gradient (p x r groups) where it is. */
    ald_status (*gradient)(ald_run *run, void *self, double *values, double *g);
    /* The best steps along v (p x r groups), and by how much they change the values; 0 and 0 if no step
     * lowers one. */
    ald_status (*search)(ald_run *run, void *self, const double *v, double *steps, double *changes);
    /* Goes `steps` along the v of the last search. */
    ald_status (*move)(ald_run *run, void *self, const double *steps);
} ald_objective;

/* An objective in other units of its variables (conjugate_gradient.c): W = S Y with S diagonal, seen as a
 * function of Y. What is flat in one row of W and steep in another can be made alike, so that the conjugate
 * gradient needs fewer steps. */
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

typedef struct ald_cg {
    const ald_objective *objective;
    int64_t r, groups;
    double tol; /* stop when |gradient|_F <= tol * size * |W|_F */
    double size;
    int64_t max_iter;
    const char *stage;
    double begun, share; /* of the progress shown: where this run begins and how much of it it is */
    /* Looks at W after each step of a single start; *stop ends the run. NULL: nobody does. */
    ald_status (*watch)(ald_run *run, void *watcher, const double *w, int *stop);
    void *watcher;
    double *history; /* groups x history_length: the value before each step; NULL: not kept */
    int64_t history_length;
    /* Results, one a start; in the caller's memory. */
    double *values;
    int64_t *iterations;
    int *converged;
} ald_cg;

/* From w (p x r groups) to where each stops, in place. No value ever rises. Starts that are done leave the
 * others alone. */
ald_status ald_cg_minimise(ald_run *run, ald_cg *task, double *w);
/* Each W times the number that makes its value lowest. */
ald_status ald_cg_rescale(ald_run *run, const ald_objective *objective, int64_t r, int64_t groups, double *w);

#endif
