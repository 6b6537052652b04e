/* The inside of ald_fit, shared with ald_fit_dataset. */
#ifndef ALD_FITTING_FIT_H
#define ALD_FITTING_FIT_H

#include "base/core/model.h"

/* begin makes an empty model; end frees it again (and sets it NULL) if `status` is an error. */
ald_status ald_fit_begin(ald_run *run, const ald_context *context, const ald_settings *settings,
                         ald_error *error, ald_model **model);
ald_status ald_fit_run(ald_run *run, const ald_inputs *inputs, ald_model *model);
/* Of a dataset: names and schema go into the model. */
struct ald_dataset;
ald_status ald_fit_dataset_run(ald_run *run, const struct ald_dataset *dataset, ald_model *model);
/* The part that needs no rows: describes, lets the method work, completes. No predictor. */
struct ald_problem;
ald_status ald_fit_problem(ald_run *run, const struct ald_problem *problem, ald_model *model);
/* What the predictor setting asks for, from the rows of the problem and its target. */
ald_status ald_fit_predictor(ald_run *run, const struct ald_problem *problem, ald_model *model);
/* The same from scores z (y->rows x r, changed) and weights (NULL: none); any model will do. */
ald_status ald_predictor_learn(ald_run *run, const ald_target *y, const double *weights, int64_t r, double *z,
                               int nested, ald_model *model);
/* Whether the first components of the run\'s method are those of a fit with fewer. */
int ald_is_nested(const ald_run *run);
/* Whether it can be had for such a target, before anything long is done. */
ald_status ald_check_predictor(ald_run *run, const ald_target *y);
/* z (rows x n_components, in scratch) of the rows of the problem, times the roots of their weights. */
ald_status ald_project_problem(ald_run *run, const struct ald_problem *problem, const ald_model *model,
                               double **z);
/* The same without the roots, as ald_transform would give them; r is n_components. */
ald_status ald_score_problem(ald_run *run, const struct ald_problem *problem, const ald_model *model,
                             int64_t r, double **z);
/* Names, classes and schema of a model for one that is made of the same columns. */
ald_status ald_copy_names(ald_run *run, const ald_model *from, ald_model *to);
/* The end of every fit: refuses a result that is not finite, keeps a warning in the model. */
ald_status ald_fit_note(ald_run *run, ald_model *model);
ald_status ald_fit_end(ald_run *run, ald_status status, ald_model **model);

/* A JSON list of names as metadata. */
ald_status ald_model_set_names(ald_run *run, ald_model *model, const char *key, const char *const *names,
                               int64_t count);

#endif
