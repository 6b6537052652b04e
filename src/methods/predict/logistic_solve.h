/* The minimum of the penalised logistic loss: what the predictor and the path of penalties share.
 *
 *   F(c) = sum_i w_i l(y_i, c't_i) + penalty/2 |C|^2,   t_i = (1, ...), C = c without its first row,
 *
 * with l of classes (softmax) or of labels (a logit each); logistic_solve.c has the formulas. */
#ifndef ALD_PREDICT_LOGISTIC_SOLVE_H
#define ALD_PREDICT_LOGISTIC_SOLVE_H

#include "base/core/run.h"

typedef struct ald_logistic {
    ald_run *run;
    int64_t n, p, q; /* p: the columns of t, the first of them 1 */
    int labels;
    double penalty;
    const double *t1; /* n x p */
    const double *y;  /* n x q */
    const double *w;  /* n; rows of weight 0 do not enter, but have probabilities */
    double tol;       /* |gradient| <= tol times that at C = 0 */
    int inner;        /* a step of something else: it has no progress and no warning of its own */
    double forcing;   /* steps are not solved for more closely than to this part; 0: as closely as pays at the
                         end */
    /* The preconditioner: q x p x p, refactored at every step; or p x q, what divides; or none. */
    double *blocks;
    const double *diagonal;
    double *prob;   /* n x q: probabilities at the last point */
    double *work;   /* n x q */
    double *rows;   /* n x p */
    double *column; /* p */
    double *steps;  /* 7 x p x q: the vectors of the iteration */
    double value;   /* F at the last point */
} ald_logistic;

/* Room for all that is not constant, in the run's scratch; `blocks`: with the preconditioner of blocks, where
 * that is not too large. */
ald_status ald_logistic_room(ald_logistic *k, int blocks);
/* c (p x q): intercepts at the shares of classes and labels, else 0. */
void ald_logistic_start(const ald_logistic *k, double *c);
/* From c, which becomes the minimum; `scale`: the norm of the gradient that `tol` refers to, 0: that at c. */
ald_status ald_logistic_minimize(ald_logistic *k, double scale, double *c);
/* |gradient| at c. */
ald_status ald_logistic_slope(ald_logistic *k, const double *c, double *norm);

#endif
