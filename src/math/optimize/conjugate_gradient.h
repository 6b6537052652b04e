/* Conjugate gradient (Polak and Ribiere) over W (p x r) with the objective's own line search, from several
 * starts side by side. */
#ifndef ALD_OPTIMIZE_CONJUGATE_GRADIENT_H
#define ALD_OPTIMIZE_CONJUGATE_GRADIENT_H

#include "math/optimize/objective.h"

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
 * others alone.
 */
ald_status ald_cg_minimise(ald_run *run, ald_cg *task, double *w);
/* Each W times the number that makes its value lowest. */
ald_status ald_cg_rescale(ald_run *run, const ald_objective *objective, int64_t r, int64_t groups, double *w);

#endif
