/* Preparing X: encode (done by the reader), row-scale, scale, centre; learned at the fit, repeated for new
 * rows. */
#ifndef ALD_PREPARE_PREPARE_X_H
#define ALD_PREPARE_PREPARE_X_H

#include "base/settings/common_params.h"
#include "fit/prepare/row_plan.h"
#include "methods/engines/problem.h"

/* All of it: prepares X, takes the target, graph and distances of the rows it keeps, and stores what later
 * rows need in the model. */
ald_status ald_prepare_problem(ald_run *run, const ald_inputs *inputs, ald_model *model,
                               ald_problem *problem);
/* X alone: learns the preparation of rows, scale and mean by the run's settings and fills everything of
 * `problem` but the target. `weights` are the caller's, or NULL; the problem has the rows of positive weight
 * only, and its X is already as the steps of `plan` leave it. */
ald_status ald_prepare_fit(ald_run *run, const ald_matrix *x, const double *weights, ald_row_plan *plan,
                           ald_problem *problem);

/* A note where the standard deviation (of d) of one column is more than 100 times that of another, X is not
 * scaled and the scores depend on its units. */
void ald_note_unlike_deviations(ald_run *run, int64_t d, const double *deviations);

/* Steps of rows are for columns that have an order: not for those of a categorical one (NULL: none is). */
ald_status ald_check_row_order(ald_run *run, const ald_settings *settings, const char *categorical);

/* The sample weights of a problem (NULL: none), which are kept as they are: their sum, and their roots to the
 * rows. */
ald_status ald_problem_weigh(ald_run *run, const double *weights, ald_problem *problem);

/* Rows by a plan whose references are there: z->x is what its steps leave, and the scale is the operator's.
 */
ald_status ald_prepare_rows(ald_run *run, const ald_row_plan *plan, ald_operator *z);
/* The same by settings alone, for rows that the plan learns from where it has to. */
ald_status ald_prepare_rows_alone(ald_run *run, const ald_settings *settings, ald_operator *z);

#endif
