/* Preparing X: encode (done by the reader), row-scale, scale, centre; learned at the fit, repeated for new
 * rows. */
#ifndef ALD_API_PREPARE_X_H
#define ALD_API_PREPARE_X_H

#include "core/common_params.h"
#include "engines/problem.h"

/* From data: learns row scaling, scale and mean by the run's settings and fills everything of `problem` but
 * the target. `weights` are the caller's, or NULL; the problem has the rows of positive weight only. */
ald_status ald_prepare_fit(ald_run *run, const ald_matrix *x, const double *weights, ald_problem *problem);

/* The sample weights of a problem (NULL: none), which are kept as they are: their sum, and their roots to the
 * rows. */
ald_status ald_problem_weigh(ald_run *run, const double *weights, ald_problem *problem);

/* Scaling of rows as the model was fitted with. */
ald_status ald_prepare_rows(ald_run *run, ald_row_scale row_scale, ald_operator *z);

#endif
