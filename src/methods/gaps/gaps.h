/* Components of X some of whose cells have no value: NIPALS over the cells that are there. */
#ifndef ALD_GAPS_GAPS_H
#define ALD_GAPS_GAPS_H

#include "methods/engines/problem.h"

extern const ald_param *const ald_gaps_params[];

/* All in scratch. */
typedef struct ald_gaps {
    double *weights, *loadings, *rotations; /* r x d: w, p, and what gives the scores of a whole row */
    double *y_loadings;                     /* r x m: q; NULL without responses */
    double *squares;                        /* r: t't */
    double *x_share, *y_share;              /* r: part of the sum of squares explained, of X and Y */
} ald_gaps;

/* y: n x m centred responses, deflated; NULL: principal components. */
ald_status ald_gaps_solve(ald_run *run, const ald_problem *problem, double *y, int64_t m, ald_gaps *gaps);
/* Adds components, weights and loadings to the model after fixing the signs, which `gaps` then has too. */
ald_status ald_gaps_add(ald_run *run, const ald_problem *problem, int64_t m, ald_gaps *gaps,
                        ald_model *model);

#endif
