/* How the rows of a fit and all later ones are prepared: the steps of `rows`, then `row_scale`. */
#ifndef ALD_PREPARE_ROW_PLAN_H
#define ALD_PREPARE_ROW_PLAN_H

#include "base/core/model.h"
#include "base/settings/common_params.h"

#include <alidade/matrix.h>

typedef struct ald_row_plan {
    ald_row_scale scale; /* done last */
    ald_row_steps steps;
    const double *references; /* d for each step that learns, in their order; NULL: none, or not learned */
} ald_row_plan;

/* By settings; the references are not learned yet. */
ald_row_plan ald_row_plan_of(const ald_settings *settings);
/* By a model, with its references, which stay the model's. */
ald_status ald_row_plan_load(ald_run *run, const ald_model *model, ald_row_plan *plan);
/* Keeps the references in the model. */
ald_status ald_row_plan_store(ald_run *run, const ald_row_plan *plan, int64_t d, ald_model *model);

/* Refuses X of a kind or a width that the steps are not for. */
ald_status ald_row_plan_check(ald_run *run, const ald_row_plan *plan, const ald_matrix *x);
/* Learns the references from the rows, with weights (NULL: 1), and gives the rows after all steps. */
ald_status ald_row_plan_learn(ald_run *run, const ald_matrix *x, const double *weights, ald_row_plan *plan,
                              ald_matrix *prepared);
/* The rows after all steps, in scratch; X itself where there are none. */
ald_status ald_row_plan_apply(ald_run *run, const ald_row_plan *plan, const ald_matrix *x,
                              ald_matrix *prepared);
/* The plan as far as to the learning step number k (from 0): what its reference is the mean of. */
ald_row_plan ald_row_plan_before(const ald_row_plan *plan, int k);
/* The numbers of a step on rows of d columns, in scratch: savgol: H, w x w; detrend: P', (degree + 1) x d; of
 * the others there are none (NULL). */
ald_status ald_row_step_table(ald_run *run, const ald_row_step *step, int64_t d, double **table);
/* A reference that msc can use. */
ald_status ald_row_plan_check_reference(ald_run *run, int64_t d, const double *reference);

#endif
