/* The steps that all ways of a fit share: rows in memory (fit.c), moments (fit_moments.c, updating),
 * streams and divided rows (streaming, from_files). */
#ifndef ALD_FITTING_FIT_H
#define ALD_FITTING_FIT_H

#include "base/core/model.h"

struct ald_dataset;
struct ald_problem;

/* fit.c. Begin, of a run that has begun, makes an empty model; end frees it again (and sets it NULL) if
 * `status` is an error, and ends the run. */
ald_status ald_fit_begin(ald_run *run, const ald_settings *settings, ald_model **model);
ald_status ald_fit_end(ald_run *run, ald_status status, ald_model **model);
/* Methods that stream ask the operator alone, if rows are not changed, left out or looked at one by one. */
int ald_fits_by_products(const ald_settings *settings);
/* ald_fit and ald_fit_dataset as parts of the call of `outer`. */
ald_status ald_fit_inside(const ald_run *outer, const ald_settings *settings, const ald_matrix *x,
                          const ald_target *y, ald_model **model, ald_error *error);
ald_status ald_fit_dataset_inside(const ald_run *outer, const ald_settings *settings,
                                  const struct ald_dataset *dataset, ald_model **model, ald_error *error);
/* From a problem to a model without a predictor: describes it, calls the method, completes it. */
ald_status ald_fit_problem(ald_run *run, const struct ald_problem *problem, ald_model *model);

/* call_method.c. With components_rule=at-most the first call asks for no more than ald_most_components, and
 * others follow until the method has as many as it is asked for; the model is as after a first call. */
ald_status ald_call_method(ald_run *run, const struct ald_problem *problem, ald_model *model);
/* Keeps in the model that it has as many components as there are: updates and merges follow that rule. */
ald_status ald_note_at_most(ald_run *run, ald_model *model);

/* describe_model.c. Before the method works: format, method, settings, sizes and target. */
ald_status ald_model_describe(ald_run *run, const struct ald_problem *problem, ald_model *model);
/* After it: what every model has besides its directions, and the number of them. */
ald_status ald_model_complete(ald_run *run, const struct ald_problem *problem, ald_model *model);
/* The end of every fit: refuses a result that is not finite, keeps a warning in the model. */
ald_status ald_fit_note(ald_run *run, ald_model *model);
/* A JSON list of names as metadata. */
ald_status ald_model_set_names(ald_run *run, ald_model *model, const char *key, const char *const *names,
                               int64_t count);
/* Names, classes and schema of a model for one that is made of the same columns. */
ald_status ald_copy_names(ald_run *run, const ald_model *from, ald_model *to);

/* learn_predictor.c. Whether the predictor asked for can be had for such a target. */
ald_status ald_check_predictor(ald_run *run, const ald_target *y);
/* The predictor asked for, from the rows of the problem and its target. */
ald_status ald_fit_predictor(ald_run *run, const struct ald_problem *problem, ald_model *model);
/* The same from scores z (y->rows x r, changed) and weights (NULL: none); any model will do. */
ald_status ald_predictor_learn(ald_run *run, const ald_target *y, const double *weights, int64_t r, double *z,
                               int nested, ald_model *model);
/* Whether the first components of the run's method are those of a fit with fewer. */
int ald_is_nested(const ald_run *run);
/* z (rows x n_components, in scratch) of the rows of the problem, times the roots of their weights. */
ald_status ald_project_problem(ald_run *run, const struct ald_problem *problem, const ald_model *model,
                               double **z);
/* The same without the roots, as ald_transform would return them; r is n_components. */
ald_status ald_score_problem(ald_run *run, const struct ald_problem *problem, const ald_model *model,
                             int64_t r, double **z);

#endif
