/* Conjugate gradient (Polak and Ribiere) over W (p x r) with the objective's own line search. */
#ifndef ALD_OPTIMIZE_CONJUGATE_GRADIENT_H
#define ALD_OPTIMIZE_CONJUGATE_GRADIENT_H

#include "optimize/objective.h"

typedef struct ald_cg {
    const ald_objective *objective;
    int64_t r;
    double tol; /* stop when |gradient|_F <= tol * size * |W|_F */
    double size;
    int64_t max_iter;
    const char *stage;
    double begun, share; /* of the progress shown: where this run begins and how much of it it is */
    /* Looks at W after each step; *stop ends the run. NULL: nobody does. */
    ald_status (*watch)(ald_run *run, void *watcher, const double *w, int *stop);
    void *watcher;
    double *history; /* max_iter + 1: the value before each step and at the end; NULL: not kept */
    /* Results. */
    double value;
    int64_t iterations;
    int converged;
} ald_cg;

/* From w (p x r) to where it stops, in place. The value never rises. */
ald_status ald_cg_minimise(ald_run *run, ald_cg *task, double *w);
/* w times the number that makes the value lowest. */
ald_status ald_cg_rescale(ald_run *run, const ald_objective *objective, int64_t r, double *w);

#endif
