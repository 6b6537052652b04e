/* X some of whose cells have no value (NaN): components by NIPALS over the cells that are there, mean and
 * scale of columns, and the scores of new rows. */
#ifndef ALD_GAPS_GAPS_H
#define ALD_GAPS_GAPS_H

#include "base/settings/common_params.h"
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

/* Whether the run's settings let cells be without a value. */
int ald_gaps_allowed(const ald_run *run);
/* Whether rows with gaps were allowed at the fit. */
int ald_gaps_taken(const ald_model *model);
/* Whether X has such cells and they are allowed; refuses what else does not go with them. */
ald_status ald_gaps_find(ald_run *run, const ald_matrix *x, const double *weights, int *gappy);
/* Mean and scale of each column by the cells that are there. */
ald_status ald_gaps_prepare(ald_run *run, ald_column_scale asked, ald_problem *problem);

/* z (rows x r) of the rows whose score is not finite, by the recursion of NIPALS over their cells (a row
 * without any lies in the middle: 0); the others stay. `prepared` is as the map has it. */
ald_status ald_gaps_map(ald_run *run, const ald_model *model, const ald_operator *prepared, double *z);

#endif
